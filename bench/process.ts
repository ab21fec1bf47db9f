import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A process that was started and has said that it is ready. */
export type Running = {
  url: string
  pid: number
  /** When it was spawned, on the clock of `performance.now()`. */
  startedAt: number
  stop: () => Promise<void>
}

/** The arguments that start this server for a measurement: with its defaults, but for an allowance that lasts. */
export const ours = ['dist/cli.js', '--port', '0', '--rate-limit-v1', '1000000']

/** Starts a Node process on the given CPUs and waits for its first line, a JSON object with the `url` it listens on. */
export async function start (args: readonly string[], cpus?: string, stderr: 'inherit' | 'ignore' = 'inherit'): Promise<Running> {
  const node = [process.execPath, ...args]
  const [command = '', ...rest] = cpus === undefined ? node : ['taskset', '-c', cpus, ...node]
  const startedAt = performance.now()
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', stderr] })
  const exited = once(child, 'exit')
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)

  const lines = createInterface(child.stdout)
  const line = await Promise.race([once(lines, 'line'), exited.then(() => { throw new Error(`${args.join(' ')} ended before it was ready`) })])
  const { url } = JSON.parse(String(line[0])) as { url: string }
  return {
    url,
    pid: child.pid as number,
    startedAt,
    async stop () {
      process.removeListener('exit', kill)
      kill()
      await exited
    }
  }
}
