import { short } from '../base/text.ts'
import { addressOf, Limited, type HttpRequest } from '../client/client.ts'
import { curlLine } from '../client/curl.ts'
import type { Resource } from '../lists/resources.ts'

/** A claim about a server, with the clauses of docs/contract.md behind it, all in the same part. */
export type Check = { id: string, claim: string, source: string }

/**
 * A claim about each list, or those that `of` selects. The list's key precedes the id, its path the claim, unless the
 * claim is general.
 */
export type CheckRow = {
  id: string
  claim: string
  clause: string | ((resource: Resource) => string)
  of?: (resource: Resource) => boolean
  isGeneral?: true
  /** Why no response may concern it, by default as the list has no pages. */
  lacks?: string
}

export const isOfV2 = ({ access }: Resource) => access === 'token'

/** Chooses clauses for version 2.1, or for the other lists. */
export const byAccess = (ofV2: string, others: string) => (resource: Resource) => isOfV2(resource) ? ofV2 : others

export function checkOf (resource: Resource, { id, claim, clause, isGeneral }: CheckRow): Check {
  const { key, path } = resource
  const source = typeof clause === 'string' ? clause : clause(resource)
  if (isGeneral) return { id, claim, source }
  return { id: `${key}/${id}`, claim: `${path} ${claim}`, source }
}

/** A difference from a claim, as a judge finds it. */
export type Found = {
  expected: string
  got: string
  /** Those of the same kind, by default the same expectation, are one finding. */
  kind?: string
  record?: object | undefined
  request?: HttpRequest
  /** A warning, even if the specification states the claim. */
  isDoubtful?: boolean
}

/** The differences from a claim; none if it holds. */
export type Differences = readonly Found[]

type FoundMore = Partial<Omit<Found, 'expected' | 'got'>>

export const difference = (expected: string, got: string, more: FoundMore = {}): Differences =>
  [{ expected, got, ...more }]

/** Returns the difference unless a claim holds. */
export const expect = (holds: boolean, expected: string, got: string, more?: FoundMore): Differences =>
  holds ? [] : difference(expected, got, more)

/** A kind of difference, with the first request that showed it. */
export type Finding = Pick<Found, 'expected' | 'got' | 'record'> & {
  /** The request as a command line; the token is the shell's variable TOKEN. */
  request: string
  /** The number of further requests that showed it. */
  more: number
}

/** The result of a check. */
export type Result = Check & {
  ok: boolean
  failures: Finding[]
  warnings: Finding[]
  /** The reason why it was skipped. */
  skipped?: string
}

/** Returns whether the specification states a clause; differences from other clauses are warnings. */
export const isStated = (source: string) => source.startsWith('S')

/** Bounds of a report: findings of a check, characters of each, and of its record; a longer one is left out. */
const bounds = { findings: 20, text: 1000, record: 65_536 }

export type Target = { base: URL, token: string | undefined }

export type Ledger = ReturnType<typeof createLedger>

type Entry = {
  check: Check
  isJudged: boolean
  findings: Map<string, Finding & { isWarning: boolean }>
  reason?: string
}

/** Collects what is found about checks; other checks are ignored. */
export function createLedger (checks: readonly Check[], { base }: Target) {
  const entries = new Map<string, Entry>()
  for (const check of checks) entries.set(check.id, { check, isJudged: false, findings: new Map() })
  const has = (id: string) => entries.has(id)
  const results = () => [...entries.values()].flatMap(checkResult)

  return { has, add, doubt, skip, results }

  /** Adds differences, by default of one request. Returns whether one of them is a failure. */
  function add (id: string, differences: Differences, request?: HttpRequest): boolean {
    const entry = entries.get(id)
    if (entry === undefined) return false
    entry.isJudged = true
    const { findings, check } = entry
    for (const found of differences) {
      const { expected, got, kind = expected, record } = found
      const isWarning = found.isDoubtful === true || !isStated(check.source)
      const known = findings.get(kind)
      if (known !== undefined) {
        known.more++
        known.isWarning &&= isWarning
      } else if (findings.size < bounds.findings) {
        const isShown = record !== undefined && JSON.stringify(record).length <= bounds.record
        findings.set(kind, {
          request: commandOf((found.request ?? request) as HttpRequest, base),
          expected: short(expected, bounds.text),
          got: short(got, bounds.text),
          record: isShown ? record : undefined,
          more: 0,
          isWarning
        })
      }
    }
    return isStated(check.source) && differences.some(({ isDoubtful }) => !isDoubtful)
  }

  /** Makes the failures of a check warnings, as a second reading did not show them. */
  function doubt (id: string): void {
    const { findings } = entries.get(id) as Entry
    for (const finding of findings.values()) {
      if (finding.isWarning) continue
      finding.isWarning = true
      finding.got += ', in 1 of 2 readings'
    }
  }

  /** Keeps the first reason why a check was not tried; a limit also concerns checks that were tried in part. */
  function skip (id: string, reason: string): void {
    const entry = entries.get(id)
    if (entry !== undefined && (!entry.isJudged || isLimit(reason))) entry.reason ??= reason
  }
}

/** Returns the result of a check that was judged or skipped. */
function checkResult ({ check, isJudged, findings, reason }: Entry): Result[] {
  if (!isJudged && reason === undefined) return []
  const failures: Finding[] = []
  const warnings: Finding[] = []
  for (const { isWarning, ...finding } of findings.values()) (isWarning ? warnings : failures).push(finding)
  const result: Result = { ...check, ok: failures.length === 0, failures, warnings }
  if (findings.size === 0 && reason !== undefined) result.skipped = reason
  return [result]
}

/**
 * Returns shell expressions with the variable TOKEN, which stand for tokens in requests, and the tokens: the right one,
 * and those that must not be accepted in its place, with a letter more, with one fewer, and in capitals.
 */
export function tokensOf (token = ''): ReadonlyMap<string, string> {
  const others = [
    ['$(printf %s "$TOKEN" | sed s/$/x/)', `${token}x`],
    ['$(printf %s "$TOKEN" | sed s/.$//)', token.slice(0, -1)],
    ['$(printf %s "$TOKEN" | tr a-z A-Z)', token.toUpperCase()]
  ] as const
  const different = others.filter(([, other]) => other !== '' && other !== token)
  return new Map([['$TOKEN', token], ...different])
}

/** The Authorization of the right token. */
export const validToken = 'Token $TOKEN'

/** Returns a request with tokens in place of their expressions, which end a target and a header. */
export function withTokens (request: HttpRequest, tokens: ReadonlyMap<string, string>): HttpRequest {
  const fill = (text: string) => text.replace(/\$.*/, expression => tokens.get(expression) ?? expression)
  const headers = Object.entries(request.headers).map(([name, value]) => [name, fill(value)])
  return { ...request, target: fill(request.target), headers: Object.fromEntries(headers) }
}

/** Returns a request as a command line. */
function commandOf ({ method, target, headers }: HttpRequest, base: URL): string {
  const { authorization, ...others } = headers
  const line = curlLine({ method, address: addressOf(base, target), authorization, headers: others })
  return line.replace('token=$TOKEN', () => 'token=\'"$TOKEN"\'')
}

/** Thrown when a run ends before its end; the message is the reason in a report. */
export class RunEnded extends Error {}

export const stopReason = 'the run was stopped'

const limitPrefix = 'limited: '

/** Returns whether a check was skipped although the run was to judge it. */
export const isLimit = (reason: string | undefined) => reason === stopReason || reason?.startsWith(limitPrefix) === true

/** Returns why checks were not tried, for an error of a limit; undefined for others. */
export function limitReason (error: unknown): string | undefined {
  if (error instanceof RunEnded) return error.message
  return error instanceof Limited ? `${limitPrefix}the service allows fewer requests; try a lower --rate` : undefined
}
