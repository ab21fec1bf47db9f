import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { test } from 'tap'
import type { CatalogueFaults } from '../src/catalogue/fault.ts'
import { loadCatalogue } from '../src/catalogue/load.ts'
import { dataDirectory, version } from '../src/package.ts'
import { start } from '../src/start.ts'
import { built } from './built.ts'
import { changedDirectory } from './catalogue/changed.ts'
import { catalogue } from './helper.ts'

function node (...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: { PATH: process.env['PATH'], _TAPJS_PROCESSINFO_COVERAGE_: '0' } })
  return { status, stdout, stderr }
}

test('npm run build', async t => {
  const folder = built()
  const command = join(folder, 'cli.js')
  for (const file of readdirSync(folder).filter(file => /\.c?js$/.test(file))) {
    t.notMatch(readFileSync(join(folder, file), 'utf8'), /from ?"node:/, `${file} loads of Node only what it uses`)
  }
  t.strictSame(node(command, '--version'), { status: 0, stdout: `${version}\n`, stderr: '' }, 'the command')

  const rejected = `import(${JSON.stringify(pathToFileURL(join(folder, 'code.js')))}).then(({ script }) => console.log(script.cachedDataRejected))`
  t.strictSame(node('--eval', rejected), { status: 0, stdout: 'false\n', stderr: '' }, 'what V8 has compiled before is taken')
  t.strictSame(node('--stack-size=900', '--eval', rejected), { status: 0, stdout: 'true\n', stderr: '' }, 'but not where its flags are other ones')

  const broken = 'data:text/javascript,Date.prototype.toUTCString = () => { throw new Error("broken") }'
  t.match(node('--import', broken, command, '--port', '0'), { status: 1, stdout: '', stderr: /src\/lists\/representation\.ts:\d+:\d+/ }, 'a stack')

  const pages = ['/', '/tokens/', '/docs/', '/changelog/', '/api/v1/bikes/?format=api', '/api/v2/bikes/?format=api&page=1', '/api/v2/bikes/?page=1']
  const options = { publicUrl: 'http://bikes.test', tokens: ['mine'], port: 0, rateLimit: false, logLevel: 'silent' } as const
  const headers = { authorization: 'Token mine' }
  const asker = `const { start } = await import(${JSON.stringify(pathToFileURL(join(folder, 'start.js')))})
    const server = await start(${JSON.stringify(options)})
    const textOf = path => fetch(server.url + path, ${JSON.stringify({ headers })}).then(answer => answer.text())
    console.log(JSON.stringify(await Promise.all(${JSON.stringify(pages)}.map(textOf))))
    await server.close()`
  const { app, close } = await start(options)
  const texts = await Promise.all(pages.map(async url => (await app.inject({ url, headers })).payload))
  await close()
  t.strictSame(JSON.parse(node('--input-type=module', '--eval', asker).stdout), texts, 'the same pages, byte for byte')

  const program = `const { start } = await import(${JSON.stringify(pathToFileURL(join(folder, 'start.js')))})
    const server = await start({ metricsPort: 0 })
    for (const url of [server.metricsUrl, server.url + '/openapi.yaml', server.url + '/changelog/']) console.log((await fetch(url)).status)
    await server.close()`
  t.strictSame(node('--input-type=module', '--eval', program), { status: 0, stdout: '200\n200\n200\n', stderr: '' }, 'what is loaded when it is wanted')

  const check = (data: string) => once(new Worker(join(folder, 'checker.js'), { workerData: { data } }), 'message')
  t.strictSame(await check(dataDirectory), [{ digest: catalogue.digest }], 'the thread that checks data')
  await t.test('finds what is wrong', async t => {
    const wrong = changedDirectory(t, { bikes: [['2021', '"2021"'], ['2024-02-01T00:00:00Z', '2024-02-30T00:00:00Z']], wheels: [['"id": 1', '"id": 0']] })
    const { faults } = await loadCatalogue(wrong).then(() => ({ faults: [] }), (error: CatalogueFaults) => error)
    t.equal(faults.length, 3)
    t.strictSame(await check(wrong), [{ faults }])
  })

  await t.test('works with a cache that was cut, and without one', async t => {
    const copy = t.testdir()
    cpSync(folder, copy, { recursive: true })
    const [cache = ''] = readdirSync(copy).filter(file => file.endsWith('.cache'))
    for (const change of [truncateSync, rmSync]) {
      change(join(copy, cache))
      t.strictSame(node(join(copy, 'cli.js'), '--version'), { status: 0, stdout: `${version}\n`, stderr: '' }, change.name)
    }
  })

  const licences = readFileSync(join(folder, 'licences.txt'), 'utf8')
  for (const [, name, licence, text] of licences.matchAll(/^(\S+) \d\S+, (.*)\n\n((?:.*\n)*?)\n-{80}$/gm)) {
    t.match(`${licence}\n${text}`, /^(?:MIT|ISC|BSD-\d-Clause|Apache-2\.0|BlueOak-1\.0\.0)\n/, `${name} may be part of the package`)
  }
  t.match(licences, /^fastify \d+\.\d+\.\d+, MIT\n\nMIT License\n/m)
})
