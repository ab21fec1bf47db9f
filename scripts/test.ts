import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

// Runs the test files that are named, a process each, or all of them, a process for each folder: what they share is loaded once.
const folder = '.tap/folders'
const path = ['node_modules/.bin', process.env['PATH']].join(delimiter)

function run (...args: string[]): void {
  process.exitCode = spawnSync('tap', args, { stdio: 'inherit', env: { ...process.env, PATH: path } }).status ?? 1
}

function folders (): string[] {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.test.ts')).sort()
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return [...new Set(files.map(dirname))].map(room => {
    const entry = join(folder, `${room.replaceAll(/\W/g, '-')}.js`)
    writeFileSync(entry, files.filter(file => dirname(file) === room).map(file => `import '../../test/${file.replaceAll('\\', '/')}'\n`).join(''))
    return entry
  })
}

const given = process.argv.slice(2)
if (given.length > 0) run(...given)
else run('--timeout=300', ...folders())
