import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { test } from 'tap'
import { shownPath } from '../src/catalogue/errors/error.ts'
import { loadCatalogue } from '../src/catalogue/load.ts'
import { resources } from '../src/lists/resources.ts'
import { dataDirectory, version } from '../src/package.ts'
import { flagOf, settingsTable } from '../src/settings/settings.ts'
import { built } from './built.ts'
import { certify, skip } from './certificate.ts'
import { folder } from './deploy/machines.ts'
import {
  commands, documents, filesIn, notRun, notRunLanguages, pages, partsOf, read, type Part
} from './documents.ts'
import { runDocument } from './run-document.ts'
import { started } from './helper.ts'

const readme = read('README.md')
const manifest = JSON.parse(read('package.json')) as { scripts: Record<string, string>, devDependencies: object }

test('README.md has at most 100 lines and 700 words, and every list', async t => {
  t.ok(readme.trimEnd().split('\n').length <= 100)
  t.ok(readme.trim().split(/\s+/).length <= 700)
  for (const [, code = ''] of readme.matchAll(/```\w*\n([^]*?)```/g)) {
    t.same(code.split('\n').filter(line => line.length > 95), [], code)
  }
  for (const { path } of resources) t.ok(readme.includes(`\`${path}\``), path)
})

/** Flags of Docker, curl, Node, esbuild and npm. */
const otherFlags = [
  'add-host', 'cacert', 'experimental-vm-modules', 'external', 'ignore-scripts', 'prefix', 'save-dev'
]

test('every flag and npm script that the documents name exists', async t => {
  const usages = read('docs/reference/cli.md')
  const commandFlags = [...usages.matchAll(/--([a-z][\w-]*)/g)].map(([, flag]) => flag)
  const known = new Set([...Object.keys(settingsTable).map(flagOf), ...commandFlags, ...otherFlags])
  const named = documents
    .flatMap(file => [...read(file).matchAll(/`--([a-z][\w-]*)/g)].map(([, flag]) => ({ file, flag })))
  t.ok(named.length > 50)
  t.same(named.filter(({ flag }) => !known.has(flag)), [])
  for (const file of documents) {
    for (const [, script = ''] of read(file).matchAll(/npm run ([\w:-]+)/g)) {
      t.ok(manifest.scripts[script], `${script} in ${file}`)
    }
  }
})

const importedModule = /^(?:import|\} from)\b[^'\n]*'([^.#'][^']*)'|\bimport\('([^.'][^']*)'\)/gm

test('docs/explanation/libraries.md names each library', async t => {
  const [libraries = ''] = read('docs/explanation/libraries.md').split('## Why')
  const named = [...libraries.matchAll(/`([@a-z][\w/-]+)`/g)].map(([, name = '']) => name)
  const imported = filesIn(['src', 'schemas'], ['.ts'])
    .flatMap(file => [...read(file).matchAll(importedModule)])
    .map(([, named, awaited]) => /^(?:@[^/]+\/)?[^/]+/.exec(named ?? awaited ?? '')?.[0] ?? '')
    .filter(name => !name.startsWith('node:'))
  t.same([...new Set(imported)].filter(name => !named.includes(name)), [])
  t.same(named.filter(name => !(name in manifest.devDependencies)), [])
})

test('the documents and examples install the current version', async t => {
  const examples = readdirSync('examples', { recursive: true, encoding: 'utf8' })
    .map(name => `examples/${name}`)
    .filter(file => statSync(file).isFile())
  const versions = [...pages, ...examples]
    .flatMap(file => [...read(file).matchAll(/bicycle-catalogue[@/-](\d+\.\d+\.\d+)/g)])
    .map(([, version]) => version)
  t.same(new Set(versions), new Set([version]))
})

test('every file that packed documents link to is in the package', async t => {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' })
  const packed = JSON.parse(stdout) as [{ files: { path: string }[] }] | Record<string, { files: { path: string }[] }>
  const paths = Object.values(packed).flatMap(({ files }) => files.map(({ path }) => path))
  for (const page of documents) {
    const links = [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)]
      .map(([, link = '']) => join(dirname(page), link))
    for (const link of links) {
      t.ok(paths.some(path => path === link || path.startsWith(`${link}/`)), `${link} in ${page}`)
    }
  }
})

const isScript = ({ kind, language }: Part) => kind === 'program' && /^[jt]s$/.test(language)

const openServer = `const server = await start({ simulate: true })
const { url } = server
process.env.CATALOGUE_URL = url
`

for (const page of pages.filter(page => partsOf(page).some(isScript))) {
  test(`the JavaScript and TypeScript of ${page} runs`, async t => {
    const programs = partsOf(page).filter(part => isScript(part) && !/from '(?:axios|testcontainers)'/.test(part.text))
    for (const [index, { language, text }] of programs.entries()) {
      const file = join('test', `.sample-${process.pid}-${index}.${language === 'ts' ? 'ts' : 'mjs'}`)
      t.teardown(() => rmSync(file, { force: true }))
      const imports = text.includes("'bicycle-catalogue'") ? '' : "import { start } from '../src/index.ts'\n"
      const open = text.includes('await start(') ? '' : openServer
      const close = text.includes('server.close()') ? '' : 'await server.close()\n'
      writeFileSync(file, imports + open + text.replace("'bicycle-catalogue'", "'../src/index.ts'") + close)
      await t.resolves(import(pathToFileURL(file).href), text)
    }
  })
}

const hasRequests = spawnSync('python3', ['-c', 'import requests']).status === 0
const withoutRequests = !hasRequests && 'requests is not installed'

test('the Python of docs/guides/clients.md runs', { skip: withoutRequests }, async t => {
  const server = await started(t)
  const [{ text = '' } = {}] = partsOf('docs/guides/clients.md').filter(({ language }) => language === 'python')
  const env = { ...process.env, CATALOGUE_URL: server.url }
  const child = spawn('python3', ['-c', `${text}print(page["count"])`], { env })
  t.equal((await textOf(child.stdout)).trim(), '48')
})

test('every command of the documents is run, or there is a reason', async t => {
  const unrun = commands.filter(({ place }) => place === 'nowhere').map(({ line }) => line)
  t.same(notRun.filter(({ command }) => !unrun.some(line => command.test(line))), [])
  t.ok(unrun.length < commands.length / 4, unrun.join('\n'))
})

const own = commands.filter(({ place }) => place === 'test/docs.test.ts')

for (const page of new Set(own.map(({ page }) => page))) {
  test(`the commands of ${page} run as written`, { skip: page.endsWith('devices.md') && skip }, async t => {
    const cwd = folder(t) // outside the project, in which a command could install something
    mkdirSync(join(cwd, 'bin'))
    const script = `#!/bin/sh\nexec '${process.execPath}' '${resolve(built(), 'cli.js')}' "$@"\n`
    writeFileSync(join(cwd, 'bin/bicycle-catalogue'), script, { mode: 0o755 })
    if (page.endsWith('devices.md')) certify(cwd) // in place of mkcert
    const real = await started(t, { tokens: ['my-token'], logLevel: 'silent' })
    const env = {
      PATH: `${cwd}/bin:${process.env['PATH']}`,
      PORT: '0',
      TOKEN: 'my-token',
      TZ: 'UTC',
      _TAPJS_PROCESSINFO_COVERAGE_: '0'
    }
    await runDocument(t, page, { cwd, env, service: real.url, place: 'test/docs.test.ts' })
  })
}

test('every snippet of another language is run, or there is a reason', async t => {
  const programs = documents.flatMap(partsOf).filter(({ kind }) => kind === 'program')
  const languages = new Set(programs.map(({ language }) => language))
  const known = ['', 'ini', 'js', 'json', 'python', 'ts', 'yaml', ...Object.keys(notRunLanguages)]
  t.same([...languages].toSorted(), known.toSorted())
})

test('the recording.json of docs/reference/recording-format.md is valid', async t => {
  const [part] = partsOf('docs/reference/recording-format.md').filter(({ language }) => language === 'json')
  const directory = t.testdir({ v1: { 'bikes.json': '[{"id":1}]' }, 'recording.json': String(part?.text) })
  t.match(await loadCatalogue(directory), { bikes: [{ id: 1 }] })
})

test('a bike is added to a copy as docs/guides/own-data.md says', async t => {
  const directory = t.testdir()
  cpSync(dataDirectory, directory, { recursive: true })
  const step = /in `my-data\/(v\d\/bikes\.json)`:\n\n```json\n([^`]+)```/g
  const steps = [...read('docs/guides/own-data.md').matchAll(step)]
  t.equal(steps.length, 2)
  for (const [, name = '', record = ''] of steps) {
    const file = join(directory, name)
    const content = JSON.parse(readFileSync(file, 'utf8')) as { updated: string, bikes: unknown[] }
    content.bikes.push(JSON.parse(record))
    content.updated = '2026-11-21T08:00:00Z'
    writeFileSync(file, JSON.stringify(content))
  }
  const { bikes, bikesV2, warnings } = await loadCatalogue(directory)
  t.match([bikes.length, bikes.at(-1), bikesV2.at(-1)], [49, { id: 1001, saddle: 1 }, { id: 1001, price: '1299.00' }])
  t.same(warnings, [])
})

test('code in the documents fits a page: 110 columns; a longer command breaks with a backslash', async t => {
  for (const page of pages) {
    const blocks = [...read(page).matchAll(/```(?:sh|json)\n([^]*?)```/g)].flatMap(([, code = '']) => code.split('\n'))
    t.same(blocks.filter(line => line.length > 110), [], page)
  }
})

/** Guides to a server that is installed for all users. */
const operated = ['docs/guides/deploy.md', 'docs/guides/maintain.md', 'docs/guides/monitor.md']

test('each guide whose commands run the program says what it needs', async t => {
  const guides = pages.filter(page => /^docs\/(?:guides\/|getting-started)/.test(page))
  const runsProgram = ({ kind, text }: Part) => kind === 'command' && text.startsWith('bicycle-catalogue')
  const withCommands = guides.filter(page => partsOf(page).some(runsProgram))
  t.ok(withCommands.length > 5)
  for (const page of withCommands.filter(page => !operated.includes(page))) {
    t.match(read(page), /You need [^]*[Ii]n a clone, write `npm start --`/, page)
  }
})

test('docs/guides/own-data.md shows the message of an invalid record', async t => {
  const message = /^my-data\/v1\/bikes\.json:(\d+):.*"(\d+)"$/m
  const [error = '', number = '', year = ''] = message.exec(read('docs/guides/own-data.md')) ?? []
  const lines = read('data/v1/bikes.json').split('\n')
  lines[Number(number) - 1] = String(lines[Number(number) - 1]).replace(`"year": ${year}`, `"year": "${year}"`)
  const directory = t.testdir()
  cpSync(dataDirectory, directory, { recursive: true })
  writeFileSync(join(directory, 'v1/bikes.json'), lines.join('\n'))
  await t.rejects(loadCatalogue(directory), { message: shownPath(join(directory, error.replace('my-data/', ''))) })
})

/** Returns the anchors of a document's headings, as GitHub makes them. */
function anchorsOf (text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)]
    .map(([, title = '']) => title.toLowerCase().replace(/[^\w -]/g, '').replaceAll(' ', '-'))
}

test('the documents name no machine, and every file and heading that they link to exists', async t => {
  for (const file of documents) {
    const text = read(file)
    t.notMatch(text, /\/(?:home|work|root|Users)\//, file)
    for (const [, path = '', heading] of text.matchAll(/\]\((?!https?:|\/)([^)#]*)(?:#([^)]+))?\)/g)) {
      const target = path === '' ? text : read(join(dirname(file), path))
      t.ok(heading === undefined || anchorsOf(target).includes(heading), `${path}#${heading} in ${file}`)
    }
  }
})
