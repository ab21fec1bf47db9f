import { loadCatalogue } from '../catalogue/load.ts'
import { addressOf, createClient, requestRate, Unreachable, type HttpResponse } from '../client/client.ts'
import { printable } from '../base/text.ts'
import { command, dataDirectory } from '../package.ts'
import { asciiToken, oneOf, type Kind } from '../settings/kinds.ts'
import { readArguments, readValue, SettingsError } from '../settings/flags.ts'
import { createProbe, reasonOf, Untried, withCache, type Check, type Probe, type Result, type Subject } from './check.ts'
import { commonChecks } from './common.ts'
import { listChecks } from './lists.ts'
import { pagingChecks } from './paging.ts'
import { filterChecks, orderingChecks } from './questions.ts'
import { get, listIn } from './read.ts'
import { compare } from './records.ts'
import { reporters } from './report.ts'

export const checks: readonly Check[] = [...listChecks, ...orderingChecks, ...pagingChecks, ...commonChecks, ...filterChecks]

const exitCodes = { holds: 0, fails: 1, unreachable: 2 }

export const usage = `
Checks the server at URL against the contract (docs/contract.md), with one request at a time below the path of URL. A
difference from what the specification or the framework states is a failure; where they are silent it is a warning. A user
and a password in URL are sent as Basic credentials. A response has 60 seconds and at most 32 MB.

  --token T         a token for version 2.1; without one its checks are skipped
  --reporter NAME   human (default), json, github for annotations in GitHub Actions, or junit
  --fail-on NAME    failure (default), or warning: warnings fail, too
  --rate N          requests a second at most (5); Retry-After is honoured
  --compare         also lists the records that differ from ours, by id
  --probe-writes    also sends POST, which must be refused

Exits with 0 if every check holds, 1 if one fails, 2 if the server gives no response.
`

/** Reads a base address, which may have a path. */
const baseAddress: Kind<URL> = {
  expects: 'an http or https address without a query or fragment, such as http://localhost:3000',
  read: text => /^https?:\/\/[^?#]+$/i.test(text) && URL.canParse(text) ? new URL(text) : undefined
}

const kinds = {
  token: asciiToken, reporter: oneOf(Object.keys(reporters) as (keyof typeof reporters)[]),
  'fail-on': oneOf(['failure', 'warning']), rate: requestRate
}

/** Reads the arguments. Throws a SettingsError for the first invalid one. */
function readPlan (args: string[]) {
  const help = `${command} verify --help`
  const { values, isOn, rest: [url, ...others] } = readArguments(args, kinds, ['compare', 'probe-writes'], help)
  if (url === undefined || others.length > 0) throw new SettingsError(`verify takes one URL, such as http://localhost:3000 (${help})`)
  const { token, reporter = 'human', 'fail-on': failOn, rate = 5 } = values
  const base = readValue({ ...baseAddress, ...url.includes('@') && { secret: true } }, 'the URL', url)
  const isOnOf = { failsOnWarnings: failOn === 'warning', compares: isOn('compare'), probeWrites: isOn('probe-writes') }
  return { base, token, reporter, rate, ...isOnOf }
}

type Environment = {
  stdout: { write: (text: string) => unknown, hasColors?: () => boolean, columns?: number }
  stderr: { write: (text: string) => unknown, isTTY?: boolean }
  /** Ends the run early, with a report of the checks so far. */
  signal: AbortSignal
}

/** Runs the checks one after another and yields each result. @throws {Unreachable} when the server gives no response */
export async function * runChecks (subject: Subject): AsyncGenerator<Result> {
  for (const check of checks) {
    const { id, claim, source, resource } = check
    const probe = createProbe(subject, !/[SF]/.test(source))
    const { failures, warnings } = probe
    const skipped = await responseOf(probe, check).then(response => check.run(probe, resource, response)).then(() => undefined, reasonOf)
    const ok = failures.length === 0
    yield { id, claim, source, ok, failures, warnings, ...ok && skipped !== undefined && { skipped } }
  }
}

/** Requests a check's list. Throws Untried where it would only repeat the failure of the list's status, or of a token that is refused. */
async function responseOf (probe: Probe, { id, needs, resource }: Check): Promise<HttpResponse> {
  const lacks = { token: probe.token === undefined, 'probe-writes': !probe.probeWrites }
  if (needs !== undefined && lacks[needs]) throw new Untried(`needs --${needs}`)
  const response = await get(probe, resource)
  const isRefused = resource.access === 'token' && [401, 403].includes(response.status)
  if (id !== `${resource.key}/status` && (isRefused ? needs === 'token' : listIn(response) === undefined)) {
    throw new Untried(isRefused ? 'needs a token that is accepted' : 'needs a list')
  }
  return response
}

/** Runs `verify` with so many requests at most, and returns the exit code; a plain service needs a few hundred. */
export async function run (args: string[], environment: Environment, maxRequests = 5_000): Promise<number> {
  const { stderr, signal } = environment
  try {
    return await verify(readPlan(args), environment, maxRequests)
  } catch (error) {
    if (!signal.aborted && !(error instanceof SettingsError || error instanceof Unreachable)) throw error
    stderr.write(`${signal.aborted ? 'stopped before the end' : printable((error as Error).message)}\n`)
    return exitCodes.unreachable
  }
}

async function verify (plan: ReturnType<typeof readPlan>, { stdout, stderr, signal }: Environment, maxRequests: number): Promise<number> {
  const { base, rate, reporter, compares, failsOnWarnings } = plan
  const results: Result[] = []
  const progress = (text: string) => { if (stderr.isTTY) stderr.write(`\r\x1b[K${text.slice(0, 78)}`) }
  let requests = 0
  const client = createClient(base, {
    rate, signal, timeout: 60_000, maxBytes: 32 * 2 ** 20,
    retries: 1, // a kept connection may be closed just when the next request is sent
    onRequest: ({ method, target }) => {
      if (requests++ === maxRequests) throw new Unreachable(`the service needs more than ${maxRequests} requests`)
      progress(`${results.length}/${checks.length} ${method} ${target}`)
    },
    onWait: reason => progress(`${results.length}/${checks.length} ${reason}`)
  })
  const subject = { ...plan, send: withCache(client) }
  let differences
  try {
    for await (const result of runChecks(subject)) results.push(result)
    if (compares) differences = await compare(createProbe(subject), await loadCatalogue(dataDirectory))
  } finally {
    progress('')
    const report = { url: addressOf(base, base.pathname), requests, results, differences, failsOnWarnings }
    if (results.length > 0) stdout.write(reporters[reporter](report, stdout.hasColors?.() ?? false, stdout.columns))
  }
  return results.every(({ ok, warnings }) => ok && !(failsOnWarnings && warnings.length > 0)) ? exitCodes.holds : exitCodes.fails
}
