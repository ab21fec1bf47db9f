import { cpus as processors } from 'node:os'
import { parseArgs } from 'node:util'
import { wholeNumber } from '../../src/settings/kinds.ts'
import { capacity } from './capacity.ts'
import { paint } from './figures.ts'
import { large } from './large.ts'
import { lists } from './lists.ts'
import { log } from './log.ts'
import { keepApart } from './machine.ts'
import { startup } from './startup.ts'

const parts = { lists, startup, large, log, capacity }

// npm run bench: prints alternating measurements of one run side by side, and marks figures that miss their target.
try {
  const plan = readFlags(process.argv.slice(2))
  if (process.platform !== 'linux') throw new Error('npm run bench needs Linux: it reads CPU time and memory from /proc')
  process.once('SIGINT', () => process.exit(130))

  const cpus = keepApart()
  console.log(paint('bold', ['npm run bench', ...process.argv.slice(2)].join(' ').replace('bench --', 'bench -- --')))
  console.log(`Node.js ${process.version} on ${processors().length} × ${processors()[0]?.model ?? 'unknown CPU'}`)
  console.log(cpus ? `Servers on CPU ${cpus.server}, load on CPU ${cpus.load}.\n` : 'Servers and load share the CPUs.\n')
  for (const name of plan.only) await parts[name]({ ...plan, cpus })
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
process.exit()

function readFlags (args: string[]) {
  const names = Object.keys(parts) as (keyof typeof parts)[]
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', default: names.join() },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '3' },
      bikes: { type: 'string', default: '100000' }
    }
  })
  const only = names.filter(name => values.only.split(',').includes(name))
  if (only.length !== values.only.split(',').length) throw new Error(`--only must be a comma list of ${names.join(', ')}, got ${values.only}`)
  const number = (flag: 'rounds' | 'seconds' | 'bikes', most: number) => {
    const kind = wholeNumber(1, most)
    const value = kind.read(values[flag])
    if (value === undefined) throw new Error(`--${flag} must be ${kind.takes}, got ${values[flag]}`)
    return value
  }
  return {
    only,
    rounds: number('rounds', 100),
    seconds: number('seconds', 100),
    bikes: number('bikes', 1_000_000)
  }
}
