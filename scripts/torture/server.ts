import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** A server in a process of its own. */
export type Server = {
  port: number
  pid: number
  /** What it wrote to its log so far, a line each; the last ones where there are many. */
  log: string[]
  /** How many bytes of log there were. */
  logged: () => number
  /** The exit code, or the name of the signal that ended it. */
  exited: Promise<number | string>
  signal: (name: NodeJS.Signals) => void
  stop: () => Promise<void>
}

/** Where the command is; it is built before. */
export const command = 'dist/cli.js'

const children = new Set<ChildProcess>()
process.on('exit', () => { for (const child of children) child.kill('SIGKILL') })

/** Keeps a child so that it ends with this process, however that ends. */
export function kept<T extends ChildProcess> (child: T): T {
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

/** How many lines of a log are kept. */
const linesKept = 1000

/** Starts a server on a free port; its log is read unless it is given somewhere else to go. */
export async function startServer (flags: readonly string[], stderr: 'pipe' | number = 'pipe'): Promise<Server> {
  const stdio: StdioOptions = ['ignore', 'pipe', stderr]
  // A test runner has its own modules loaded by every process that a test starts.
  const child = kept(spawn('env', ['-u', 'NODE_OPTIONS', process.execPath, command, '--port', '0', ...flags], { stdio }))
  const exited = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string)
  const log: string[] = []
  let logged = 0
  if (child.stderr !== null) {
    createInterface(child.stderr).on('line', line => {
      logged += line.length + 1
      log.push(line)
      if (log.length > linesKept) log.shift()
    })
  }
  const line = await Promise.race([once(createInterface(child.stdout as Readable), 'line'), exited])
  if (!Array.isArray(line)) throw new Error(`the server ended with ${line} before it was ready: ${log.join('\n').slice(0, 1000)}`)
  return {
    port: (JSON.parse(String(line[0])) as { port: number }).port,
    pid: child.pid as number,
    log,
    logged: () => logged,
    exited,
    signal: name => { child.kill(name) },
    async stop () {
      child.kill('SIGKILL')
      await exited
    }
  }
}

/** How many descriptors a process has open. */
export function descriptorsOf (pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

/** The memory that a process has resident, in MB. */
export function residentOf (pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

/** The CPU time of a process's first thread, which is the one that answers, in milliseconds. */
export function cpuOf (pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
}

/** The lines of a log that say that the server itself went wrong: errors, and what is no entry. */
export function wrongLines (log: readonly string[]): string[] {
  return log.filter(line => {
    const [, level] = /^\{"level":(\d+)/.exec(line) ?? []
    return level === undefined || Number(level) >= 50
  })
}
