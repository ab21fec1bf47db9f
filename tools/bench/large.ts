import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeCatalogue } from '../../src/generate/command.ts'
import { dataDirectory } from '../../src/package.ts'
import { ask } from './answers.ts'
import { figure, median, printHeading, printTable, progress, range, ratio, verdict } from './figures.ts'
import { load, type Served } from './load.ts'
import type { Cpus } from './machine.ts'
import { type Running, cpuSeconds, memoryOf, start } from '../process.ts'
import { ours } from './ours.ts'

/** The data folders that the server reads. */
const foldersRead = ['v1', 'v2', 'media']

const path = '/api/v1/bikes/'
/** The most for 100,000 bikes: seconds until the first answer, MB, and how much longer a page takes than one of the bundled data. */
const targets = { most: { time: 8, cpu: undefined, peak: 1_500, resident: undefined }, mostForPage: 1.5 }

type Plan = { cpus: Cpus, rounds: number, seconds: number, bikes: number }
type Run = { time: number, cpu: number, peak: number, resident: number }

/**
 * Measures the server with a generated catalogue: its start against parsing the same files, its pages against those of the bundled data.
 */
export async function large ({ cpus, rounds, seconds, bikes }: Plan): Promise<void> {
  await withGenerated(bikes, async directory => {
    await compareStart(directory, cpus, rounds, bikes)
    await comparePages(directory, cpus, rounds, seconds, bikes)
  })
}

/** Calls a function with a generated data directory and removes it afterwards. */
export async function withGenerated (bikes: number, measure: (directory: string) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'bicycle-catalogue-'))
  const remove = () => rmSync(directory, { recursive: true, force: true })
  process.once('exit', remove)
  progress(`generating ${figure(bikes)} bikes`)
  await writeCatalogue(dataDirectory, directory, { bikes, seed: 1 })
  spawnSync('sync')
  await measure(directory)
  process.removeListener('exit', remove)
  remove()
}

async function compareStart (directory: string, cpus: Cpus, rounds: number, bikes: number): Promise<void> {
  printHeading(`${figure(bikes)} bikes: start`, `From spawning the process to the end of ${path}?page=1, against a process that only parses the same files\n(${foldersRead.join(', ')}); ${rounds} runs of each in turn, on all CPUs. Medians.`)
  const files = foldersRead.flatMap(folder => readdirSync(join(directory, folder)).filter(file => file.endsWith('.json')).map(file => join(directory, folder, file)))
  const parse = ['tools/bench/parse.js', ...files]
  const [own, parsed]: [Run[], Run[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    progress(`large: start ${round + 1} of ${rounds}`)
    // The first of two is faster, so they alternate.
    if (round % 2 === 1) parsed.push(await run(parse, cpus))
    own.push(await run([...ours, '--data', directory], cpus))
    if (round % 2 === 0) parsed.push(await run(parse, cpus))
  }
  progress('')
  const fields = ['time', 'cpu', 'peak', 'resident'] as const
  const row = (runs: Run[]) => fields.map(field => figure(median(runs.map(run => run[field])), field === 'time' || field === 'cpu' ? 2 : 0))
  const ratios = (field: keyof Run) => own.map((run, index) => run[field] / (parsed[index]?.[field] ?? NaN))
  printTable(['', 'first answer s', 'CPU s', 'peak MB', 'resident MB'], [
    ['  bicycle-catalogue', ...row(own)],
    ['  reading and JSON.parse', ...row(parsed)],
    ['  ratio', ...fields.map(field => ratio(ratios(field)))],
    ['  runs', ...fields.map(field => range(ratios(field)))],
    ['  target', ...fields.map(field => targets.most[field] === undefined ? '' : verdict(own.map(run => run[field]), { most: targets.most[field] }))]
  ])
}

async function run (args: readonly string[], cpus: Cpus): Promise<Run> {
  const started = await start(args, { cpus: cpus?.all })
  if (started.url !== '') await ask(`${started.url}${path}?page=1`)
  const time = (performance.now() - started.startedAt) / 1000
  const used = { cpu: cpuSeconds(started.pid).used, ...memoryOf(started.pid) }
  await started.stop()
  return { time, ...used }
}

const pages = [
  { name: 'the same page again', target: () => `${path}?page=2` },
  { name: 'a page that is not cached', target: (n: number) => `${path}?page=2&n=${String(n).padStart(8, '0')}` }
]

async function comparePages (directory: string, cpus: Cpus, rounds: number, seconds: number, bikes: number): Promise<void> {
  printHeading(`${figure(bikes)} bikes: a page`, `One connection, after the first answer, against the own catalogue; ${rounds} rounds of ${seconds} s in turn. Medians.`)
  const [many, few] = await Promise.all([start([...ours, '--data', directory], { cpus: cpus?.server }), start(ours, { cpus: cpus?.server })])
  for (const { url } of [many, few]) await ask(`${url}${path}?page=1`)
  for (const { name, target } of pages) {
    const results: [Served[], Served[]] = [[], []]
    let sent = 0
    const measure = async ({ url }: Running, seconds: number): Promise<Served> => {
      const from = sent
      const served = await load({ url, target: n => target(from + n), connections: 1, seconds })
      sent += served.count + 1
      return served
    }
    for (const server of [many, few]) await measure(server, 1)
    for (let round = 0; round < rounds; round++) {
      progress(`large: ${name}, round ${round + 1} of ${rounds}`)
      results[0].push(await measure(many, seconds))
      results[1].push(await measure(few, seconds))
    }
    progress('')
    const row = (served: Served[]) => [figure(median(served.map(({ p50 }) => p50)), 3), figure(median(served.map(({ p99 }) => p99)), 3)]
    const ratios = (field: 'p50' | 'p99') => results[0].map((served, index) => served[field] / (results[1][index]?.[field] ?? NaN))
    printTable([name, 'p50 ms', 'p99 ms', 'rounds', 'target'], [
      [`  ${figure(bikes)} bikes`, ...row(results[0])],
      ['  own catalogue', ...row(results[1])],
      ['  ratio', ratio(ratios('p50')), ratio(ratios('p99')), range(ratios('p50')), verdict(ratios('p50'), { most: targets.mostForPage })]
    ])
  }
  for (const server of [many, few]) await server.stop()
}
