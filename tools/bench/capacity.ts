import { dataDirectory } from '../../src/package.ts'
import { ask } from './answers.ts'
import { figure, printHeading, printTable, progress } from './figures.ts'
import { generated } from './large.ts'
import { load } from './load.ts'
import { ours, type Cpus } from './machine.ts'
import { cpuSeconds, memoryOf, start } from '../process.ts'

const connections = 20
const path = '/api/v1/bikes/'

const padded = (n: number) => String(n).padStart(9, '0')

/** Pages as most clients request them, and pages with queries that never repeat, so that they are never cached. */
const requests = {
  cached: () => `${path}?page=2`,
  made: (n: number) => `${path}?page=2&n=${padded(n)}`,
  browsable: (n: number) => `${path}?format=api&page=2&n=${padded(n)}`
}

type Plan = { cpus: Cpus, seconds: number, bikes: number }

/** Measures the requests per second of CPU time, and the memory, of one process with catalogues of three sizes. */
export async function capacity ({ cpus, seconds, bikes }: Plan): Promise<void> {
  printHeading('Capacity', `Pages of 10 bikes for ${seconds} s each, cached ones on ${connections} connections, ` +
    'others on one; requests in a second of CPU time. Memory: resident before and after the requests, and the peak.')
  const rows: string[][] = []
  const measure = async (count: string, directory: string) => {
    progress(`capacity: ${count} bikes`)
    const server = await start([...ours, '--data', directory], { cpus: cpus?.server })
    await ask(`${server.url}${path}?page=1`)
    const before = memoryOf(server.pid).resident
    const perSecond = async (target: (n: number) => string, connections: number, headers = {}) => {
      const { used } = cpuSeconds(server.pid)
      const { count } = await load({ url: server.url, status: 200, target, headers, connections, seconds })
      return figure(count / (cpuSeconds(server.pid).used - used))
    }
    const cached = await perSecond(requests.cached, connections)
    const made = await perSecond(requests.made, 1)
    const browsable = await perSecond(requests.browsable, 1, { accept: 'text/html' })
    const { resident, peak } = memoryOf(server.pid)
    rows.push([`  ${count}`, cached, made, browsable, figure(before), figure(resident), figure(peak)])
    await server.stop()
  }
  await measure('48', dataDirectory)
  for (const count of [5000, bikes]) await measure(figure(count), await generated(count))
  progress('')
  printTable(['bikes', 'cached/s', 'not cached/s', 'browsable/s', 'MB', 'MB after', 'MB at its peak'], rows)
}
