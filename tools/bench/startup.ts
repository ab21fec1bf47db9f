import { join } from 'node:path'
import { build } from 'esbuild'
import { ask } from './answers.ts'
import { figure, median, printHeading, printTable, progress, ratio, verdict } from './figures.ts'
import { ours, type Cpus } from './machine.ts'
import { cpuSeconds, memoryOf, start, temporaryDirectory } from '../process.ts'

/** The number of starts in a round, because their times vary. */
const startsPerRound = 3

/** The targets, as ratios; that of memory is 80 MB on Node 20, where the bare process has 66. */
const mostCpu = 1.25
const mostCpuOfBundle = 2.2
const mostMemory = 80 / 66

type Run = { time: number, cpu: number, resident: number }

/** Measures time, CPU time and memory of the server until its first response, against a bare Fastify process. */
export async function startup ({ cpus, rounds }: { cpus: Cpus, rounds: number }): Promise<void> {
  const starts = rounds * startsPerRound
  printHeading('Start-up', 'From spawning the process to the end of the first answer, ' +
    `${starts} runs of each in turn, on all CPUs. Medians.`)
  const [own, bare, bundled]: [Run[], Run[], Run[]] = [[], [], []]
  const bundle = join(temporaryDirectory(), 'hello.mjs')
  await build({
    entryPoints: ['tools/bench/hello.js'],
    outfile: bundle,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" }
  })
  for (let run = 0; run < starts; run++) {
    progress(`start-up: run ${run + 1} of ${starts}`)
    own.push(await runServer(ours, '/api/v1/bikes/', cpus))
    bare.push(await runServer(['tools/bench/hello.js'], '/', cpus))
    bundled.push(await runServer([bundle], '/', cpus))
  }
  progress('')
  const fields = ['time', 'cpu', 'resident'] as const
  const medians = (runs: Run[]) => fields.map(field => figure(median(runs.map(run => run[field]))))
  const ratiosTo = (others: Run[]) =>
    fields.map(field => own.map((run, index) => run[field] / (others[index]?.[field] ?? NaN)))
  const ratios = ratiosTo(bare)
  const ratiosToBundle = ratiosTo(bundled)
  printTable(['', 'first answer ms', 'CPU ms', 'resident MB'], [
    ['  bicycle-catalogue, bikes', ...medians(own)],
    ['  bare Fastify, {"hello":"world"}', ...medians(bare)],
    ['  ratio', ...ratios.map(ratio)],
    ['  target', '', verdict(ratios[1] ?? [], { most: mostCpu }), verdict(ratios[2] ?? [], { most: mostMemory })],
    ['  the same hello, bundled', ...medians(bundled)],
    ['  ratio', ...ratiosToBundle.map(ratio)],
    ['  target', '', verdict(ratiosToBundle[1] ?? [], { most: mostCpuOfBundle })]
  ])
}

async function runServer (args: readonly string[], target: string, cpus: Cpus): Promise<Run> {
  const server = await start(args, { cpus: cpus?.all })
  await ask(server.url + target)
  const time = performance.now() - server.startedAt
  const { resident } = memoryOf(server.pid)
  const cpu = cpuSeconds(server.pid).used * 1000
  server.signal('SIGTERM') // a server that is killed would not write Node's compile cache
  await server.exited
  return { time, cpu, resident }
}
