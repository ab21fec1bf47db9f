import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { attempt } from '../src/base/attempt.ts'

/** Writes generated files, and removes those without content; --check only lists outdated files, and fails for any. */
export function writeFiles (files: ReadonlyMap<string, string | undefined>, command: string): void {
  const isCheck = process.argv.includes('--check')
  for (const [path, text] of files) {
    if (attempt(() => readFileSync(path, 'utf8')).value === text) continue
    console.error(`${path} ${isCheck ? `is stale. Write it anew: ${command}` : 'was stale'}`)
    if (isCheck) process.exitCode = 1
    else if (text === undefined) rmSync(path)
    else {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
  }
}

/** Returns a table in Markdown. */
export function table (heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)].join('\n')
}
