import { loadCatalogue } from '../catalogue/load.ts'
import { dataDirectory, name } from '../package.ts'
import { oneOf, type Kind } from '../settings/kinds.ts'
import { readFlags, readValue, SettingsError } from '../settings/read.ts'
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

/** Reads a base address, which may have a path. */
const baseAddress: Kind<URL> = {
  takes: 'an http or https address without a query or fragment, such as http://127.0.0.1:3000',
  read: text => /^https?:\/\/[^?#]+$/i.test(text) && URL.canParse(text) ? new URL(text) : undefined
}

/** What the flags take, but for those that take nothing. */
const kinds = {
  token: { takes: 'a token in ASCII without spaces', secret: true, read: text => /^[!-~]+$/.test(text) ? text : undefined } as Kind<string>,
  reporter: oneOf(Object.keys(reporters) as (keyof typeof reporters)[]),
  rate: { takes: 'a number of requests a second', read: text => Number(text) > 0 ? Number(text) : undefined } as Kind<number>
}

const words = { help: { type: 'boolean', short: 'h' }, compare: { type: 'boolean' }, 'probe-writes': { type: 'boolean' } } as const

type Plan = Leave & { base: URL, reporter: keyof typeof reporters, rate: number, compares: boolean }

/**
 * What the arguments ask for; undefined for the usage.
 * @throws {SettingsError} for the first thing that cannot be read
 */
function readPlan (args: string[]): Plan | undefined {
  const help = `${name} verify --help`
  const rows = Object.entries(kinds).map(([flag, { takes }]) => ({ flag, takes }))
  const { flags, rest: [url, ...others] } = readFlags(args, rows, words, help)
  if (flags.has('help')) return undefined
  if (url === undefined || others.length > 0) throw new SettingsError(`verify takes one URL, such as http://127.0.0.1:3000 (${help})`)
  const token = flags.get('token')
  return {
    base: readValue(baseAddress, 'the URL', url),
    reporter: readValue(kinds.reporter, '--reporter', flags.get('reporter') ?? 'human'),
    rate: readValue(kinds.rate, '--rate', flags.get('rate') ?? '5'),
    compares: flags.has('compare'),
    token: token === undefined ? undefined : readValue(kinds.token, '--token', token),
    probeWrites: flags.has('probe-writes')
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
export async function verify (args: string[], surroundings: Surroundings): Promise<number> {
  try {
    const plan = readPlan(args)
    if (plan !== undefined) return await run(plan, surroundings)
    surroundings.stdout.write(usage)
    return exitCodes.holds
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    surroundings.stderr.write(`${error.message}\n`)
    return exitCodes.unasked
  }
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
