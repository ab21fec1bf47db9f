import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertAlike, record, type Case } from './answers.ts'
import { compile } from './compile.ts'
import { figure, median, printHeading, printTable, progress, range, ratio, verdict } from './figures.ts'
import { load, type Served } from './load.ts'
import { cpuSeconds, type Cpus } from './machine.ts'
import { ours, start, type Running } from './process.ts'

const connections = 20
const warmUpSeconds = 2

type Plan = { cpus: Cpus, rounds: number, seconds: number }
type Round = Served & { cpuMicroseconds: number, busy: number }

/** Measures the lists and a 304 against a bare Fastify route that sends the same bytes and headers. */
export async function lists ({ cpus, rounds, seconds }: Plan): Promise<void> {
  printHeading('Lists', `${connections} connections, ${rounds} rounds of ${seconds} s a row after ${warmUpSeconds} s of warm-up; fresh processes each round, which take\nturns in being first. Medians; a ratio is the median of the ratios within a round.`)
  const directory = mkdtempSync(join(tmpdir(), 'bicycle-catalogue-'))
  try {
    const file = join(directory, 'answers.json')
    const cases = await recordTo(file)
    const bare = [compile('bare'), file]
    const results = cases.map((): [Round[], Round[]] => [[], []])

    for (let round = 0; round < rounds; round++) {
      const servers = await Promise.all([start(ours, cpus?.server), start(bare, cpus?.server)])
      await assertAlike(cases, servers[0].url, servers[1].url)
      for (const [index, measured] of cases.entries()) {
        progress(`lists: round ${round + 1} of ${rounds}, ${name(measured)}`)
        for (const place of round % 2 === 0 ? [0, 1] as const : [1, 0] as const) {
          results[index]?.[place].push(await measure(servers[place], measured, seconds))
        }
      }
      for (const server of servers) await server.stop()
    }
    progress('')
    printTable(
      ['', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs', 'CPU busy', 'rounds', 'target'],
      cases.flatMap((measured, index) => rows(measured, results[index] as [Round[], Round[]]))
    )
  } finally {
    rmSync(directory, { recursive: true })
  }
}

async function recordTo (file: string): Promise<Case[]> {
  const server = await start(ours)
  const { cases, recorded } = await record(server.url)
  writeFileSync(file, JSON.stringify(recorded))
  await server.stop()
  return cases
}

async function measure ({ url, pid }: Running, { target, headers }: Case, seconds: number): Promise<Round> {
  const asked = { url, headers, connections, target: () => target }
  await load({ ...asked, seconds: warmUpSeconds })
  const [before, from] = [cpuSeconds(pid), performance.now()]
  const served = await load({ ...asked, seconds })
  const used = cpuSeconds(pid) - before
  return { ...served, cpuMicroseconds: used / served.count * 1e6, busy: used / (performance.now() - from) * 1000 }
}

function name ({ target, status }: Case): string {
  return status === 200 ? `GET ${target}` : `GET ${target} with If-None-Match: ${status}`
}

function rows (measured: Case, [ours, bare]: [Round[], Round[]]): string[][] {
  const of = (rounds: Round[], field: keyof Round) => median(rounds.map(round => round[field]))
  const ratios = (field: keyof Round) => ours.map((round, index) => round[field] / (bare[index]?.[field] ?? NaN))
  const row = (rounds: Round[]) => [
    figure(of(rounds, 'perSecond')), figure(of(rounds, 'p50'), 2), figure(of(rounds, 'p99'), 2),
    figure(of(rounds, 'cpuMicroseconds'), 1), `${figure(of(rounds, 'busy') * 100)}%`
  ]
  const fields = ['perSecond', 'p50', 'p99', 'cpuMicroseconds'] as const
  const speed = ratios('perSecond')
  return [
    [name(measured)],
    ['  bicycle-catalogue', ...row(ours)],
    ['  bare Fastify', ...row(bare)],
    ['  ratio', ...fields.map(field => ratio(ratios(field))), '', range(speed), verdict(speed, measured)]
  ]
}
