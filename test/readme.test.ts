import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'tap'
import { loadCatalogue } from '../src/catalogue/load.ts'
import { bikeFilters } from '../src/lists/fields.ts'
import { helpText } from '../src/settings/help.ts'
import { resources } from '../src/lists/resources.ts'
import { dataDirectory, version } from '../src/package.ts'
import { settingsTable, type Row } from '../src/settings/settings.ts'
import { build } from './helper.ts'

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
const readme = read('README.md')
const manifest = JSON.parse(read('package.json')) as { scripts: Record<string, string>, dependencies: Record<string, string> }

test('the README and --help tell of every setting, and of no other', async t => {
  const rows = Object.values<Row>(settingsTable)
  for (const { flag, variable, help, takes, shown, default: value, inTerminal } of rows) {
    const own = `${shown ?? value ?? 'none'}${inTerminal ? `; ${inTerminal} in a terminal` : ''}`
    t.ok(readme.includes(`| \`--${flag}\` | \`${variable}\` | ${own} | ${help} (${takes}) |`), flag)
    t.match(helpText(), `--${flag} `)
  }
  const told = [...readme.matchAll(/^\| `--([\w-]+)`/gm)].map(([, flag]) => flag)
  t.same(told, rows.map(({ flag }) => flag))
})

test('the README tells of every list and filter', async t => {
  for (const { path } of resources) t.ok(readme.includes(`\`${path}\``), path)
  for (const name of Object.keys(bikeFilters).filter(name => !name.includes('__'))) t.ok(readme.includes(`\`${name}\``), name)
})

test('the README says why each dependency is there', async t => {
  const [, table = ''] = /\| Dependency \| Why \|\n([^]+?)\n\n/.exec(readme) ?? []
  const told = [...table.matchAll(/^\| `([^`]+)` \| \w/gm)].map(([, name]) => name)
  const sources = ['src', 'schemas'].flatMap(folder => readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .map(file => read(`${folder}/${file}`)))
  const imported = sources.flatMap(text => [...text.matchAll(/^(?:import|\} from)\b[^'\n]*'([^.#'][^']*)'|\bimport\('([^.'][^']*)'\)/gm)])
    .map(([, named, awaited]) => /^(?:@[^/]+\/)?[^/]+/.exec(named ?? awaited ?? '')?.[0])
    .filter(name => name !== undefined && !name.startsWith('node:'))
  t.same(told, [...new Set(imported)].sort())
  t.ok(Object.keys(manifest.dependencies).every(name => told.includes(name)))
})

test('the README installs the version that it is of', async t => {
  const versions = [...readme.matchAll(/bicycle-catalogue[@/](\d+\.\d+\.\d+)/g)].map(([, version]) => version)
  t.same(new Set(versions), new Set([version]))
})

test('every npm script that the documents name exists', async t => {
  for (const file of ['README.md', 'CONTRIBUTING.md', 'data/README.md']) {
    for (const [, script = ''] of read(file).matchAll(/npm run ([\w:-]+)/g)) t.ok(manifest.scripts[script], `${script} in ${file}`)
  }
})

test('the first answer that the README shows is the one that one gets', async t => {
  const [, url = '', answer] = /^\$ curl "http:\/\/127\.0\.0\.1:3000(\S+)"\n(.*)$/m.exec(readme) ?? []
  const app = await build(t)
  t.equal((await app.inject({ url, headers: { host: '127.0.0.1:3000' } })).body, answer)
})

test('the fault that the README shows is the one that one gets', async t => {
  const [fault = '', number = '', year = ''] = /^data\/v1\/bikes\.json:(\d+):.*"(\d+)"$/m.exec(readme) ?? []
  const lines = read('data/v1/bikes.json').split('\n')
  lines[Number(number) - 1] = String(lines[Number(number) - 1]).replace(`"year": ${year}`, `"year": "${year}"`)
  const directory = t.testdir()
  cpSync(dataDirectory, directory, { recursive: true })
  writeFileSync(join(directory, 'v1/bikes.json'), lines.join('\n'))
  await t.rejects(loadCatalogue(directory), { message: relative('', join(directory, fault.replace('data/', ''))) })
})

test('CI runs the commands of the README', async t => {
  const ci = read('.ci/run')
  const [, commands = ''] = /```sh\n([^`]+)```/.exec(readme) ?? []
  for (const command of commands.trim().split('\n').map(line => line.replace(/ +#.*/, ''))) t.ok(ci.includes(command), command)
})

test('the documents speak of no machine and every file they link to exists', async t => {
  for (const file of ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'data/README.md']) {
    const text = read(file)
    t.notMatch(text, /\/(?:home|work|root|Users)\//, file)
    for (const [, link = ''] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) t.ok(read(file.includes('/') ? `data/${link}` : link).length > 0, `${link} in ${file}`)
  }
})
