import { requestHeaders, requestRate, serviceUrl } from '../client/arguments.ts'
import { addressOf, createClient, Unreachable, type HttpResponse } from '../client/client.ts'
import { printable } from '../base/text.ts'
import { command, name, version } from '../package.ts'
import { asciiToken, oneOf, text, type Kind } from '../settings/kinds.ts'
import { exitCodes, readArguments, readValue, SettingsError } from '../settings/flags.ts'
import { createProbe, runCheck, Untried, withCache, type Check, type Probe, type Result, type Subject } from './check.ts'
import { commonChecks } from './common.ts'
import { compare, readKnownLists, type Difference } from './compare.ts'
import { listChecks } from './lists.ts'
import { pagingChecks } from './paging.ts'
import { filterChecks, orderingChecks } from './queries.ts'
import { get, jsonOf, listIn } from './read.ts'
import { reporters } from './report.ts'

export const checks: readonly Check[] = [...listChecks, ...orderingChecks, ...pagingChecks, ...commonChecks, ...filterChecks]

export const usage = `
Checks the server at URL against the contract (docs/contract.md), with one request at a time below the path of URL. A check fails if the
server differs from what the specification states; other differences are warnings. A user and a password in URL are sent as Basic
credentials. The limits are 60 seconds and 32 MB for a response, 100 pages for a list, and 5,000 requests for a run.

  --token T          a token for version 2.1; without one its checks are skipped
  --header LINE      a header for a gateway, such as 'X-Api-Key: abc'; repeatable, sent only below the path of URL
  --reporter NAME    human (default), json, github for annotations in GitHub Actions, or junit
  --fail-on NAMES    failure (default); warning, difference, or both separated by a comma
  --ignore CLAUSES   skips the checks of clauses, such as F7,D13
  --verbose          prints every finding of a warning, not only the first
  --rate N           most requests a second (5); it waits after 429 and 503
  --compare [DIR]    also lists the differences from the recording in DIR, or from the built-in records
  --probe-writes     also sends POST, which must be rejected

Exits with 0 if no check fails, with 1 if one fails, and with 2 for invalid arguments, without a response, for too many pages, or if the
server limits every request.
`

const listOf = (expects: string, words: readonly string[]): Kind<readonly string[]> =>
  ({ expects, read: list => list.split(',').every(word => words.includes(word)) ? list.split(',') : undefined })

const kinds = {
  token: asciiToken, header: requestHeaders, reporter: oneOf(Object.keys(reporters) as (keyof typeof reporters)[]), rate: requestRate,
  'fail-on': listOf('failure, warning, difference or a comma list of them', ['failure', 'warning', 'difference']),
  ignore: listOf('clauses that verify checks, such as F7,D13', checks.flatMap(({ source }) => source.split(', '))),
  compare: { ...text('a directory'), bareValue: ' ' }
}

/** @throws {SettingsError} for the first invalid argument */
function readPlan (args: string[]) {
  const help = `${command} verify --help`
  // `--compare URL` means the built-in records.
  const words = args.map((word, index) => word === '--compare' && /^https?:/i.test(args[index + 1] ?? '') ? '--compare= ' : word)
  const { values, isOn, rest: [url, ...others] } = readArguments(words, kinds, ['verbose', 'probe-writes'], help)
  if (url === undefined || others.length > 0) throw new SettingsError(`verify takes one URL, such as http://localhost:3000 (${help})`)
  const { reporter = 'human', 'fail-on': failOn = [], ignore = [], rate = 5, compare, token, header } = values
  const base = readValue({ ...serviceUrl, ...url.includes('@') && { secret: true } }, 'the URL', url)
  const [isVerbose, probeWrites] = [isOn('verbose'), isOn('probe-writes')]
  return { base, token, header, reporter, failOn, ignore, rate, compare: compare?.trim(), isVerbose, probeWrites }
}

type Environment = {
  stdout: { write: (text: string) => unknown, hasColors?: () => boolean, columns?: number }
  stderr: { write: (text: string) => unknown, isTTY?: boolean }
  /** Ends the run early and reports the checks so far. */
  signal: AbortSignal
}

/** Runs the checks one after another and yields each result. @throws {Unreachable} without a response */
export async function * runChecks (subject: Subject, ignored: readonly string[] = []): AsyncGenerator<Result> {
  for (const check of checks.filter(({ source }) => !source.split(', ').some(clause => ignored.includes(clause)))) {
    yield await runCheck(check, subject, responseOf)
  }
}

/** Requests a check's list. @throws {Untried} if the check would only repeat the failure of `status`, or of a rejected token */
async function responseOf (probe: Probe, { id, needs, resource }: Check): Promise<HttpResponse> {
  const lacks = { token: probe.token === undefined, 'probe-writes': !probe.probeWrites }
  if (needs !== undefined && lacks[needs]) throw new Untried(`needs --${needs}`)
  const response = await get(probe, resource)
  const isRefused = resource.access === 'token' && [401, 403].includes(response.status)
  const hasForm = resource.access === 'token' && response.status === 200 && jsonOf(response) !== undefined // any form, as none is stated
  if (id !== `${resource.key}/status` && (isRefused ? needs === 'token' : listIn(response) === undefined && !hasForm)) {
    throw new Untried(isRefused ? 'needs a token that is accepted' : 'needs a list')
  }
  return response
}

/** Runs `verify` and returns the exit code. A typical service needs a few hundred requests. */
export async function run (args: string[], environment: Environment, maxRequests = 5_000): Promise<number> {
  const { stderr, signal } = environment
  try {
    return await verify(readPlan(args), environment, maxRequests)
  } catch (error) {
    if (!signal.aborted && !(error instanceof SettingsError || error instanceof Unreachable)) throw error
    stderr.write(`${signal.aborted ? 'stopped before the end' : printable((error as Error).message)}\n`)
    return exitCodes.unusable
  }
}

async function verify (plan: ReturnType<typeof readPlan>, { stdout, stderr, signal }: Environment, maxRequests: number): Promise<number> {
  const { base, rate, reporter, compare: directory, failOn, ignore } = plan
  const known = directory === undefined ? undefined : await readKnownLists(directory)
  const results: Result[] = []
  const progress = (text: string) => { if (stderr.isTTY) stderr.write(`\r\x1b[K${text.slice(0, 78)}`) }
  let requests = 0
  const client = createClient(base, {
    rate, signal, headers: { 'user-agent': `${name}/${version}` }, ownHeaders: plan.header,
    timeout: 60_000, maxWait: 120_000, maxBytes: 32 * 2 ** 20,
    retries: 1, // the server may close an idle connection just as the next request is sent
    onRequest: ({ method, target }) => {
      if (requests++ === maxRequests) throw new Unreachable(`the service needs more than ${maxRequests} requests`)
      progress(`${results.length}/${checks.length} ${method} ${target}`)
    },
    onWait: reason => progress(`${results.length}/${checks.length} ${reason}`)
  })
  const subject = { ...plan, send: withCache(client) }
  let differences: Difference[] | undefined
  try {
    for await (const result of runChecks(subject, ignore)) results.push(result)
    if (known !== undefined) differences = await compare(createProbe(subject), known)
  } finally {
    progress('')
    const report = { ...plan, url: addressOf(base, base.pathname), requests, results, differences }
    if (results.length > 0) stdout.write(reporters[reporter](report, stdout.hasColors?.() ?? false, stdout.columns))
  }
  const isLimited = results.some(({ skipped }) => skipped?.startsWith('limited')) && results.every(({ skipped }) => skipped !== undefined)
  if (isLimited) throw new Unreachable('nothing was checked: the service limits requests')
  const hasFailed = results.some(({ ok, warnings }) => !ok || (failOn.includes('warning') && warnings.length > 0))
  return hasFailed || (failOn.includes('difference') && Number(differences?.length) > 0) ? exitCodes.failed : exitCodes.done
}
