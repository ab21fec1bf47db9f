import { spawnSync } from 'node:child_process'
import { Agent, get } from 'node:http'
import { figure, median, printHeading, printTable, progress, ratio, verdict } from './figures.ts'
import { filterCases } from './filter-cases.ts'
import { withLargeCatalogue } from './large.ts'
import type { Cpus } from './machine.ts'
import { start } from '../process.ts'
import { ours } from './ours.ts'

const times = 40

/** The most for a page, in milliseconds. */
const most = 50

/** Measures uncached pages, filtered and ordered, against Array.filter over the same records. */
export async function filters ({ cpus, bikes }: { cpus: Cpus, bikes: number }): Promise<void> {
  printHeading(`${figure(bikes)} bikes: filters`, `${times} filters of a kind, no two alike, each requested once over HTTP: select, order, page of 10, serialise.\nAgainst Array.filter alone, without order or page. Medians of ms.`)
  await withLargeCatalogue(bikes, async directory => {
    const plain = JSON.parse(spawnSync(process.execPath, ['--import', 'ts-blank-space/register', 'tools/bench/plain-filter.ts', directory, String(times)], { encoding: 'utf8' }).stdout) as { measured: number[][] }
    const server = await start([...ours, '--data', directory, '--tokens', 'bench'], { cpus: cpus?.server })
    const pages = filterCases.map((): number[] => [])
    for (let n = 0; n < times; n++) {
      progress(`filters: ${n + 1} of ${times}`)
      for (const [index, { query }] of filterCases.entries()) pages[index]?.push(await timeOf(`${server.url}/api/v2/bikes/?page=1&${query(n)}`))
    }
    const rows = filterCases.map(({ name }, index) => {
      const [own, filtered] = [pages[index] as number[], plain.measured[index] as number[]]
      const ratios = own.map((time, n) => time / (filtered[n] as number))
      return [`  ${name}`, figure(median(own), 2), figure(median(filtered), 2), ratio(ratios), verdict(own, { most })]
    })
    progress('')
    await server.stop()
    printTable(['filter', 'page', 'Array.filter', 'ratio', 'page ms'], rows)
  })
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

function timeOf (url: string): Promise<number> {
  const from = performance.now()
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: 'Token bench' } }, response => {
      if (response.statusCode !== 200) reject(new Error(`${url} is ${response.statusCode}`))
      response.resume().on('end', () => resolve(performance.now() - from))
    }).on('error', reject)
  })
}
