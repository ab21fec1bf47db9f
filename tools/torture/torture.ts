import { parseArgs } from 'node:util'
import { wholeNumber } from '../../src/settings/kinds.ts'
import { proxies } from './proxies.ts'
import { leaving } from './leaving.ts'
import { drains } from './drains.ts'
import { readers } from './readers.ts'
import { memory } from './memory.ts'
import { costs } from './costs.ts'
import { large } from './large.ts'
import { hostile } from './hostile.ts'
import type { Plan } from './plan.ts'
import { createReport } from './report.ts'

// Attacks the server through clients, disks, proxies and data, and prints the attempts and errors; needs Linux and `npm run build`.
type Part = {
  about: string
  /** Its share of the requests; a unit may stand for several. */
  share: number
  run: (plan: Plan) => Promise<void>
}

const parts = {
  hostile: { about: 'odd requests and nonsense, strictly read', share: 0.25, run: hostile },
  proxies: { about: 'proxies that lie and are believed', share: 0.01, run: proxies },
  leaving: { about: 'clients that vanish', share: 0.3, run: leaving },
  drains: { about: 'signals under load', share: 0.05, run: drains },
  readers: { about: 'clients that read and send slowly, or not at all', share: 1, run: readers },
  memory: { about: 'what never came before', share: 0.43, run: memory },
  costs: { about: 'requests that are dear', share: 0, run: costs },
  large: { about: 'a large catalogue', share: 0, run: large }
} satisfies Record<string, Part>

const flags = {
  requests: { kind: wholeNumber(1, 100_000_000), default: '10000' },
  seed: { kind: wholeNumber(0, 2 ** 32 - 1), default: '1' },
  bikes: { kind: wholeNumber(1, 1_000_000), default: '5000' }
}

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    only: text,
    ...Object.fromEntries(Object.keys(flags).map(name => [name, text]))
  }
}) as { values: Record<string, string | undefined> }

function number (flag: keyof typeof flags): number {
  const { kind, default: usual } = flags[flag]
  const value = kind.read(values[flag] ?? usual)
  if (value === undefined) throw new Error(`--${flag} must be ${kind.expects}, got ${values[flag]}`)
  return value
}

const names = Object.keys(parts) as (keyof typeof parts)[]
const wanted = values['only']?.split(',') ?? names
if (!wanted.every(name => name in parts)) throw new Error(`--only must be a comma list of ${names.join(', ')}, got ${values['only']}`)

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))

const plan = { requests: number('requests'), seed: number('seed'), bikes: number('bikes') }
const write = (text: string) => { process.stdout.write(`${text}\n`) }
write(`npm run torture -- --requests ${plan.requests} --seed ${plan.seed}\n`)
let hasHeld = true
for (const name of names.filter(name => wanted.includes(name))) {
  const { about, share, run } = parts[name]
  const report = createReport(name, about, write)
  try {
    await run({ ...plan, requests: Math.ceil(plan.requests * (wanted.length === 1 ? 1 : share)), report })
  } catch (error) {
    report.broke('the part itself', (error as Error).stack ?? String(error))
  }
  report.print()
  hasHeld &&= report.held()
}
process.exit(hasHeld ? 0 : 1)
