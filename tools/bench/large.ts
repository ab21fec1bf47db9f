import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { writeCatalogue } from '../../src/command/generate.ts'
import { resources } from '../../src/lists/resources.ts'
import { dataDirectory } from '../../src/package.ts'
import { ask } from './answers.ts'
import { figure, median, printHeading, printTable, progress, ratio, verdict } from './figures.ts'
import { ours, type Cpus } from './machine.ts'
import { cpuSeconds, memoryOf, start, temporaryDirectory } from '../process.ts'

/** The data directories that the server reads. */
const foldersRead = ['v1', 'v2', 'media']

const path = '/api/v1/bikes/'
/** The limits for 100,000 bikes: seconds until the first response, and MB. */
const most = { time: 8, peak: 1_500 }

type Plan = { cpus: Cpus, rounds: number, bikes: number }
type Run = { time: number, peak: number }

/** Generates a data directory. */
export async function generated (bikes: number): Promise<string> {
  progress(`generating ${figure(bikes)} bikes`)
  const directory = temporaryDirectory()
  await writeCatalogue(dataDirectory, directory, { bikes, seed: 1 })
  spawnSync('sync')
  return directory
}

/** Measures the start with a generated catalogue against parsing the same files. */
export async function large ({ cpus, rounds, bikes }: Plan): Promise<void> {
  const directory = await generated(bikes)
  await compareStart(directory, cpus, rounds, bikes)
  await comparePages(directory, cpus, bikes)
}

/** The most CPU time that a browsable page takes beyond the same page as JSON, in milliseconds. */
const mostBeyond = 100

/** Measures the first and the next browsable page of each list against the same page as JSON. */
async function comparePages (directory: string, cpus: Cpus, bikes: number): Promise<void> {
  printHeading(`${figure(bikes)} bikes: browsable pages`, 'CPU time of a page of 100 records, in milliseconds: ' +
    'as JSON, as a browsable page for the first time, and with another query.')
  const server = await start([...ours, '--data', directory, '--tokens', 'bench'], { cpus: cpus?.server })
  const rows: string[][] = []
  for (const { path, shortName } of resources) {
    const measure = async (query: string) => {
      const { used } = cpuSeconds(server.pid)
      const headers = { authorization: 'Token bench', accept: 'application/json, text/html' }
      const { status } = await ask(`${server.url}${path}?page=1&page_size=100&${query}`, headers)
      if (status !== 200) throw new Error(`${path}?${query} is ${status}`)
      return 1000 * (cpuSeconds(server.pid).used - used)
    }
    const [json, first, next] = [await measure(''), await measure('format=api'), await measure('format=api&n=1')]
    const beyond = verdict([Math.max(first, next) - json], { most: mostBeyond })
    rows.push([`  ${shortName}`, ...[json, first, next].map(time => figure(time)), beyond])
  }
  await server.stop()
  printTable(['', 'JSON', 'first page', 'next page', 'beyond JSON'], rows)
}

async function compareStart (directory: string, cpus: Cpus, rounds: number, bikes: number): Promise<void> {
  printHeading(`${figure(bikes)} bikes: start`, `From spawning the process to the end of ${path}?page=1, ` +
    `against a process that only parses the same files\n(${foldersRead.join(', ')}); ` +
    `${rounds} runs of each in turn, on all CPUs. Medians.`)
  const files = foldersRead.flatMap(folder => {
    return readdirSync(join(directory, folder)).map(file => join(directory, folder, file))
  })
    .filter(file => file.endsWith('.json'))
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
  const fields = ['time', 'peak'] as const
  const row = (runs: Run[]) => fields.map(field => {
    return figure(median(runs.map(run => run[field])), field === 'time' ? 2 : 0)
  })
  const ratios = (field: keyof Run) => own.map((run, index) => run[field] / (parsed[index]?.[field] ?? NaN))
  printTable(['', 'first answer s', 'peak MB'], [
    ['  bicycle-catalogue', ...row(own)],
    ['  reading and JSON.parse', ...row(parsed)],
    ['  ratio', ...fields.map(field => ratio(ratios(field)))],
    ['  target', ...fields.map(field => verdict(own.map(run => run[field]), { most: most[field] }))]
  ])
}

async function run (args: readonly string[], cpus: Cpus): Promise<Run> {
  const started = await start(args, { cpus: cpus?.all })
  if (started.url !== '') await ask(`${started.url}${path}?page=1`)
  const time = (performance.now() - started.startedAt) / 1000
  const { peak } = memoryOf(started.pid)
  await started.stop()
  return { time, peak }
}
