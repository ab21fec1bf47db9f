import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { command } from '../process.ts'

/** The arguments of a measured server: its defaults, with a rate limit that is never reached. */
export const ours = [command, '--port', '0', '--rate-limit-v1', '1000000']

/** Returns the CPUs that this process may use, in ascending order. */
function allowedCpus (): number[] {
  const [, list = ''] = /^Cpus_allowed_list:\s*(.+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return list.split(',').flatMap(range => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
}

/** CPUs of processes in the form of `taskset -c`; undefined when there are too few to separate them. */
export type Cpus = { server: string, load: string, all: string } | undefined

/** Moves this process, which generates the load, to its own CPU and returns the CPUs of the servers. */
export function keepApart (): Cpus {
  const cpus = allowedCpus()
  const load = cpus.at(-1)
  if (load === undefined || cpus.length === 1) return undefined
  const moved = spawnSync('taskset', ['-a', '-c', '-p', String(load), String(process.pid)])
  return moved.status === 0 ? { server: String(cpus[0]), load: String(load), all: cpus.join() } : undefined
}
