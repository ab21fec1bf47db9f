import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'tap'
import { shownPath } from '../src/catalogue/errors/error.ts'
import { loadCatalogue } from '../src/catalogue/load.ts'
import { bikeFilters } from '../src/lists/bike-fields.ts'
import { resources } from '../src/lists/resources.ts'
import { dataDirectory, version } from '../src/package.ts'
import { flagOf, settingsTable } from '../src/settings/settings.ts'
import { start } from '../src/start.ts'
import { kept } from '../tools/process.ts'
import { built } from './built.ts'
import { folder } from './deploy/machines.ts'
import { commands, documents, filesIn, notRun, pages, read } from './documents.ts'

const readme = read('README.md')
const manifest = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

test('README.md has at most 100 lines and 700 words', async t => {
  t.ok(readme.trimEnd().split('\n').length <= 100)
  t.ok(readme.trim().split(/\s+/).length <= 700)
  for (const [, code = ''] of readme.matchAll(/```\w*\n([^]*?)```/g)) t.same(code.split('\n').filter(line => line.length > 95), [])
})

test('every flag that the documents name exists', async t => {
  const usages = read('docs/reference/cli.md')
  const known = new Set([...Object.keys(settingsTable).map(flagOf), ...[...usages.matchAll(/--([a-z][\w-]*)/g)].map(([, flag]) => flag), 'cacert', 'experimental-vm-modules', 'external', 'ignore-scripts']) // of curl, Node, esbuild and npm
  const named = documents.filter(file => file !== 'CHANGELOG.md').flatMap(file => [...read(file).matchAll(/`--([a-z][\w-]*)/g)].map(([, flag]) => ({ file, flag })))
  t.ok(named.length > 50)
  t.same(named.filter(({ flag }) => !known.has(flag)), [])
})

test('docs/guides/clients.md has every list and filter', async t => {
  const api = read('docs/guides/clients.md')
  for (const { path } of resources) t.ok(api.includes(`\`${path}\``) && readme.includes(`\`${path}\``), path)
  for (const name of bikeFilters.map(({ name }) => name).filter(name => !name.includes('__'))) t.ok(api.includes(`\`${name}\``), name)
})

test('CONTRIBUTING.md says why each library is there', async t => {
  const named = [...(read('CONTRIBUTING.md').split('## Libraries')[1] ?? '').matchAll(/^- `([^`]+)` \w/gm)].map(([, name = '']) => name)
  const imported = filesIn(['src', 'schemas'], ['.ts'])
    .flatMap(file => [...read(file).matchAll(/^(?:import|\} from)\b[^'\n]*'([^.#'][^']*)'|\bimport\('([^.'][^']*)'\)/gm)])
    .map(([, named, awaited]) => /^(?:@[^/]+\/)?[^/]+/.exec(named ?? awaited ?? '')?.[0] ?? '')
    .filter(name => !name.startsWith('node:'))
  t.same(named.toSorted(), [...new Set(imported)].toSorted())
})

test('the documents and examples install the version that they are of', async t => {
  const examples = readdirSync('examples', { recursive: true, encoding: 'utf8' }).map(name => `examples/${name}`).filter(file => statSync(file).isFile())
  const versions = [...pages, ...examples].flatMap(file => [...read(file).matchAll(/bicycle-catalogue[@/-](\d+\.\d+\.\d+)/g)].map(([, version]) => version))
  t.same(new Set(versions), new Set([version]))
})

test('every file that packed documents link to is in the package', async t => {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' })
  const packed = JSON.parse(stdout) as [{ files: { path: string }[] }] | Record<string, { files: { path: string }[] }>
  const paths = Object.values(packed).flatMap(({ files }) => files.map(({ path }) => path))
  for (const page of documents) {
    const links = [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, link = '']) => join(dirname(page), link))
    for (const link of links) t.ok(paths.some(path => path === link || path.startsWith(`${link}/`)), `${link} in ${page}`)
  }
})

test('every npm script that the documents name exists', async t => {
  for (const file of documents) {
    for (const [, script = ''] of read(file).matchAll(/npm run ([\w:-]+)/g)) t.ok(manifest.scripts[script], `${script} in ${file}`)
  }
  t.ok(manifest.scripts['test'])
})

test('README.md shows the response to its first request of a failure', async t => {
  const [, url = '', body] = /^\$ curl "http:\/\/localhost:3000(\S+)"\n(.*)$/m.exec(readme) ?? []
  const server = await start({ simulate: true })
  t.teardown(server.close)
  t.equal(await (await fetch(server.url + url)).text(), body)
})

for (const page of pages.filter(page => /```[jt]s\n/.test(read(page)))) {
  test(`the JavaScript and TypeScript of ${page} runs`, async t => {
    for (const [index, [, language = '', code = '']] of [...read(page).matchAll(/```([jt]s)\n([^]*?)```/g)].entries()) {
      const file = join('test', `.sample-${process.pid}-${index}.${language === 'ts' ? 'ts' : 'mjs'}`)
      t.teardown(() => rmSync(file, { force: true }))
      const imports = code.includes("'bicycle-catalogue'") ? '' : "import { start } from '../src/index.ts'\n"
      const open = code.includes('await start(') ? '' : 'const server = await start({ simulate: true })\nconst { url } = server\n'
      const close = code.includes('server.close()') ? '' : 'await server.close()\n'
      writeFileSync(file, imports + open + code.replace("'bicycle-catalogue'", "'../src/index.ts'") + close)
      await t.resolves(import(pathToFileURL(file).href), code)
    }
  })
}

test('no command of the documents is run nowhere but for a reason', async t => {
  const unrun = commands.filter(({ place }) => place === 'nowhere').map(({ line }) => line)
  t.same(notRun.filter(({ command }) => !unrun.some(line => command.test(line))), [])
  t.ok(unrun.length < commands.length / 4, unrun.join('\n'))
})

const own = commands.filter(({ place }) => place === 'test/docs.test.ts')

for (const page of new Set(own.map(({ page }) => page))) {
  test(`the commands of ${page} run as written`, async t => {
    const [, recording = ''] = /```json\n(\{ "url".*)\n```/.exec(read(page)) ?? []
    const cwd = folder(t) // outside the project, in which a command could install something
    cpSync(t.testdir({
      bin: { 'bicycle-catalogue': `#!/bin/sh\nexec '${process.execPath}' '${resolve(built(), 'cli.js')}' "$@"\n` },
      own: { v1: {} },
      staging: { v1: { 'saddles.json': '{"version":1,"updated":"2026-11-21T08:00:00Z","saddles":[{"id":1,"brand":"Own"}]}' } },
      ...recording === '' ? {} : { real: { 'recording.json': recording } }
    }), cwd, { recursive: true })
    chmodSync(join(cwd, 'bin/bicycle-catalogue'), 0o755)
    const [, overlay = '{}'] = /```json\n(\{\n[^`]*"bikes"[^`]*)```/.exec(read(page)) ?? []
    writeFileSync(join(cwd, 'own/v1/bikes.json'), overlay)
    if (page === 'docs/guides/record-and-verify.md') cpSync(dataDirectory, join(cwd, 'my-data'), { recursive: true })
    const real = await start({ tokens: ['my-token'], rateLimit: false, logLevel: 'silent' })
    t.teardown(real.close)

    const environment = {
      PATH: `${cwd}/bin:${process.env['PATH']}`, PORT: '0', TOKEN: 'my-token', XDG_CACHE_HOME: cwd, TZ: 'UTC', _TAPJS_PROCESSINFO_COVERAGE_: '0'
    }
    let { url } = real
    let stop = (): Promise<unknown[]> => Promise.resolve([0])
    t.teardown(() => stop())
    for (const { line: command } of own.filter(command => command.page === page)) {
      const line = command.replaceAll('https://bikes.example.org', real.url).replaceAll('http://localhost:3000', url)
        .replace(/^curl (?!.*>|-o )/, "curl -sS --output /dev/null --write-out '%{http_code}' ")
        .replace(/^\S+ (?:pull|verify) .*/, '$& --rate 1000')
        .replace(/^bicycle-catalogue\b/, 'exec $&') // signals reach the server
      const child = kept(spawn('sh', ['-c', line], { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] }))
      let [printed, wrong] = ['', '']
      child.stderr.on('data', chunk => { wrong += String(chunk) })
      const exited = once(child, 'close')
      const listening = new Promise<string>(resolve => child.stdout.on('data', chunk => {
        printed += String(chunk)
        const [, address] = /^\{"event":"listening","url":"([^"]+)"/.exec(printed) ?? []
        if (address !== undefined) resolve(address)
      }))
      const served = await Promise.race([listening, exited.then(() => undefined)])
      if (served === undefined) {
        t.equal(child.exitCode, 0, `${command}\n${wrong}`)
        if (line.includes('%{http_code}')) t.match(printed, line.includes('code=503') ? '503' : /^20[0-4]$/, command)
      } else {
        t.equal((await stop())[0], 0)
        url = served
        stop = () => {
          child.kill('SIGTERM')
          return exited
        }
      }
    }
  })
}

test('docs/guides/own-data.md shows the message of an invalid record', async t => {
  const [error = '', number = '', year = ''] = /^data\/v1\/bikes\.json:(\d+):.*"(\d+)"$/m.exec(read('docs/guides/own-data.md')) ?? []
  const lines = read('data/v1/bikes.json').split('\n')
  lines[Number(number) - 1] = String(lines[Number(number) - 1]).replace(`"year": ${year}`, `"year": "${year}"`)
  const directory = t.testdir()
  cpSync(dataDirectory, directory, { recursive: true })
  writeFileSync(join(directory, 'v1/bikes.json'), lines.join('\n'))
  await t.rejects(loadCatalogue(directory), { message: shownPath(join(directory, error.replace('data/', ''))) })
})

test('the documents name no machine, and every file and heading that they link to exists', async t => {
  for (const file of documents) {
    const text = read(file)
    t.notMatch(text, /\/(?:home|work|root|Users)\//, file)
    for (const [, path = '', heading] of text.matchAll(/\]\((?!https?:|\/)([^)#]*)(?:#([^)]+))?\)/g)) {
      const target = path === '' ? text : read(join(dirname(file), path))
      const headings = [...target.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title.toLowerCase().replace(/[^\w -]/g, '').replaceAll(' ', '-'))
      t.ok(heading === undefined || headings.includes(heading), `${path}#${heading} in ${file}`)
    }
  }
})
