import { isUtf8 } from 'node:buffer'
import { unescape } from 'node:querystring'
import { listNames, requestHeaders, requestRate, serviceUrl } from '../client/arguments.ts'
import {
  addressOf, createClient, Unreachable, type HttpRequest, type HttpResponse, type Send
} from '../client/client.ts'
import { maskSecrets } from '../base/mask.ts'
import { printable, type Output } from '../base/text.ts'
import { command, name, version } from '../package.ts'
import { asciiToken, oneOf, wholeNumber, type Kind } from '../settings/kinds.ts'
import { isLoopback } from '../settings/read.ts'
import { readArguments } from '../settings/arguments.ts'
import { exitCodes, readValue, SettingsError } from '../settings/flags.ts'
import { createProgress } from '../service/progress.ts'
import { createLedger, expect, stopReason, tokensOf, RunEnded, type Check, type Ledger } from './check.ts'
import { limitIn, type Report } from './report.ts'
import { reporters } from './reporters.ts'
import { checks, checksOf, leftOut, runChecks } from './run.ts'

export const usage = `
Checks the server at URL against the contract (docs/contract.md), with one request at a time below the path of URL.
A check fails if the server differs from what the specification states; other differences are warnings. A user and a
password in URL are sent as Basic credentials. The limits are 60 seconds and 128 MB for a response, 400 pages for a
list, and 5,000 requests for a run.

  --token T          a token for version 2.1; without one its checks are skipped
  --header LINE      a header for a gateway, such as 'X-Api-Key: abc'; repeatable, sent only below the path of URL
  --reporter NAME    human (default), json, github for annotations in GitHub Actions, or junit
  --fail-on NAME     failure (default), or warning: warnings fail, too
  --ignore CLAUSES   skips the checks of clauses, such as F7,D21
  --verbose          prints every finding of a warning, not only the first
  --rate N           most requests a second (5, or 100 on a loopback address); it waits after 429, 502, 503 and 504
  --lists A,B        only these lists, such as saddles,brakes
  --max-requests N   at most N requests, the most telling first; the report says which checks were left out
  --probe-writes     also sends POST, which must be rejected
`

/** The most requests of a run, and those of a typical one. */
const mostRequests = 5_000
const typicalRequests = 1_200

const checkedClauses = checks.flatMap(({ source }) => source.split(', '))

const clauses: Kind<readonly string[]> = {
  expects: 'clauses that verify checks, such as F7,D21',
  read: list => {
    const names = list.split(',')
    return names.every(name => checkedClauses.includes(name)) ? names : undefined
  }
}

const flagKinds = {
  token: asciiToken,
  header: requestHeaders,
  reporter: oneOf(Object.keys(reporters) as (keyof typeof reporters)[]),
  rate: requestRate,
  lists: listNames,
  'max-requests': wholeNumber(1, mostRequests),
  'fail-on': oneOf(['failure', 'warning']),
  ignore: clauses
}

type VerifyPlan = ReturnType<typeof readPlan>

/** @throws {SettingsError} for the first invalid argument */
function readPlan (args: string[]) {
  const help = `${command} verify --help`
  const { values, isOn, rest: [url, ...others] } = readArguments(args, flagKinds, ['verbose', 'probe-writes'], help)
  if (url === undefined || others.length > 0) {
    throw new SettingsError(`verify takes one URL, such as http://localhost:3000 (${help})`)
  }
  // One that may contain a password is not repeated in an error.
  const kind: typeof serviceUrl = url.includes('@') ? { ...serviceUrl, secret: true } : serviceUrl
  const base = readValue(kind, 'the URL', url)
  return {
    base,
    token: values.token,
    header: values.header ?? {},
    reporter: values.reporter ?? 'human',
    failOn: values['fail-on'] ?? 'failure',
    ignore: values.ignore ?? [],
    rate: values.rate ?? (isLoopback(base.hostname.replace(/[[\]]/g, '')) ? 100 : 5),
    lists: values.lists,
    maxRequests: values['max-requests'],
    isVerbose: isOn('verbose'),
    probeWrites: isOn('probe-writes')
  }
}

type VerifyEnvironment = {
  stdout: Output
  stderr: Output
  /** Ends the run early and reports the checks so far. */
  signal: AbortSignal
  /** Waits between requests, by default for these milliseconds. */
  wait?: (milliseconds: number) => Promise<unknown>
}

/** Runs `verify` and returns the exit code. A typical service needs some hundred requests. */
export async function run (args: string[], environment: VerifyEnvironment, most = mostRequests): Promise<number> {
  const { stderr } = environment
  try {
    return await verify(readPlan(args), environment, most)
  } catch (error) {
    if (!(error instanceof SettingsError || error instanceof Unreachable)) throw error
    stderr.write(`${printable(error.message)}\n`)
    return exitCodes.unusable
  }
}

/** @throws {Unreachable} if the run ended early, or a limit left anything unread and nothing failed */
async function verify (plan: VerifyPlan, environment: VerifyEnvironment, most: number): Promise<number> {
  const { base, ignore, failOn, rate, lists, maxRequests = Infinity } = plan
  const { stderr, signal } = environment
  const expected = Math.min(typicalRequests, maxRequests) * (lists?.length ?? 10) / 10
  const progress = createProgress(stderr, { rate, typicalRequests: expected })
  const secrets = secretsOf(plan)
  const isWanted = ({ source }: Check) => !source.split(', ').some(clause => ignore.includes(clause))
  const ledger = createLedger(checksOf(lists).filter(isWanted), plan)
  const client = clientOf(plan, environment, ledger, request => {
    signal.throwIfAborted()
    const sent = progress.requests()
    if (sent === maxRequests) throw new RunEnded(leftOut(maxRequests))
    if (sent === most) throw new RunEnded(`limited: a run sends at most ${most.toLocaleString('en-GB')} requests`)
    progress.tell(maskSecrets(`${request.method} ${request.target}`, secrets))
  }, progress.show)
  let isKnown = maxRequests < Infinity || lists !== undefined
  const send: Send = async request => {
    const response = await client(request).catch((error: Error) => {
      if (signal.aborted) throw new RunEnded(stopReason)
      error.message = maskSecrets(error.message, secrets)
      throw error
    })
    const limit = Number(response.headers['x-ratelimit-limit'])
    if (!isKnown && limit < typicalRequests) {
      isKnown = true
      stderr.write(limitLine(limit, Number(response.headers['x-ratelimit-reset'])))
    }
    return maskResponse(response, secrets)
  }
  const unreachable = await runChecks({ ...plan, send }, ledger).catch((error: unknown) => {
    if (error instanceof Unreachable) return error.message
    throw error
  }).finally(progress.end)
  const results = ledger.results()
  const broken = unreachable ?? (signal.aborted ? stopReason : undefined)
  const error = broken ?? limitIn(results) ?? ''
  writeReport({
    ...plan, url: addressOf(base, base.pathname), requests: progress.requests(), results, error
  }, environment)
  const hasWarned = failOn === 'warning' && results.some(({ warnings }) => warnings.length > 0)
  const hasFailed = hasWarned || results.some(({ ok }) => !ok)
  if (error !== '' && (broken !== undefined || !hasFailed)) throw new Unreachable(error)
  return hasFailed ? exitCodes.failed : exitCodes.done
}

/** Says how long a run takes against a limit of so many requests; `seconds` is the time until it is counted anew. */
function limitLine (limit: number, seconds: number): string {
  const window = seconds > 0 && seconds <= 86_400 ? seconds : 60 // others are a date
  const minutes = Math.ceil(typicalRequests / limit * window / 60)
  return `The service allows ${limit} requests in ${window} s: about ${minutes} minutes for all. ` +
    'For a first look, use --max-requests 60.\n'
}

/** A value of fewer characters may be a word or a number of the data. */
const leastSecret = 8

function secretsOf ({ base, token, header }: VerifyPlan): string[] {
  const password = unescape(base.password)
  const basic = Buffer.from(`${unescape(base.username)}:${password}`).toString('base64')
  const secrets = [...tokensOf(token).values(), ...Object.values(header), password, basic]
  return secrets.filter(({ length }) => length >= leastSecret)
}

/** Masks the secrets that a service repeats, before any text is shortened for a report. */
function maskResponse (response: HttpResponse, secrets: readonly string[]): HttpResponse {
  const mask = (text: string) => maskSecrets(text, secrets)
  const encoding = isUtf8(response.body) ? 'utf8' : 'latin1'
  const body = Buffer.from(mask(response.body.toString(encoding)), encoding)
  const headers: NodeJS.Dict<string> = {}
  for (const [name, value] of Object.entries(response.headers)) headers[name] = mask(String(value))
  return { ...response, headers, body }
}

function clientOf (
  { base, rate, header }: VerifyPlan, { signal, wait }: VerifyEnvironment, ledger: Ledger,
  onRequest: (request: HttpRequest) => void, onWait: (reason: string) => void
): Send {
  return createClient(base, {
    rate, signal, wait, headers: { 'user-agent': `${name}/${version}` }, ownHeaders: header,
    timeout: 60_000, maxWait: 120_000, maxBytes: 128 * 2 ** 20,
    retries: 1, // the server may close an idle connection just as the next request is sent
    maxBroken: 10,
    onRequest,
    onLimited: ({ request: { method, target }, status, headers }) => {
      if (status !== 429) return
      const request = { method, target: target.replace(/\?.*/, ''), headers: {} } // others may have the token
      ledger.add('limits', expect('retry-after' in headers, '429 with Retry-After', 'none', { request }))
    },
    onWait
  })
}

/** Writes a report. A service may send what runners take as commands. */
function writeReport (report: Report & VerifyPlan, { stdout }: VerifyEnvironment): void {
  const { reporter } = report
  const text = reporters[reporter](report, stdout.hasColors?.() ?? false)
  const escaped = reporter === 'json' ? '\\u0023#[' : '\\u{23}#['
  stdout.write(text.replaceAll('##[', escaped))
}
