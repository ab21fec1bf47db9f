import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { CatalogueErrors, errorLine } from '../src/catalogue/errors/error.ts'
import { built } from '../test/built.ts'

// Runs all tests, or given files and directories, in a few processes: loading the server and its tools takes longer
// than most tests. Files whose tests need signals, links, named pipes or a POSIX shell are left out on Windows;
// coverage is complete on Linux only.
const processes = 3

/** The files that take longest; the time of the others grows with their size. */
const slowest = ['test/verify/faults.test.ts', 'test/django/sites.test.ts', 'test/docs.test.ts']
const costOf = (file: string) => statSync(file).size * (slowest.includes(file) ? 1000 : 1)

const { platform } = process
const posix = /\bSIG(?:HUP|INT|TERM)\b|symlink|mkfifo|\/dev\/|'(?:sh|bash|chmod|npm)'/

const { values: { 'disable-coverage': uncovered = false }, positionals } = parseArgs({
  options: { 'disable-coverage': { type: 'boolean' } },
  allowPositionals: true
})

// Almost every test needs these: a broken file is one error here, rather than one in each test.
try {
  await import('../test/helper.ts')
} catch (error) {
  const isOfData = error instanceof CatalogueErrors
  const reason = isOfData ? error.errors.map(errorLine).join('\n') : (error as Error).message
  console.error(`No test can run: ${reason}`)
  process.exit(1)
}

const isGiven = (file: string) =>
  positionals.length === 0 || positionals.some(path => file === path || file.startsWith(`${path}/`))

const output = '.tap/processes'
const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map(file => `test/${file.replaceAll('\\', '/')}`)
  .filter(file => file.endsWith('.test.ts') && isGiven(file))
  .filter(file => platform !== 'win32' || !posix.test(readFileSync(file, 'utf8')))
  .sort((a, b) => costOf(b) - costOf(a))

// Removes the output of a run that was killed.
for (const folder of [output, '.tap/built']) rmSync(folder, { recursive: true, force: true })
mkdirSync(output, { recursive: true })
const entries = Array.from({ length: processes }, (_, index) => `${output}/${index + 1}.js`)
for (const [index, entry] of entries.entries()) {
  const own = files.filter((_, at) => at % processes === index)
  writeFileSync(entry, ['test/clock.ts', 'test/limit.ts', ...own].map(file => `import '../../${file}'\n`).join(''))
}
// Windows starts no scripts of node_modules/.bin.
const tap = fileURLToPath(new URL('../node_modules/tap/dist/esm/run.mjs', import.meta.url))
const flags = uncovered || platform !== 'linux' ? ['--timeout=0', '--disable-coverage'] : ['--timeout=0']
const { status } = spawnSync(process.execPath, [tap, ...flags, ...entries], {
  stdio: 'inherit',
  env: { ...process.env, BUILT: built() }
})
process.exitCode = status ?? 1
