import { join } from 'node:path'
import { figure, median, printHeading, printTable, progress, range, ratio, verdict } from './figures.ts'
import { compare, measure, recordTo, warmUpSeconds, type Pair } from './lists.ts'
import { ours, type Cpus } from './machine.ts'
import { start, withDirectory } from '../process.ts'

const request = { target: '/api/v1/bikes/', headers: {} }
const most = 1.05

type Plan = { cpus: Cpus, rounds: number, seconds: number }

/** Measures the cost of logging each response: in this server, and in a bare Fastify route that sends the same bytes. */
export async function log ({ cpus, rounds, seconds }: Plan): Promise<void> {
  printHeading('The log', `CPU time of GET ${request.target}, each answer logged, over that of the same server ` +
    `without a log;\n${rounds} rounds of ${seconds} s each. Logs go to /dev/null.`)
  await withDirectory(async directory => {
    const file = join(directory, 'answers.json')
    await recordTo(file)
    const bare = ['tools/bench/bare.js', file, '127.0.0.1']
    printTable(['', 'CPU µs', 'with a log', 'ratio', 'rounds', 'target'], [
      ['  bicycle-catalogue, --log-requests', ...await row(ours, '--log-requests', most)],
      ['  bare Fastify, its own logger', ...await row(bare, 'log')]
    ])
  })

  async function row (args: readonly string[], flag: string, most?: number): Promise<string[]> {
    const all: Pair[][] = []
    for (let round = 0; round < rounds; round++) {
      progress(`log: ${flag}, round ${round + 1} of ${rounds}`)
      const servers = await Promise.all([start([...args, flag], { cpus: cpus?.server, stderr: 'ignore' }), start(args, { cpus: cpus?.server })])
      for (const server of servers) await measure(server, request, warmUpSeconds)
      all.push(await compare(servers, request, seconds))
      for (const server of servers) await server.stop()
    }
    progress('')
    const used = (place: 0 | 1) => figure(median(all.flat().map(pair => pair[place].cpuMicroseconds)), 1)
    const ratios = (pairs: readonly Pair[]) => pairs.map(([logged, silent]) => logged.cpuMicroseconds / silent.cpuMicroseconds)
    const rest = most === undefined ? [] : [verdict(ratios(all.flat()), { most })]
    return [used(1), used(0), ratio(ratios(all.flat())), range(all.map(pairs => median(ratios(pairs)))), ...rest]
  }
}
