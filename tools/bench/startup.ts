import { spawnSync } from 'node:child_process'
import { ask } from './answers.ts'
import { figure, median, printHeading, printTable, progress, range, ratio, verdict } from './figures.ts'
import { ours, type Cpus } from './machine.ts'
import { cpuSeconds, memoryOf, start } from '../process.ts'

/** The number of starts in a round, because their times vary. */
const startsPerRound = 3

/** The targets, as ratios; that of memory is 80 MB on Node 20, where the bare process has 66. */
const [mostCpu, mostMemory, mostForVersion] = [1.4, 80 / 66, 2]

type Run = { time: number, cpu: number, resident: number }

/**
 * Measures time, CPU time and memory of the server until its first response, against a bare Fastify process; and the CPU time of
 * `--version` against an empty Node process.
 */
export async function startup ({ cpus, rounds }: { cpus: Cpus, rounds: number }): Promise<void> {
  const starts = rounds * startsPerRound
  printHeading('Start-up', 'From spawning the process to the end of the first answer, ' +
    `${starts} runs of each in turn, on all CPUs. Medians.`)
  const hello = ['tools/bench/hello.js']
  const [own, bare]: [Run[], Run[]] = [[], []]
  const [version, nothing]: [number[], number[]] = [[], []]
  for (let run = 0; run < starts; run++) {
    progress(`start-up: run ${run + 1} of ${starts}`)
    own.push(await runServer(ours, '/api/v1/bikes/', cpus))
    bare.push(await runServer(hello, '/', cpus))
    version.push(cpuOf('dist/cli.js', '--version'))
    nothing.push(cpuOf('-e', '0'))
  }
  progress('')
  const fields = ['time', 'cpu', 'resident'] as const
  const medians = (runs: Run[]) => fields.map(field => figure(median(runs.map(run => run[field]))))
  const ratios = fields.map(field => own.map((run, index) => run[field] / (bare[index]?.[field] ?? NaN)))
  const versionRatios = version.map((cpu, index) => cpu / (nothing[index] ?? NaN))
  printTable(['', 'first answer ms', 'CPU ms', 'resident MB'], [
    ['  bicycle-catalogue, bikes', ...medians(own)],
    ['  bare Fastify, {"hello":"world"}', ...medians(bare)],
    ['  ratio', ...ratios.map(ratio)],
    ['  runs', ...ratios.map(range)],
    ['  target', '', verdict(ratios[1] ?? [], { most: mostCpu }), verdict(ratios[2] ?? [], { most: mostMemory })],
    [''],
    ['  --version', '', figure(median(version))],
    ['  node -e 0', '', figure(median(nothing))],
    ['  ratio', '', ratio(versionRatios), verdict(versionRatios, { most: mostForVersion })]
  ])
}

async function runServer (args: readonly string[], target: string, cpus: Cpus): Promise<Run> {
  const server = await start(args, { cpus: cpus?.all })
  await ask(server.url + target)
  const time = performance.now() - server.startedAt
  const { resident } = memoryOf(server.pid)
  const cpu = cpuSeconds(server.pid).used * 1000
  await server.stop()
  return { time, cpu, resident }
}

/** Returns the CPU time of a Node process until it exits, in milliseconds, as the shell reports it of its children. */
function cpuOf (...args: string[]): number {
  const { stdout } = spawnSync('bash', ['-c', '"$@" > /dev/null; times', 'bash', process.execPath, ...args], { encoding: 'utf8' })
  const [, children = ''] = stdout.split('\n')
  const times = [...children.matchAll(/(\d+)m([\d.]+)s/g)]
  return times.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000, 0)
}
