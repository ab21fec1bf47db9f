import { readArguments } from '../../src/settings/flags.ts'
import { wholeNumber } from '../../src/settings/kinds.ts'
import { drains } from './drains.ts'
import { readers } from './readers.ts'
import { memory } from './memory.ts'
import { hostile } from './hostile.ts'
import { createReport, type Plan } from './report.ts'
import { partsOf } from '../process.ts'

// Attacks the server, and prints the attempts and errors; needs Linux and `npm run build`.
type Part = {
  about: string
  /** Its share of the requests; a unit may stand for several. */
  share: number
  run: (plan: Plan) => Promise<void>
}

const parts = {
  hostile: { about: 'odd requests and nonsense, strictly read', share: 0.4, run: hostile },
  drains: { about: 'signals under load', share: 0.05, run: drains },
  readers: { about: 'clients that read and send slowly, or not at all', share: 1, run: readers },
  memory: { about: 'what never came before', share: 0.55, run: memory }
} satisfies Record<string, Part>

const names = Object.keys(parts) as (keyof typeof parts)[]
const kinds = {
  only: partsOf(names),
  requests: wholeNumber(1, 100_000_000),
  seed: wholeNumber(0, 2 ** 32 - 1)
}
const { values: { only = names, requests = 10_000, seed = 1 } } = readArguments(process.argv.slice(2), kinds, [], 'tools/torture/README.md')

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))

const write = (text: string) => { process.stdout.write(`${text}\n`) }
write(`npm run torture -- --requests ${requests} --seed ${seed}\n`)
let hasHeld = true
for (const name of only) {
  const { about, share, run } = parts[name]
  const report = createReport(name, about, write)
  try {
    await run({ requests: Math.ceil(requests * (only.length === 1 ? 1 : share)), seed, report })
  } catch (error) {
    report.broke('the part itself', (error as Error).stack ?? String(error))
  }
  report.print()
  hasHeld &&= report.held()
}
process.exit(hasHeld ? 0 : 1)
