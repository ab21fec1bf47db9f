import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assertAlike, record, type Case } from './answers.ts'
import { figure, median, printHeading, printTable, progress, range, ratio, verdict } from './figures.ts'
import { connections, countInstructions } from './instructions.ts'
import { load, type Served } from './load.ts'
import type { Cpus } from './machine.ts'
import { command, type Running, cpuSeconds, start, temporaryDirectory } from '../process.ts'

const warmUpSeconds = 2
/** The speed of a machine changes from second to second, so the two servers alternate faster than that. */
const turnSeconds = 0.25

/** The most time that a server may wait for its CPU, as a share of a round; slower rounds are discarded. */
const mostWaiting = 0.1

type Plan = { cpus: Cpus, rounds: number, seconds: number, host: string, instructions: boolean }
type Turn = Served & { cpuMicroseconds: number, waiting: number }

/** Alternating results of ours and of the bare one. */
type Pair = [first: Turn, second: Turn]

/** Measures lists, an image and errors against a bare route with a rate limit and the same bytes and headers. */
export async function lists (plan: Plan): Promise<void> {
  const { host, instructions } = plan
  const groups: Group[] = []
  for (const limit of [1_000_000, 1]) {
    const file = join(temporaryDirectory(), 'answers.json')
    const limits = ['--rate-limit-v1', String(limit), '--rate-limit-v2', String(limit)]
    const own = [command, '--port', '0', ...limits, '--tokens', 'bench', '--compress', 'on']
    const server = await start(own, { stderr: 'pipe' })
    const { cases, recorded } = await record(server.url, limit === 1)
    writeFileSync(file, JSON.stringify(recorded))
    await server.stop()
    const served = [...own, '--host', host]
    groups.push({ cases, commands: [served, ['tools/bench/bare.js', file, host, String(limit)]] })
    if (limit === 1) continue
    const plain = cases.filter(({ target, headers }) => simulated.has(target) && Object.keys(headers).length === 0)
    const simulating = plain.map(measured => ({ ...measured, least: 1 / mostOfSimulation, isSimulated: true }))
    groups.push({ cases: simulating, commands: [[...served, '--simulate'], served] })
  }
  if (instructions) await compareInstructions(groups)
  else await compareTimes(groups, plan)
}

/** The most that a plain request costs with --simulate, in times of one without. */
const mostOfSimulation = 1.2

const simulated = new Set(['/api/v1/bikes/', '/api/v1/bikes/?page=2'])

type Group = { cases: readonly Case[], commands: Commands }
type Commands = readonly [ours: readonly string[], bare: readonly string[]]

/** Prints the instructions of a request; they vary less than CPU time on a busy machine. */
async function compareInstructions (groups: readonly Group[]): Promise<void> {
  printHeading('Lists', `Instructions of a request on ${connections} connections, ` +
    'as Valgrind counts them: the median of batches.\n' +
    'A ratio is those of the bare route over ours.')
  const table: string[][] = []
  for (const { cases, commands: [ours, bare] } of groups) {
    progress('lists: counting the instructions of this server, for some minutes')
    const own = await countInstructions(ours, cases)
    progress('lists: counting the instructions of the bare route, for some minutes')
    const others = await countInstructions(bare, cases)
    progress('')
    for (const [index, measured] of cases.entries()) {
      const counts = [own[index] ?? NaN, others[index] ?? NaN] as const
      const ratios = [counts[1] / counts[0]]
      table.push([name(measured), figure(counts[0]), figure(counts[1]), ratio(ratios), verdict(ratios, measured)])
    }
  }
  printTable(['', 'bicycle-catalogue', 'bare Fastify with a rate limit', 'ratio', 'target'], table)
}

async function compareTimes (groups: readonly Group[], plan: Plan): Promise<void> {
  const { rounds, seconds } = plan
  printHeading('Lists', `${connections} connections, ${rounds} rounds of ${seconds} s each a row ` +
    `after ${warmUpSeconds} s of warm-up with each of them; fresh processes each\nround, ` +
    `which take turns of ${turnSeconds} s. Medians; a ratio is the median of the ratios ` +
    'of two turns. By CPU: CPU time a request of\nthe bare route over ours.')
  for (const group of groups) {
    const table = await compareGroup(group, plan)
    printTable(['', 'requests/s', 'CPU µs', 'by CPU', 'rounds', 'target'], table)
  }
}

async function compareGroup ({ cases, commands }: Group, { cpus, rounds, seconds }: Plan): Promise<string[][]> {
  const results = cases.map((): Pair[][] => [])
  for (let round = 0; round < rounds; round++) {
    const title = `lists: round ${round + 1} of ${rounds}`
    const servers = await startBoth(commands, cpus)
    if (cases[0]?.isSimulated !== true) await assertAlike(cases, servers[0].url, servers[1].url)
    progress(`${title}, warming up`)
    for (const measured of cases) for (const server of servers) await measure(server, measured, warmUpSeconds)
    for (const [index, measured] of cases.entries()) {
      progress(`${title}, ${name(measured)}`)
      results[index]?.push(await compare(servers, measured, seconds))
    }
    for (const server of servers) await server.stop()
  }
  progress('')
  return cases.flatMap((measured, index) => rows(measured, results[index] as Pair[][]))
}

async function startBoth ([ours, bare]: Commands, cpus: Cpus): Promise<readonly [Running, Running]> {
  const measuring = ['--import', './tools/bench/next-tick.js']
  const begin = (command: readonly string[]) => {
    return start([...measuring, ...command], { cpus: cpus?.server, stderr: 'pipe' })
  }
  return await Promise.all([begin(ours), begin(bare)])
}

/** Sends the same requests to two servers alternately; the second is the baseline. */
async function compare (
  [first, second]: readonly [Running, Running], measured: Case, seconds: number
): Promise<Pair[]> {
  const pairs: Pair[] = []
  while (pairs.length * turnSeconds < seconds) {
    const turn = (server: Running) => measure(server, measured, turnSeconds)
    if (pairs.length % 2 === 0) pairs.push([await turn(first), await turn(second)])
    else pairs.push([await turn(second), await turn(first)].reverse() as Pair)
  }
  return pairs
}

async function measure (
  { url, pid }: Running, { target, headers, status }: Case, seconds: number
): Promise<Turn> {
  const [before, from] = [cpuSeconds(pid), performance.now()]
  const served = await load({ url, status, headers, connections, target: () => target, seconds })
  const [after, elapsed] = [cpuSeconds(pid), (performance.now() - from) / 1000]
  const used = after.used - before.used
  return { ...served, cpuMicroseconds: used / served.count * 1e6, waiting: (after.waited - before.waited) / elapsed }
}

function name ({ target, headers, status, isSimulated }: Case): string {
  const values = Object.values(headers).filter(value => status === 200 && value !== 'Token bench')
  const how = isSimulated === true ? ['with --simulate, and without'] : []
  return [`GET ${target}`, ...values, ...status === 200 ? [] : [status], ...how].join(', ')
}

function rows (measured: Case, rounds: readonly Pair[][]): string[][] {
  const pairs = rounds.flat()
  const of = (place: 0 | 1, field: keyof Turn) => median(pairs.map(pair => pair[place][field]))
  const row = (place: 0 | 1) => [figure(of(place, 'perSecond')), figure(of(place, 'cpuMicroseconds'), 1)]
  const byCpu = (pairs: readonly Pair[]) => pairs.map(([ours, bare]) => bare.cpuMicroseconds / ours.cpuMicroseconds)
  const waiting = Math.max(of(0, 'waiting'), of(1, 'waiting'))
  return [
    [name(measured)],
    ['  bicycle-catalogue', ...row(0)],
    [measured.isSimulated === true ? '  without --simulate' : '  bare Fastify with a rate limit', ...row(1)],
    [
      '  ratio', '', '', ratio(byCpu(pairs)), range(rounds.map(pairs => median(byCpu(pairs)))),
      waiting > mostWaiting ? `${figure(waiting * 100)}% waiting: no verdict` : verdict(byCpu(pairs), measured)
    ]
  ]
}
