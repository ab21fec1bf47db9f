import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { typescript } from '../../test/run-script.ts'
import type { Change } from './changes.ts'

/** V8's counts by offset (`NODE_V8_COVERAGE` in Node's documentation); ts-blank-space keeps the offsets of the sources. */
type Report = { result: { url: string, functions: { ranges: { startOffset: number, endOffset: number, count: number }[] }[] }[] }

/** A function by its lines in the source, counted from 1, with `true` if it was called. */
type Called = { first: number, last: number, isCalled: boolean }

/** A test file, its time, and the functions of each source that it calls. */
export type TestFile = { file: string, milliseconds: number, called: Map<string, Called[]> }

/** A copy of the project, with one changed source at a time. */
export type Copy = { folder: string }

const notCopied = new Set(['.git', '.tap', 'dist', 'node_modules'])

/** Limits a command to 4 GiB, because a change can make an endless loop, which would exhaust the memory before the timeout. */
const bounded = ['-c', `ulimit -d ${4 * 2 ** 20}; exec "$0" "$@"`]

/** Copies the project, without installed and generated files. */
export function copyProject (name: string): Copy {
  const folder = resolve('.tap/mutations', name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const entry of readdirSync('.')) if (!notCopied.has(entry)) cpSync(entry, join(folder, entry), { recursive: true })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  return { folder }
}

/** How long a test may print nothing, in milliseconds: longer than the longest test, shorter than an endless loop. */
const silence = 60_000

/** Runs test files in one process until one fails or prints nothing; returns whether all passed. */
function passes ({ folder }: Copy, files: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<boolean> {
  writeFileSync(join(folder, 'mutation.js'), files.map(file => `import './${file}'\n`).join(''))
  const child = spawn('sh', [...bounded, process.execPath, ...typescript, 'mutation.js'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, TAP_TIMEOUT: '900', TZ: 'America/St_Johns', ...env } // the time zone of .taprc
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), silence)
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    timer.refresh()
    if (/^ *not ok/m.test(text)) child.kill('SIGKILL')
  })
  return new Promise(resolve => child.on('close', code => {
    clearTimeout(timer)
    resolve(code === 0)
  }))
}

/** Runs a test file without a change and notes the functions that it calls; undefined if it fails. */
export async function measure (copy: Copy, file: string): Promise<TestFile | undefined> {
  const reports = join(copy.folder, 'coverage')
  rmSync(reports, { recursive: true, force: true })
  const started = performance.now()
  if (!await passes(copy, [file], { NODE_V8_COVERAGE: reports })) return undefined
  const called = new Map<string, Called[]>()
  for (const name of readdirSync(reports)) {
    const report = JSON.parse(readFileSync(join(reports, name), 'utf8')) as Report
    for (const { url, functions } of report.result) {
      if (!url.startsWith(`${pathToFileURL(copy.folder)}/src/`)) continue
      const path = fileURLToPath(url).slice(copy.folder.length + 1)
      const source = readFileSync(path, 'utf8')
      const lineOf = (offset: number) => source.slice(0, offset).split('\n').length
      const found = functions.flatMap(({ ranges: [whole] }) => whole === undefined
        ? []
        : [{ first: lineOf(whole.startOffset), last: lineOf(whole.endOffset - 1), isCalled: whole.count > 0 }])
      called.set(path, [...called.get(path) ?? [], ...found])
    }
  }
  return { file, milliseconds: performance.now() - started, called }
}

/** Returns whether a test file calls the innermost function around a line. */
function reaches ({ called }: TestFile, file: string, line: number): boolean {
  const around = (called.get(file) ?? []).filter(({ first, last }) => first <= line && line <= last)
  const least = Math.min(...around.map(({ first, last }) => last - first))
  return around.some(({ first, last, isCalled }) => isCalled && last - first === least)
}

/** Returns whether a test fails with a change; runs only those that reach it, the likeliest first. */
export async function isNoticed (copy: Copy, { file, start, end, text, line }: Change, tests: readonly TestFile[]): Promise<boolean> {
  const near = (test: TestFile) => Number(test.file.includes(`/${basename(file, '.ts')}.`)) * 2 + Number(basename(dirname(test.file)) === basename(dirname(file)))
  const reached = tests.filter(test => reaches(test, file, line)).sort((a, b) => near(b) - near(a) || a.milliseconds - b.milliseconds)
  const source = readFileSync(file, 'utf8')
  writeFileSync(join(copy.folder, file), source.slice(0, start) + text + source.slice(end))
  const hasPassed = await passes(copy, reached.map(({ file }) => file))
  writeFileSync(join(copy.folder, file), source)
  return !hasPassed
}
