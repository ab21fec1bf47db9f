import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'

// Runs the tests of each folder in one process, because what they share takes longer to load than most tests take.
const { values: { exclude = [], 'disable-coverage': uncovered = false } } = parseArgs({
  options: { exclude: { type: 'string', multiple: true }, 'disable-coverage': { type: 'boolean' } }
})

const output = '.tap/folders'
const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.test.ts'))
  .map(file => join('test', file).replaceAll('\\', '/'))
  .sort()
const folders = [...new Set(files.map(dirname))].filter(folder => !exclude.includes(folder))

function write (folder: string): string {
  const entry = join(output, `${folder.replaceAll('/', '-')}.js`)
  writeFileSync(entry, files.filter(file => dirname(file) === folder).map(file => `import '../../${file}'\n`).join(''))
  return entry
}

rmSync(output, { recursive: true, force: true })
mkdirSync(output, { recursive: true })
const { status } = spawnSync('tap', ['--timeout=300', ...uncovered ? ['--disable-coverage'] : [], ...folders.map(write)], {
  stdio: 'inherit',
  env: { ...process.env, PATH: `node_modules/.bin${delimiter}${process.env['PATH']}` }
})
process.exitCode = status ?? 1
