import { parseArgs } from 'node:util'
import { loadCatalogue } from '../catalogue/load.ts'
import { dataDirectory, name } from '../package.ts'
import { createClient, Unreachable } from './ask.ts'
import { runChecks, Probe, type Check, type Leave, type Result } from './check.ts'
import { compare } from './compare.ts'
import { filterChecks } from './filters.ts'
import { listChecks } from './lists.ts'
import { commonChecks } from './negotiation.ts'
import { orderingChecks } from './ordering.ts'
import { pagingChecks } from './paging.ts'
import { reporters } from './report.ts'
import { tokenChecks } from './token.ts'

/** Every claim of the contract that a request can try. */
export const checks: readonly Check[] = [
  ...listChecks, ...orderingChecks, ...pagingChecks, ...commonChecks, ...tokenChecks, ...filterChecks
]

/** What the command exits with. */
const exitCodes = { holds: 0, fails: 1, unasked: 2 } as const

const usage = `Usage: ${name} verify URL [flags]

Checks the server at URL against the contract, one request at a time; everything is asked for below the path of URL.
What the contract leaves open is a remark, no failure.

  --token T         a token for version 2.1; without one its checks are not tried
  --reporter NAME   human (default), tap or json
  --rate N          requests a second at most (5)
  --compare         also tells how its records differ from ours, by id
  --probe-writes    also sends POST, which a server that obeyed would take for a write

Exits with 0 when all holds, 1 when something does not, 2 when the server could not be asked.
`

type Plan = Leave & { base: URL, reporter: keyof typeof reporters, rate: number, compares: boolean }

/** What the arguments ask for, or what is wrong with them. */
function readPlan (args: string[]): Plan | string {
  const parsed = parse(args)
  if (typeof parsed === 'string') return parsed
  const { values, positionals } = parsed
  const [url = '', ...rest] = positionals
  if (url === '' || rest.length > 0) return 'verify takes one URL, such as http://127.0.0.1:3000'
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return `the URL must begin with http:// or https://, got ${JSON.stringify(url)}`
  const { reporter, rate } = values
  if (!(reporter in reporters)) return `--reporter must be ${Object.keys(reporters).join(', ')}, got ${JSON.stringify(reporter)}`
  if (!(Number(rate) > 0)) return `--rate must be a number of requests a second, got ${JSON.stringify(rate)}`
  return {
    base: new URL(url),
    reporter: reporter as keyof typeof reporters,
    rate: Number(rate),
    compares: values.compare,
    token: values.token,
    probeWrites: values['probe-writes']
  }
}

function parse (args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        token: { type: 'string' },
        reporter: { type: 'string', default: 'human' },
        rate: { type: 'string', default: '5' },
        compare: { type: 'boolean', default: false },
        'probe-writes': { type: 'boolean', default: false }
      }
    })
  } catch (error) {
    return (error as Error).message
  }
}

/** What the command needs of its surroundings. */
type Surroundings = {
  stdout: { write: (text: string) => unknown, isTTY?: boolean, hasColors?: () => boolean }
  stderr: { write: (text: string) => unknown, isTTY?: boolean }
  /** Ends the run early; what is known by then is told. */
  signal: AbortSignal
}

/** Runs `verify` and gives what the process is to exit with. */
export async function verify (args: string[], { stdout, stderr, signal }: Surroundings): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    stdout.write(usage)
    return exitCodes.holds
  }
  const plan = readPlan(args)
  if (typeof plan !== 'string') return run(plan, { stdout, stderr, signal })
  stderr.write(`${plan} (${name} verify --help)\n`)
  return exitCodes.unasked
}

async function run (plan: Plan, { stdout, stderr, signal }: Surroundings): Promise<number> {
  const { base, reporter, rate, compares } = plan
  const { each, end } = reporters[reporter](stdout.hasColors?.() ?? false)
  const progress = (text: string) => { if (stderr.isTTY) stderr.write(`\r\x1b[K${text.slice(0, 78)}`) }
  const results: Result[] = []
  let requests = 0
  const ask = createClient(base, {
    rate,
    signal,
    sent: ({ method, target }) => { requests++; progress(`${results.length}/${checks.length} ${method} ${target}`) },
    waits: seconds => progress(`${results.length}/${checks.length} waiting ${seconds} s, as the server asks`)
  })
  let differences
  let unreachable: Unreachable | undefined
  try {
    for await (const result of runChecks(checks, base, ask, plan)) {
      results.push(result)
      stdout.write(each(result, results.length))
    }
    if (compares) differences = await compare(new Probe(base, ask, plan.token), await loadCatalogue(dataDirectory))
  } catch (error) {
    if (!(error instanceof Unreachable || signal.aborted)) throw error
    unreachable = signal.aborted ? new Unreachable('stopped before the end') : error as Unreachable
  }
  progress('')
  if (results.length > 0) stdout.write(end({ url: base.href, requests, results, differences }))
  if (unreachable !== undefined) stderr.write(`${unreachable.message}\n`)
  return unreachable !== undefined ? exitCodes.unasked : results.every(({ ok }) => ok) ? exitCodes.holds : exitCodes.fails
}
