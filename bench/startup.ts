import { ask } from './answers.ts'
import { compile } from './compile.ts'
import { figure, median, printHeading, printTable, progress, range, ratio } from './figures.ts'
import { memory, type Cpus } from './machine.ts'
import { ours, start } from './process.ts'

type Run = { time: number, resident: number }

/** Measures how long the server takes to its first answer, and its memory then, against a bare Fastify process. */
export async function startup ({ cpus, rounds }: { cpus: Cpus, rounds: number }): Promise<void> {
  printHeading('Start-up', `From spawning the process to the end of the first answer, ${rounds} runs of each in turn, on all CPUs. Medians.`)
  const hello = [compile('hello')]
  const [own, bare]: [Run[], Run[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    progress(`start-up: run ${round + 1} of ${rounds}`)
    own.push(await run(ours, '/api/v1/bikes/', cpus))
    bare.push(await run(hello, '/', cpus))
  }
  progress('')
  const row = (runs: Run[]) => [figure(median(runs.map(({ time }) => time))), figure(median(runs.map(({ resident }) => resident)))]
  const ratios = (field: keyof Run) => own.map((run, index) => run[field] / (bare[index]?.[field] ?? NaN))
  printTable(['', 'first answer ms', 'resident MB'], [
    ['  bicycle-catalogue, bikes', ...row(own)],
    ['  bare Fastify, {"hello":"world"}', ...row(bare)],
    ['  ratio', ratio(ratios('time')), ratio(ratios('resident'))],
    ['  runs', range(ratios('time')), range(ratios('resident'))]
  ])
}

async function run (args: readonly string[], target: string, cpus: Cpus): Promise<Run> {
  const server = await start(args, cpus?.all)
  await ask(server.url + target)
  const time = performance.now() - server.startedAt
  const { resident } = memory(server.pid)
  await server.stop()
  return { time, resident }
}
