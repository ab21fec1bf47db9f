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
  catalogue: ['http', 'schemas'],
  recorded: ['catalogue', 'http', 'schemas'],
  http: ['schemas'],
  lists: ['catalogue', 'http', 'schemas'],
  openapi: ['lists', 'catalogue'],
  simulation: ['site', 'lists', 'catalogue', 'http', 'client', 'schemas'],
  upstream: ['catalogue', 'http', 'client', 'schemas'],
  site: ['openapi', 'lists', 'catalogue', 'http', 'client', 'schemas'],
  service: ['lists', 'recorded', 'catalogue', 'http', 'client', 'schemas'],
  verify: ['service', 'lists', 'catalogue', 'http', 'client', 'schemas'],
  pull: ['service', 'lists', 'recorded', 'catalogue', 'http', 'client', 'schemas'],
  diff: ['pull', 'service', 'lists', 'recorded', 'catalogue', 'http', 'client', 'schemas'],
  'app.ts': ['site', 'upstream', 'simulation', 'lists', 'catalogue', 'http', 'schemas'],
  'reload.ts': ['simulation', 'catalogue'],
  'start.ts': ['app.ts', 'reload.ts', 'simulation', 'catalogue', 'lists', 'http', 'schemas'],
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

/** Returns the files that a file imports: those of matches of an expression. */
function importedBy (file: string, expression: RegExp): string[] {
  return Array.from(read(file).matchAll(expression), ([, path = '']) => posix.join(dirname(file), path))
}

const statement = /^(?:import|export|\} from)\b[^'\n]*'(\.[^']+\.ts)'/gm
const statementOfValue = /^(?:(?:import|export)(?! type)|\} from)\b[^'\n]*'(\.[^']+\.ts)'/gm
const expression = /\bimport\('(\.[^']+\.ts)'\)/g

const staticImports = new Map(files.map(file => [file, importedBy(file, statement)]))
const imports = new Map(files.map(file => [file, [...staticImports.get(file) ?? [], ...importedBy(file, expression)]]))

/** Returns files with those that they import, and theirs, according to a function. */
function closureOf (
  starts: readonly string[], importsOf: (file: string) => readonly string[] | undefined
): Set<string> {
  const closure = new Set(starts)
  for (const file of closure) for (const imported of importsOf(file) ?? []) closure.add(imported)
  return closure
}

const directoryOf = (file: string) => file.startsWith('schemas/') ? 'schemas' : file.split('/')[1] ?? ''

test('imports point one way', async t => {
  for (const [file, imported] of imports) {
    const directory = directoryOf(file)
    const allowed = [directory, ...directory === 'base' ? [] : common, ...directories[directory] ?? []]
    t.ok(directory in directories, `${directory} is a directory`)
    for (const other of imported) {
      const isRecording = file === 'src/catalogue/load.ts' && other === 'src/recorded/recording.ts'
      t.ok(isRecording || allowed.includes(directoryOf(other)), `${file} imports ${other}`)
    }
  }
  t.ok([...imports.values()].flat().every(file => imports.has(file)), 'every import is found')
})

/** What somebody reads who wants to know how a list is loaded and served: no recording, no simulation, no page. */
const core: Readonly<Record<string, readonly string[]>> = {
  schemas: ['common', 'index', 'lists', 'responses', 'stored'],
  'schemas/v2': ['bike', 'image'],
  'src/base': [
    'attempt', 'files', 'group', 'json-text', 'json', 'mask', 'memory', 'nearest', 'python', 'text', 'timers',
    'timestamps'
  ],
  'src/catalogue/authored': ['ajv', 'check', 'link', 'validators'],
  'src/catalogue': ['catalogue', 'files', 'images', 'live', 'load', 'schema-fields'],
  'src/catalogue/errors': ['error', 'source'],
  'src/http': [
    'authentication', 'body', 'errors', 'expires', 'forwarded', 'headers', 'log', 'negotiation', 'prefer', 'rate-limit',
    'stored', 'target', 'window-store'
  ],
  'src/lists': [
    'authentication', 'cache', 'compile', 'filter', 'ordering', 'page', 'reader', 'renderer', 'request',
    'resources', 'routes', 'serialise', 'strict', 'table'
  ],
  src: ['package'],
  'src/settings': ['limits', 'overlay-records']
}

test('a list is read and served by these files', async t => {
  const closure = closureOf(['src/lists/routes.ts', 'src/catalogue/load.ts'], file => staticImports.get(file))
  const expected = Object.entries(core).flatMap(([directory, names]) => names.map(name => `${directory}/${name}.ts`))
  const own = [...closure].filter(file => !file.startsWith('schemas/v1/')) // each list has a schema there
  t.same(own.sort(), expected.sort())
})

test('a start loads nothing that is seldom needed', async t => {
  // The build replaces both.
  const replaced = ['src/catalogue/authored/validators.ts', 'src/lists/serialisers.ts']
  const loaded = closureOf(['src/command/serve.ts'], file => {
    return replaced.includes(file) ? [] : importedBy(file, statementOfValue)
  })
  const seldom = [
    'src/simulation/', 'src/recorded/', 'src/verify/', 'src/pull/', 'src/diff/', 'src/lists/compile.ts',
    'src/catalogue/watch.ts', 'src/catalogue/authored/overlay.ts', 'src/catalogue/authored/validate.ts',
    'src/catalogue/errors/positions.ts', 'src/command/banner.ts', 'src/command/log-lines.ts', 'src/command/parent.ts',
    'src/http/metrics.ts', 'schemas/recording.ts'
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
