import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { attempt } from '../../src/base/attempt.ts'
import { typescript } from '../../test/run-script.ts'
import type { Change } from './changes.ts'

/** A function or a block of one, and how often it ran (`NODE_V8_COVERAGE` in Node's documentation); ts-blank-space keeps the offsets. */
type Range = { startOffset: number, endOffset: number, count: number }
type Report = { result: { url: string, functions: { ranges: Range[] }[] }[] }

/** A test file, its time, and the ranges of each source, of each process that loaded it. */
export type TestFile = { file: string, milliseconds: number, loaded: { source: string, ranges: Range[] }[] }

const notCopied = new Set(['.git', '.tap', 'dist', 'node_modules'])

/**
 * Limits a command to 4 GiB, because a change can make an endless loop, which would exhaust the memory before the timeout. The shell stays
 * the leader of the session, which a server must not be that ends with its parent.
 */
const bounded = ['-c', `ulimit -d ${4 * 2 ** 20}; "$0" "$@"; exit $?`]

/** Copies the project, without installed and generated files, into a directory, and returns the directory. */
export function copyProject (name: string): string {
  const folder = resolve('.tap/mutations', name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const entry of readdirSync('.')) if (!notCopied.has(entry)) cpSync(entry, join(folder, entry), { recursive: true })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  return folder
}

/** How long a test may print nothing, in milliseconds: longer than the longest test, shorter than an endless loop. */
const silence = 60_000

/** Runs test files in one process until one fails or prints nothing, and kills what they started; returns whether all passed. */
async function passes (copy: string, files: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<boolean> {
  if (files.length === 0) return true
  writeFileSync(join(copy, 'mutation.js'), files.map(file => `import './${file}'\n`).join(''))
  const child = spawn('sh', [...bounded, process.execPath, ...typescript, 'mutation.js'], {
    cwd: copy,
    detached: true, // leads a group of processes
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, TAP_TIMEOUT: '900', TZ: 'America/St_Johns', ...env } // the time zone of .taprc
  })
  const kill = () => { attempt(() => process.kill(-(child.pid as number), 'SIGKILL')) }
  const timer = setTimeout(kill, silence)
  process.once('exit', kill)
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    timer.refresh()
    if (/^ *not ok/m.test(text)) kill()
  })
  return await new Promise(resolve => child.on('exit', code => {
    clearTimeout(timer)
    process.off('exit', kill)
    kill()
    resolve(code === 0)
  }))
}

/** Runs a test file without a change and records the ranges of the sources it runs; undefined if it fails. */
export async function measure (copy: string, file: string): Promise<TestFile | undefined> {
  const reports = join(copy, 'coverage')
  rmSync(reports, { recursive: true, force: true })
  const started = performance.now()
  if (!await passes(copy, [file], { NODE_V8_COVERAGE: reports })) return undefined
  const root = `${pathToFileURL(copy)}/`
  const loaded = readdirSync(reports).flatMap(name => (JSON.parse(readFileSync(join(reports, name), 'utf8')) as Report).result)
    .filter(({ url }) => url.startsWith(`${root}src/`))
    .map(({ url, functions }) => ({ source: url.slice(root.length), ranges: functions.flatMap(({ ranges }) => ranges) }))
  return { file, milliseconds: performance.now() - started, loaded }
}

/** Returns whether a test file runs the innermost range around a change. */
function reaches ({ loaded }: TestFile, { file, start, end }: Change): boolean {
  return loaded.filter(({ source }) => source === file).some(({ ranges }) => {
    const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= start && end <= endOffset)
    const [innermost] = around.sort((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset))
    return innermost !== undefined && innermost.count > 0
  })
}

/** The number of test files that run first, because loading all takes longer than most changes need. */
const likely = 4

/** Returns whether a test fails with a change; runs only those that reach it, the likeliest first. */
export async function isNoticed (copy: string, change: Change, tests: readonly TestFile[]): Promise<boolean> {
  const { file, start, end, text } = change
  const isNamesake = (test: string) => test.includes(`/${basename(file, '.ts')}.`)
  const near = (test: string) => Number(isNamesake(test)) * 2 + Number(basename(dirname(test)) === basename(dirname(file)))
  const reached = tests.filter(test => reaches(test, change))
    .sort((a, b) => near(b.file) - near(a.file) || a.milliseconds - b.milliseconds)
    .map(({ file }) => file)
  const source = readFileSync(file, 'utf8')
  writeFileSync(join(copy, file), source.slice(0, start) + text + source.slice(end))
  const hasPassed = await passes(copy, reached.slice(0, likely)) && await passes(copy, reached.slice(likely))
  writeFileSync(join(copy, file), source)
  return !hasPassed
}
