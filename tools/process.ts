import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** A process that has announced itself as ready. */
export type Running = {
  url: string
  port: number
  pid: number
  /** When it was spawned, on the clock of `performance.now()`. */
  startedAt: number
  /** The last lines of its stderr, if that is piped. */
  log: string[]
  /** The exit code, or the name of the signal that ended it. */
  exited: Promise<number | string>
  signal: (name: NodeJS.Signals) => void
  /** Kills it. */
  stop: () => Promise<void>
}

type How = {
  /** The CPUs that it may use, in the form of `taskset -c`. */
  cpus?: string | undefined
  /** The command that runs Node, such as a profiler. */
  under?: readonly string[]
  stderr?: 'pipe' | 'inherit'
}

/** The command, as built by `npm run build`. */
export const command = 'dist/cli.js'

/** The most lines of a log in memory. */
const linesKept = 1000

const children = new Set<ChildProcess>()
process.on('exit', () => { for (const child of children) child.kill('SIGKILL') })

/** Kills a child when this process exits for any reason. */
export function kept<T extends ChildProcess> (child: T): T {
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

/** Starts a Node process and waits for its first line, a JSON object with its `url`. Throws if it exits before. */
export async function start (args: readonly string[], how: How = {}): Promise<Running> {
  const { cpus, under = [], stderr = 'inherit' } = how
  const stdio: StdioOptions = ['ignore', 'pipe', stderr]
  // tap sets NODE_OPTIONS, which would load its modules into every process of a test.
  const pinned = cpus === undefined ? [] : ['taskset', '-c', cpus]
  const node = ['-u', 'NODE_OPTIONS', ...pinned, ...under, process.execPath, ...args]
  const startedAt = performance.now()
  const child = kept(spawn('env', node, { stdio }))
  const exited = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string)
  const log: string[] = []
  if (child.stderr !== null) {
    createInterface(child.stderr).on('line', line => {
      log.push(line)
      if (log.length > linesKept) log.shift()
    })
  }
  const line = await Promise.race([once(createInterface(child.stdout as Readable), 'line'), exited])
  if (!Array.isArray(line)) {
    const output = log.join('\n').slice(0, 1000)
    throw new Error(`${args.join(' ')} ended with ${line} before it was ready: ${output}`)
  }
  const { url } = JSON.parse(String(line[0])) as { url: string }
  return {
    url,
    port: URL.canParse(url) ? Number(new URL(url).port) : 0,
    pid: child.pid as number,
    startedAt,
    log,
    exited,
    signal: name => { child.kill(name) },
    async stop () {
      child.kill('SIGKILL')
      await exited
    }
  }
}

/** Starts the command on a free port and reads its log, unless that is redirected. */
export function startServer (flags: readonly string[]): Promise<Running> {
  return start([command, '--port', '0', ...flags], { stderr: 'pipe' })
}

/** Returns a free port of this machine. */
export async function freePort (): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Makes an empty directory that is removed when this process exits. */
export function temporaryDirectory (): string {
  const directory = mkdtempSync(join(tmpdir(), 'bicycle-catalogue-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Returns the kind of a flag that selects some of the parts of a run, which keep their order. */
export const partsOf = <Name extends string>(names: readonly Name[]) => ({
  expects: `a comma list of ${names.join(', ')}`,
  read: (text: string) => {
    const wanted = text.split(',')
    const hasAll = wanted.every(name => names.some(known => known === name))
    return hasAll ? names.filter(name => wanted.includes(name)) : undefined
  }
})

/** Returns the memory of a process in MB: resident now, and the peak (proc(5), /proc/pid/status). */
export function memoryOf (pid: number): { resident: number, peak: number } {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (field: string) => Number(new RegExp(`^${field}:\\s*(\\d+) kB$`, 'm').exec(text)?.[1]) * 1024 / 1e6
  return { resident: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}

/** Returns the CPU time that all threads of a process have used and waited for, in seconds (proc(5), schedstat). */
export function cpuSeconds (pid: number): { used: number, waited: number } {
  const threads = readdirSync(`/proc/${pid}/task`).map(thread => {
    return readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
  })
  const sum = (field: 0 | 1) => threads.reduce((sum, fields) => sum + Number(fields[field]), 0) / 1e9
  return { used: sum(0), waited: sum(1) }
}

/** Returns the lines of a log that are errors, or no log entries. */
export function wrongLines (log: readonly string[]): string[] {
  return log.filter(line => !/^\{"level":[1-4]0,/.test(line))
}
