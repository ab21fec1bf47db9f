import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Change } from './changes.ts'

type Range = { startOffset: number, endOffset: number, count: number }
type Report = { result: { url: string, functions: { ranges: Range[] }[] }[] }

/** A test file, how long it takes, and what runs in each source while it does. */
export type TestFile = { file: string, milliseconds: number, ran: Map<string, Range[][]> }

const folder = '.tap/mutations'
const loader = ['--import', './scripts/loader/register.js']

/** Runs a command that may take 4 GiB: a change can make an endless loop, which would take the machine's memory before the time is over. */
const bounded = ['-c', `ulimit -d ${4 * 2 ** 20}; exec "$0" "$@"`]

/** Runs test files in one process until one fails or the time is over; whether all passed. */
function passes (name: string, files: readonly string[], milliseconds: number, env: NodeJS.ProcessEnv): Promise<boolean> {
  const entry = join(folder, `${name}.js`)
  writeFileSync(entry, files.map(file => `import '../../${file}'\n`).join(''))
  const child = spawn('sh', [...bounded, process.execPath, ...loader, entry], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, TAP_TIMEOUT: '900', ...env }
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds)
  child.stdout.setEncoding('utf8').on('data', (text: string) => { if (/^ *not ok/m.test(text)) child.kill('SIGKILL') })
  return new Promise(resolve => child.on('close', code => {
    clearTimeout(timer)
    resolve(code === 0)
  }))
}

/** Runs a test file as it is and notes what it reaches; undefined when it does not pass. */
export async function measure (file: string, place: number): Promise<TestFile | undefined> {
  const reports = resolve(folder, `coverage-${place}`)
  const started = performance.now()
  if (!await passes(`measured-${place}`, [file], 300_000, { NODE_V8_COVERAGE: reports })) return undefined
  const ran = new Map<string, Range[][]>()
  for (const report of readdirSync(reports)) {
    const { result } = JSON.parse(readFileSync(join(reports, report), 'utf8')) as Report
    for (const { url, functions } of result) if (url.includes('/src/')) ran.set(url, [...ran.get(url) ?? [], ...functions.map(({ ranges }) => ranges)])
  }
  rmSync(reports, { recursive: true })
  return { file, milliseconds: performance.now() - started, ran }
}

/** Whether a test file runs what stands at a place: of the ranges around it the innermost counts. */
function reaches ({ ran }: TestFile, url: string, place: number): boolean {
  const around = (ran.get(url) ?? []).flat().filter(({ startOffset, endOffset }) => startOffset <= place && place < endOffset)
  const [innermost] = around.sort((a, b) => (a.endOffset - a.startOffset) - (b.endOffset - b.startOffset))
  return innermost !== undefined && innermost.count > 0
}

/** Whether a test fails once a change is made; only those are run that reach it, the likeliest first. */
export async function isNoticed (change: Change, tests: readonly TestFile[], place: number): Promise<boolean> {
  const url = String(pathToFileURL(change.file))
  const near = ({ file }: TestFile) => Number(file.includes(`/${basename(change.file, '.ts')}.`)) * 2 + Number(basename(dirname(file)) === basename(dirname(change.file)))
  const reached = tests.filter(test => reaches(test, url, change.start)).sort((a, b) => near(b) - near(a) || a.milliseconds - b.milliseconds)
  const time = reached.reduce((sum, { milliseconds }) => sum + milliseconds, 30_000) * 2
  const { start, end, text } = change
  return !await passes(String(place), reached.map(({ file }) => file), time, { MUTATION: JSON.stringify({ url, start, end, text }) })
}

/** Begins with an empty folder for what is run. */
export function prepare (): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
}
