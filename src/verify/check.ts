import { short } from '../base/text.ts'
import { addressOf, Limited, type HttpRequest, type HttpResponse } from '../client/client.ts'
import { curlLine } from '../client/curl.ts'
import type { Resource } from '../lists/resources.ts'

/** A claim about a server, with the clauses of docs/contract.md behind it, all in the same part. */
export type Check = { id: string, claim: string, source: string }

/** A claim about each list, or those that `of` selects. Its key precedes the id, its path the claim, unless it concerns more than one. */
export type Row = {
  id: string
  claim: string
  clause: string | ((resource: Resource) => string)
  of?: (resource: Resource) => boolean
  isGeneral?: true
}

/** Chooses clauses for version 2.1, or for the other lists. */
export const byAccess = (ofV2: string, others: string) => ({ access }: Resource) => access === 'token' ? ofV2 : others

export function checkOf (resource: Resource, { id, claim, clause, isGeneral }: Row): Check {
  const source = typeof clause === 'string' ? clause : clause(resource)
  return isGeneral ? { id, claim, source } : { id: `${resource.key}/${id}`, claim: `${resource.path} ${claim}`, source }
}

/** A difference from a claim, as a judge finds it; those of the same `kind`, by default the same expectation, are one finding. */
export type Found = { expected: string, got: string, kind?: string, record?: object, request?: HttpRequest }

export const expect = (holds: boolean, expected: string, got: string, more: Partial<Found> = {}): readonly Found[] =>
  holds ? [] : [{ expected, got, ...more }]

/** A kind of difference, with the first request that showed it. */
export type Finding = Pick<Found, 'expected' | 'got' | 'record'> & {
  /** The request as a command line; the token is the shell's variable TOKEN. */
  request: string
  /** The number of further requests that showed it. */
  more: number
}

/** The result of a check; `skipped` is the reason why it was skipped. */
export type Result = Check & { ok: boolean, failures: Finding[], warnings: Finding[], skipped?: string }

/** Returns whether the specification states a clause; differences from other clauses are warnings. */
export const isStated = (source: string) => source.startsWith('S')

/** Bounds of a report: findings of a check, characters of each, and of its record, which is left out if it is longer. */
const limits = { findings: 20, text: 1000, record: 65_536 }

export type Target = { base: URL, token: string | undefined }

export type Ledger = ReturnType<typeof createLedger>

/** Collects what is found about checks; other checks are ignored. */
export function createLedger (checks: readonly Check[], target: Target) {
  type Entry = { check: Check, isJudged: boolean, findings: Map<string, Finding>, reason?: string }
  const entries = new Map(checks.map((check): [string, Entry] => [check.id, { check, isJudged: false, findings: new Map() }]))
  const kindOf = ({ kind, expected }: Found) => kind ?? expected

  return {
    has: (id: string) => entries.has(id),
    /** Returns whether a check would report a finding of a kind that it has not so far. */
    isNew (id: string, found: Found): boolean {
      const findings = entries.get(id)?.findings
      return findings !== undefined && findings.size < limits.findings && !findings.has(kindOf(found))
    },
    /** Adds differences, by default of the request of each. */
    add (id: string, differences: readonly Found[], response?: Pick<HttpResponse, 'request'>): void {
      const entry = entries.get(id)
      if (entry === undefined) return
      entry.isJudged = true
      for (const found of differences) {
        const known = entry.findings.get(kindOf(found))
        if (known !== undefined) known.more++
        else if (entry.findings.size < limits.findings) {
          entry.findings.set(kindOf(found), findingOf(found, (found.request ?? response?.request) as HttpRequest, target))
        }
      }
    },
    /** Keeps the first reason why a check was not tried; a limit also concerns checks that were tried in part. */
    skip (id: string, reason: string): void {
      const entry = entries.get(id)
      if (entry !== undefined && (!entry.isJudged || reason.startsWith('limited'))) entry.reason ??= reason
    },
    /** Returns the results of the checks that were judged or skipped. */
    results: () => [...entries.values()].flatMap(({ check, isJudged, findings, reason }): Result[] => {
      if (!isJudged && reason === undefined) return []
      const all = [...findings.values()]
      const [failures, warnings] = isStated(check.source) ? [all, []] : [[], all]
      const isSkipped = all.length === 0 && reason !== undefined
      return [{ ...check, ok: failures.length === 0, failures, warnings, ...isSkipped && { skipped: reason } }]
    })
  }
}

function findingOf ({ expected, got, record }: Found, request: HttpRequest, target: Target): Finding {
  const isShown = record !== undefined && JSON.stringify(record).length <= limits.record
  const texts = { expected: short(expected, limits.text), got: short(got, limits.text) }
  return { request: commandOf(request, target), ...texts, ...isShown && { record }, more: 0 }
}

/** Returns tokens that must not be accepted in place of a token, by how a shell makes them from the variable TOKEN. */
export function tokensLike (token = ''): Readonly<Record<string, string>> {
  const [suffix, cut] = ['x', '%?']
  const ends = { [`\${TOKEN}${suffix}`]: token + suffix, [`\${TOKEN${cut}}`]: token.slice(0, -1) }
  const all = Object.entries({ ...ends, '$(echo $TOKEN | tr a-z A-Z)': token.toUpperCase() })
  return Object.fromEntries(all.filter(([, other]) => other !== '' && other !== token))
}

/** Returns a request as a command line; a token, or one like it, is made from the shell's variable TOKEN. */
function commandOf ({ method, target, headers }: HttpRequest, { base, token }: Target): string {
  const address = addressOf(base, target)
  const { authorization, ...others } = headers
  const [name] = Object.entries({ $TOKEN: token, ...tokensLike(token) }).find(([, own]) => authorization === `Token ${own}`) ?? []
  if (name === undefined) return curlLine({ method, address, headers })
  return curlLine({ method, address, token: true, headers: others }).replace('$TOKEN', () => name)
}

/** Thrown when a run has sent all requests that it may send. */
export class Untried extends Error {}

/** Returns why checks were not tried, for an error of a limit; undefined for others. */
export function limitOf (error: unknown): string | undefined {
  if (error instanceof Untried) return error.message
  return error instanceof Limited ? 'limited: the service allows fewer requests; try a lower --rate' : undefined
}
