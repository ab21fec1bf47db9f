import { fieldNames, requestHeaders, requestRate, serviceUrl } from '../client/arguments.ts'
import { addressOf, createClient, Unreachable } from '../client/client.ts'
import { printable } from '../base/text.ts'
import { command, name, version } from '../package.ts'
import { asciiToken, oneOf, text, type Kind } from '../settings/kinds.ts'
import { exitCodes, readArguments, readValue, SettingsError } from '../settings/flags.ts'
import { getWith } from '../pull/recorder.ts'
import { createLedger, tokensLike, Untried } from './check.ts'
import { compare, readKnown, type Difference } from './compare.ts'
import { isAsRecorded } from './report.ts'
import { reporters } from './reporters.ts'
import { checks, runChecks } from './run.ts'

export const usage = `
Checks the server at URL against the contract (docs/contract.md), with one request at a time below the path of URL. A check fails if the
server differs from what the specification states; other differences are warnings. A user and a password in URL are sent as Basic
credentials. The limits are 60 seconds and 128 MB for a response, 400 pages for a list, and 5,000 requests for a run.

  --token T          a token for version 2.1; without one its checks are skipped
  --header LINE      a header for a gateway, such as 'X-Api-Key: abc'; repeatable, sent only below the path of URL
  --reporter NAME    human (default), json, github for annotations in GitHub Actions, or junit
  --fail-on NAMES    failure (default); warning, difference, or both separated by a comma
  --ignore CLAUSES   skips the checks of clauses, such as F7,D21
  --verbose          prints every finding of a warning, not only the first
  --rate N           most requests a second (5); it waits after 429 and 503
  --compare DIR      records the service again, in memory, and lists the differences from the recording in DIR
  --ignore-fields A,B  leaves out fields of records that always change, such as view_count or bikes.view_count
  --probe-writes     also sends POST, which must be rejected
`

const listOf = (expects: string, words: readonly string[]): Kind<readonly string[]> =>
  ({ expects, read: list => list.split(',').every(word => words.includes(word)) ? list.split(',') : undefined })

const kinds = {
  token: asciiToken, header: requestHeaders, reporter: oneOf(Object.keys(reporters) as (keyof typeof reporters)[]), rate: requestRate,
  'fail-on': listOf('failure, warning, difference or a comma list of them', ['failure', 'warning', 'difference']),
  ignore: listOf('clauses that verify checks, such as F7,D21', checks.flatMap(({ source }) => source.split(', '))),
  compare: text('a directory'),
  'ignore-fields': fieldNames
}

/** @throws {SettingsError} for the first invalid argument */
function readPlan (args: string[]) {
  const help = `${command} verify --help`
  const { values, isOn, rest: [url, ...others] } = readArguments(args, kinds, ['verbose', 'probe-writes'], help)
  if (url === undefined || others.length > 0) throw new SettingsError(`verify takes one URL, such as http://localhost:3000 (${help})`)
  const { 'fail-on': failOn = [], ignore = [], 'ignore-fields': ignoreFields = [], compare: directory } = values
  if (failOn.includes('difference') && directory === undefined) throw new SettingsError(`--fail-on difference needs --compare (${help})`)
  const { reporter = 'human', rate = 5, token, header = {} } = values
  const base = readValue({ ...serviceUrl, ...url.includes('@') && { secret: true } }, 'the URL', url)
  const switches = { isVerbose: isOn('verbose'), probeWrites: isOn('probe-writes') }
  return { base, token, header, reporter, failOn, ignore, rate, ignoreFields, directory, ...switches }
}

type Environment = {
  stdout: { write: (text: string) => unknown, hasColors?: () => boolean }
  stderr: { write: (text: string) => unknown, isTTY?: boolean }
  /** Ends the run early and reports the checks so far. */
  signal: AbortSignal
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
  const { base, token, header, rate, reporter, directory, failOn, ignore, ignoreFields } = plan
  const known = directory === undefined ? undefined : await readKnown(directory, base)
  const progress = (text: string) => { if (stderr.isTTY) stderr.write(`\r\x1b[K${text.slice(0, 78)}`) }
  let requests = 0
  const client = createClient(base, {
    rate, signal, headers: { 'user-agent': `${name}/${version}` }, ownHeaders: header,
    timeout: 60_000, maxWait: 120_000, maxBytes: 128 * 2 ** 20,
    retries: 1, // the server may close an idle connection just as the next request is sent
    onRequest: ({ method, target }) => {
      if (requests === maxRequests) throw new Untried(`limited: a run sends at most ${maxRequests.toLocaleString('en-GB')} requests`)
      progress(`${++requests} ${method} ${target}`)
    },
    onWait: reason => progress(`${requests} ${reason}`)
  })
  const ledger = createLedger(checks.filter(({ source }) => !source.split(', ').some(clause => ignore.includes(clause))), plan)
  let differences: Difference[] | undefined
  try {
    await runChecks({ ...plan, send: client, signal }, ledger)
    const service = {
      get: getWith(client), base: new URL(base.href.replace(/\/*$/, '/')), token, warn: () => {},
      limits: { pages: 400, arrayBytes: 2 ** 24 }
    }
    if (known !== undefined) differences = await compare(service, known, ignoreFields)
  } finally {
    progress('')
    const report = { ...plan, url: addressOf(base, base.pathname), requests, results: ledger.results(), differences }
    const text = report.results.length > 0 ? reporters[reporter](report, stdout.hasColors?.() ?? false) : ''
    // A service may repeat the token and headers in its responses; shorter values than these are words of the report, too.
    const secrets = [token ?? '', ...Object.values({ ...tokensLike(token), ...header })].filter(({ length }) => length >= 8)
    stdout.write(secrets.reduce((text, secret) => text.replaceAll(secret, '…'), text))
  }
  const results = ledger.results()
  const isLimited = results.some(({ skipped }) => skipped?.startsWith('limited')) && results.every(({ skipped }) => skipped !== undefined)
  if (isLimited) throw new Unreachable('nothing was checked: the service limits requests')
  const forDifferences = failOn.join() === 'difference'
  const hasFailed = results.some(({ ok, warnings }) => (!ok && !forDifferences) || (failOn.includes('warning') && warnings.length > 0))
  const hasChanged = failOn.includes('difference') && differences?.every(isAsRecorded) === false
  return hasFailed || hasChanged ? exitCodes.failed : exitCodes.done
}
