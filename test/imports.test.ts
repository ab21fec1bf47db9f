import { dirname, posix } from 'node:path'
import { test } from 'tap'
import { filesIn, read } from './documents.ts'
import './limit.ts'

/** Every directory with the directories that it may import, besides itself and those of `common`. */
const directories: Readonly<Record<string, readonly string[]>> = {
  schemas: [],
  base: [],
  'engine.ts': [],
  'package.ts': [],
  settings: [],
  client: ['schemas'],
  catalogue: ['recorded', 'http', 'schemas'],
  recorded: ['catalogue', 'http', 'schemas'],
  http: ['schemas'],
  lists: ['recorded', 'catalogue', 'http', 'schemas'],
  openapi: ['lists', 'catalogue'],
  simulation: ['site', 'lists', 'catalogue', 'http', 'client', 'schemas'],
  upstream: ['catalogue', 'http', 'client', 'schemas'],
  site: ['openapi', 'lists', 'catalogue', 'http', 'client', 'schemas'],
  service: ['lists', 'recorded', 'catalogue', 'http', 'client', 'schemas'],
  verify: ['service', 'lists', 'catalogue', 'http', 'client', 'schemas'],
  pull: ['service', 'lists', 'recorded', 'catalogue', 'http', 'client', 'schemas'],
  diff: ['pull', 'service', 'lists', 'recorded', 'catalogue', 'http', 'client', 'schemas'],
  'app.ts': ['site', 'upstream', 'simulation', 'lists', 'catalogue', 'http', 'schemas'],
  'start.ts': ['app.ts', 'simulation', 'catalogue', 'lists', 'http', 'schemas'],
  'index.ts': ['start.ts', 'http', 'catalogue'],
  command: ['start.ts', 'verify', 'catalogue', 'lists', 'http', 'client', 'schemas'],
  'commands.ts': ['command', 'verify', 'pull', 'diff'],
  'server.ts': ['command', 'index.ts'],
  'main.ts': ['commands.ts', 'command'],
  'cli.ts': ['engine.ts', 'main.ts', 'command']
}

/** Importable by every directory, because they import none. */
const common = ['base', 'settings', 'package.ts']

const files = filesIn(['src', 'schemas'], ['.ts'])

const imports = new Map(files.map(file => {
  const text = read(file)
  const found = [...text.matchAll(/^(?:import|export|\} from)\b[^'\n]*'(\.[^']+\.ts)'|\bimport\('(\.[^']+\.ts)'\)/gm)]
  return [file, found.map(([, named, awaited]) => posix.join(dirname(file), named ?? awaited ?? ''))]
}))

const directoryOf = (file: string) => file.startsWith('schemas/') ? 'schemas' : file.split('/')[1] ?? ''

test('imports point one way', async t => {
  for (const [file, imported] of imports) {
    const directory = directoryOf(file)
    const allowed = [directory, ...directory === 'base' ? [] : common, ...directories[directory] ?? []]
    t.ok(directory in directories, `${directory} is a directory`)
    for (const other of imported) t.ok(allowed.includes(directoryOf(other)), `${file} imports ${other}`)
  }
  t.ok([...imports.values()].flat().every(file => imports.has(file)), 'every import is found')
})

test('a start loads nothing that is seldom needed', async t => {
  const loaded = new Set<string>()
  function load (file: string): void {
    // The build replaces both.
    const isReplaced = ['src/catalogue/authored/validators.ts', 'src/lists/serialisers.ts'].includes(file)
    if (isReplaced || loaded.has(file)) return
    loaded.add(file)
    const found = read(file).matchAll(/^(?:(?:import|export)(?! type)|\} from)\b[^'\n]*'(\.[^']+\.ts)'/gm)
    for (const [, other = ''] of found) load(posix.join(dirname(file), other))
  }
  load('src/command/serve.ts')
  const seldom = [
    'src/simulation/', 'src/verify/', 'src/pull/', 'src/diff/',
    'src/catalogue/authored/validate.ts', 'src/lists/compile.ts'
  ]
  t.same([...loaded].filter(file => seldom.some(path => file.startsWith(path))), [])
  t.ok(loaded.has('src/app.ts'))
})

test('no file imports itself by way of others', async t => {
  let [left, count] = [files, Infinity]
  while (left.length < count) {
    count = left.length
    left = left.filter(file => imports.get(file)?.some(other => left.includes(other)))
  }
  t.same(left, [], 'these are in a circle, or lead to one')
})
