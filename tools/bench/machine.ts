import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const status = (pid: number | 'self') => readFileSync(`/proc/${pid}/status`, 'utf8')

/** Returns the CPUs that this process may use, in ascending order. */
function allowedCpus (): number[] {
  const [, list = ''] = /^Cpus_allowed_list:\s*(.+)$/m.exec(status('self')) ?? []
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
