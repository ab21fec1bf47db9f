import { cpus as processors } from 'node:os'
import { readArguments } from '../../src/settings/arguments.ts'
import { host as hostName, wholeNumber } from '../../src/settings/kinds.ts'
import { capacity } from './capacity.ts'
import { paint } from './figures.ts'
import { large } from './large.ts'
import { lists } from './lists.ts'
import { keepApart } from './machine.ts'
import { startup } from './startup.ts'
import { partsOf } from '../process.ts'

const parts = { lists, startup, large, capacity }
const names = Object.keys(parts) as (keyof typeof parts)[]

const kinds = {
  only: partsOf(names),
  rounds: wholeNumber(1, 100),
  seconds: wholeNumber(1, 100),
  bikes: wholeNumber(1, 1_000_000),
  host: hostName
}

// npm run bench: prints alternating measurements of one run side by side, and marks figures that miss their target.
try {
  const { values, isOn } = readArguments(process.argv.slice(2), kinds, ['instructions'], 'tools/bench/README.md')
  const instructions = isOn('instructions')
  const { rounds = 5, seconds = 3, bikes = 100_000, host = '127.0.0.1' } = values
  const { only = instructions ? ['lists'] : names } = values
  if (process.platform !== 'linux') {
    throw new Error('npm run bench needs Linux: it reads CPU time and memory from /proc')
  }
  process.once('SIGINT', () => process.exit(130))

  const cpus = keepApart()
  console.log(paint('bold', ['npm run bench', ...process.argv.slice(2)].join(' ').replace('bench --', 'bench -- --')))
  console.log(`Node.js ${process.version} on ${processors().length} × ${processors()[0]?.model ?? 'unknown CPU'}`)
  const separate = cpus && `Servers on CPU ${cpus.server}, load on CPU ${cpus.load}.`
  const placement = separate ?? 'Servers and load share the CPUs.'
  console.log(`${placement}\n`)
  for (const name of only) await parts[name]({ rounds, seconds, bikes, host, instructions, cpus })
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
process.exit()
