import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'tap'
import type { CatalogueErrors } from '../src/catalogue/errors/error.ts'
import { loadCatalogue } from '../src/catalogue/load.ts'
import { start } from '../src/start.ts'
import { built, command, env } from './built.ts'
import { changedDirectory } from './catalogue/changed.ts'
import { folder as outside } from './deploy/machines.ts'
import './limit.ts'

test('the bundle answers as the sources do', async t => {
  const index = JSON.stringify(pathToFileURL(join(built(), 'index.js')))
  const paths = [
    '/',
    '/tokens/',
    '/docs/',
    '/changelog/',
    '/openapi.yaml',
    '/api/v1/bikes/?format=api',
    '/api/v2/bikes/?format=api&page=1',
    '/api/v2/bikes/?page=1'
  ]
  const options = {
    publicUrl: 'http://bikes.test',
    tokens: ['mine'],
    port: 0,
    metricsPort: 0,
    rateLimit: false,
    logLevel: 'silent'
  } as const
  const headers = { authorization: 'Token mine' }
  const program = `const { start } = await import(${index})
    const server = await start(${JSON.stringify(options)})
    const textOf = path => fetch(server.url + path, ${JSON.stringify({ headers })}).then(response => response.text())
    console.log(JSON.stringify(await Promise.all(${JSON.stringify(paths)}.map(textOf))))
    console.log((await fetch(server.metricsUrl)).status)
    await server.close()`
  const { app, close } = await start(options)
  const texts = await Promise.all(paths.map(async url => (await app.inject({ url, headers })).payload))
  await close()
  const evaluated = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8', env })
  const { status, stdout, stderr } = evaluated
  t.strictSame({ status, stderr }, { status: 0, stderr: '' })
  const [first = '', second] = stdout.split('\n')
  t.strictSame(JSON.parse(first), texts)
  t.equal(second, '200')
})

test('the bundle checks data as the sources do', async t => {
  const data = changedDirectory(t, {
    bikes: [['2021', '"2021"'], ['2024-02-01T00:00:00Z', '2024-02-30T00:00:00Z']],
    wheels: [['"id": 1', '"id": 0']]
  })
  const { message } = await loadCatalogue(data).then(() => ({ message: '' }), (error: CatalogueErrors) => error)
  const { status, stdout, stderr } = spawnSync(process.execPath, command('--data', data), { encoding: 'utf8', env })
  const printed = `${message}\n3 errors; the server was not started\n`
  t.strictSame({ status, stdout, stderr }, { status: 1, stdout: '', stderr: printed })
})

test('the bundle serves without any dependency', async t => {
  const folder = outside(t) // no node_modules above it
  for (const name of ['package.json', 'assets', 'data', 'schemas']) symlinkSync(resolve(name), join(folder, name))
  cpSync(built(), join(folder, 'dist'), { recursive: true })
  const program = `import { start } from 'bicycle-catalogue'
    const server = await start()
    console.log((await fetch(server.url + '/api/v1/bikes/')).status)
    await server.close()`
  writeFileSync(join(folder, 'program.mjs'), program)
  const { stdout, stderr } = spawnSync(process.execPath, ['program.mjs'], { cwd: folder, encoding: 'utf8', env })
  t.strictSame({ stdout, stderr }, { stdout: '200\n', stderr: '' })
})

test('the bundle lists the licences of its dependencies', async t => {
  const licences = readFileSync(join(built(), 'licences.txt'), 'utf8')
  for (const [, name, licence, text] of licences.matchAll(/^(\S+) \d\S+, (.*)\n\n((?:.*\n)*?)\n-{80}$/gm)) {
    const isFree = /^(?:MIT|ISC|BSD-\d-Clause|Apache-2\.0|BlueOak-1\.0\.0)\n/
    t.match(`${licence}\n${text}`, isFree, `${name} may be part of the package`)
  }
  t.match(licences, /^ajv \d+\.\d+\.\d+, MIT\n\nThe MIT License \(MIT\)\n/m)
  t.match(licences, /^fastify \d+\.\d+\.\d+, MIT\n\nMIT License\n/m)
})

test('dist/sbom.json has the libraries of licences.txt, whose advisories npm run audit prints', async t => {
  const licences = readFileSync(join(built(), 'licences.txt'), 'utf8')
  const text = readFileSync(join(built(), 'sbom.json'), 'utf8')
  type Component = { name: string, version: string, purl: string }
  const sbom = JSON.parse(text) as { bomFormat: string, specVersion: string, components: Component[] }
  t.match(sbom, { bomFormat: 'CycloneDX', specVersion: '1.6' })
  const listed = licences.split(/\n-{80}\n+/).filter(text => text !== '').map(text => text.split(', ', 1)[0])
  t.same(sbom.components.map(({ name, version }) => `${name} ${version}`), [...new Set(listed)])
  const caching = sbom.components.find(({ name }) => name === '@fastify/caching')
  t.equal(caching?.purl, `pkg:npm/%40fastify/caching@${caching?.version}`)

  const version = sbom.components.find(({ name }) => name === 'fastify')?.version
  const cwd = t.testdir({
    dist: { 'sbom.json': text },
    'package-lock.json': JSON.stringify({
      packages: { 'node_modules/fastify': { version }, 'node_modules/tap/node_modules/fastify': { version: '0.1.0' } }
    })
  })
  const advisory = { title: 'Its body is parsed twice', url: 'https://example.org/GHSA-1' }
  const audit = (report: object) => {
    return spawnSync(process.execPath, [resolve('scripts/audit.js')], {
      cwd, encoding: 'utf8', env, input: JSON.stringify(report)
    })
  }
  const of = (node: string) => ({
    vulnerabilities: { fastify: { name: 'fastify', severity: 'high', nodes: [node], via: ['other', advisory] } }
  })
  const found = audit(of('node_modules/fastify'))
  t.match(found, { status: 1, stdout: `fastify (high): ${advisory.title} ${advisory.url}\n` }, found.stderr)
  t.match(audit(of('node_modules/tap/node_modules/fastify')), {
    status: 0,
    stdout: `${sbom.components.length} libraries audited\n`
  }, 'the version of a tool is not in the package')
  t.match(audit({ message: 'offline' }), { status: 1, stderr: 'npm audit made no report: offline' })
})

test('scripts before npm ci say what is missing', async t => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  const script = 'scripts/dependencies.js'
  for (const name of ['prestart', 'predev', 'pretest']) {
    t.match(scripts[name], new RegExp(`^node ${script}(?: &&|$)`), name)
  }
  const run = (cwd: string) => spawnSync(process.execPath, [resolve(script)], { cwd, encoding: 'utf8', env })
  t.match(run(t.testdir()), { status: 1, stdout: '', stderr: 'Dependencies are missing: run `npm ci` first.\n' })
  t.match(run('.'), { status: 0, stdout: '', stderr: '' })
})

test('npm start builds only after a change of what the bundle is made of', async t => {
  const script = resolve('scripts/build-if-changed.js')
  const sources = [
    'src/cli.ts',
    'schemas/common.ts',
    'scripts/build.ts',
    'assets/json.js',
    'data/v1/bikes.json',
    'package-lock.json',
    'tsconfig.json',
    'CHANGELOG.md',
    'VERSIONING.md'
  ]
  const folders: Record<string, object> = { src: {}, schemas: {}, scripts: {}, assets: {}, data: { v1: {}, media: {} } }
  const cwd = t.testdir({ ...folders, 'package.json': '{}', npm: '#!/bin/sh\nmkdir -p dist && echo >> builds' })
  chmodSync(join(cwd, 'npm'), 0o755)
  for (const source of sources) appendFileSync(join(cwd, source), 'a')
  const builds = () => {
    execFileSync(process.execPath, [script], { cwd, env: { PATH: `${cwd}:${env.PATH}` } })
    return readFileSync(join(cwd, 'builds'), 'utf8').length
  }
  t.equal(builds(), 1)
  t.equal(builds(), 1, 'nothing has changed')
  for (const [index, source] of sources.entries()) {
    appendFileSync(join(cwd, source), 'b')
    t.equal(builds(), index + 2, source)
  }
  appendFileSync(join(cwd, 'data/media/1.jpg'), '')
  t.equal(builds(), sources.length + 1, 'no image is in a bundle')
  rmSync(join(cwd, 'dist'), { recursive: true })
  t.equal(builds(), sources.length + 2, 'dist/ is gone')
})
