import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { built } from '../test/built.ts'

// Runs all tests in a few processes, because what they share takes longer to load than most tests take.
const processes = 3

const { values: { exclude = [], 'disable-coverage': uncovered = false } } = parseArgs({
  options: { exclude: { type: 'string', multiple: true }, 'disable-coverage': { type: 'boolean' } }
})

const output = '.tap/processes'
const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.test.ts'))
  .map(file => join('test', file).replaceAll('\\', '/'))
  .filter(file => !exclude.includes(dirname(file)))
  .sort((a, b) => statSync(b).size - statSync(a).size)

/** Files of one size take about as long as each other, so they are dealt out like cards. */
function write (_: unknown, index: number): string {
  const entry = join(output, `${index + 1}.js`)
  writeFileSync(entry, files.filter((_, at) => at % processes === index).map(file => `import '../../${file}'\n`).join(''))
  return entry
}

for (const folder of [output, '.tap/built']) rmSync(folder, { recursive: true, force: true }) // what a run that was killed has left
mkdirSync(output, { recursive: true })
spawn(process.execPath, ['scripts/loader/ahead.js'], { stdio: 'inherit' }) // works while the bundle is made
const { status } = spawnSync('tap', ['--timeout=600', ...uncovered ? ['--disable-coverage'] : [], ...Array.from({ length: processes }, write)], {
  stdio: 'inherit',
  env: { ...process.env, BUILT: built(), PATH: `node_modules/.bin${delimiter}${process.env['PATH']}` }
})
process.exitCode = status ?? 1
