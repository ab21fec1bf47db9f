import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

const status = (pid: number | 'self') => readFileSync(`/proc/${pid}/status`, 'utf8')

/** Gives the CPUs that this process may use, in ascending order. */
function allowedCpus (): number[] {
  const [, list = ''] = /^Cpus_allowed_list:\s*(.+)$/m.exec(status('self')) ?? []
  return list.split(',').flatMap(range => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
}

/** Where processes run, as `taskset -c` takes it; undefined when they cannot be kept apart. */
export type Cpus = { server: string, load: string, all: string } | undefined

/** Moves this process, which makes the load, to a CPU of its own and says which ones are left for whom. */
export function keepApart (): Cpus {
  const cpus = allowedCpus()
  const load = cpus.at(-1)
  if (load === undefined || cpus.length === 1) return undefined
  const moved = spawnSync('taskset', ['-a', '-c', '-p', String(load), String(process.pid)])
  return moved.status === 0 ? { server: String(cpus[0]), load: String(load), all: cpus.join() } : undefined
}

/** What a process has had of the CPUs with all its threads, and how long it stood in line for them, in seconds (proc(5), schedstat). */
export function cpuSeconds (pid: number): { used: number, waited: number } {
  const threads = readdirSync(`/proc/${pid}/task`).map(thread => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' '))
  const sum = (field: 0 | 1) => threads.reduce((sum, fields) => sum + Number(fields[field]), 0) / 1e9
  return { used: sum(0), waited: sum(1) }
}

/** Gives the memory of a process in MB: what is resident now, and the most that ever was (proc(5), /proc/pid/status). */
export function memory (pid: number): { resident: number, peak: number } {
  const text = status(pid)
  const megabytes = (field: string) => Number(new RegExp(`^${field}:\\s*(\\d+) kB$`, 'm').exec(text)?.[1]) * 1024 / 1e6
  return { resident: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}
