import { readArguments } from '../../src/settings/arguments.ts'
import { wholeNumber } from '../../src/settings/kinds.ts'
import { drains } from './drains.ts'
import { hostile } from './hostile.ts'
import { createReport, type Plan } from './report.ts'
import { partsOf } from '../process.ts'

// Attacks the server, and prints the attempts and errors; needs Linux and `npm run build`.
const parts = { hostile, drains } satisfies Record<string, (plan: Plan) => Promise<void>>
const names = Object.keys(parts) as (keyof typeof parts)[]
const kinds = {
  only: partsOf(names),
  requests: wholeNumber(1, 100_000_000),
  seed: wholeNumber(0, 2 ** 32 - 1)
}
const { values } = readArguments(process.argv.slice(2), kinds, [], 'tools/torture/README.md')
const { only = names, requests = 10_000, seed = 1 } = values

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))

const write = (text: string) => { process.stdout.write(`${text}\n`) }
write(`npm run torture -- --requests ${requests} --seed ${seed}\n`)
let hasHeld = true
for (const name of only) {
  const report = createReport(name, write)
  try {
    await parts[name]({ requests, seed, report })
  } catch (error) {
    report.broke('the part itself', (error as Error).stack ?? String(error))
  }
  report.print()
  hasHeld &&= report.held()
}
process.exit(hasHeld ? 0 : 1)
