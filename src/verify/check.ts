import { LRUCache } from 'lru-cache'
import { short } from '../base/text.ts'
import { addressOf, Limited, type HttpRequest, type HttpResponse, type Send } from '../client/client.ts'
import { curlLine } from '../client/curl.ts'
import type { Resource } from '../lists/resources.ts'

/** A difference from a clause of the contract. */
export type Finding = {
  /** The request as a command line; the token is the shell's variable TOKEN. */
  request: string
  expected: string
  got: string
  /** The first affected record, unless it is longer than 64 kB. */
  record?: object
}

/** Bound the memory when everything is wrong: findings, characters of each, and characters of its record. */
const limits = { findings: 100, text: 1000, record: 65_536 }

/** One claim of the contract, with a function that checks it. */
export type Check = {
  id: string
  claim: string
  /** The clauses of docs/contract.md behind the claim, all in the same part. */
  source: string
  /** The list to request; `run` receives the response. */
  resource: Resource
  run: (probe: Probe, resource: Resource, response: HttpResponse) => Promise<void>
  /** A token, or permission to send POST. */
  needs?: 'token' | 'probe-writes' | undefined
  /** Whether findings count only if a second run confirms them, as data may change between two responses; default for stated clauses. */
  compares?: boolean
}

/** The result of a check; `skipped` is the reason why it was skipped. */
export type Result = Pick<Check, 'id' | 'claim' | 'source'> & { ok: boolean, failures: Finding[], warnings: Finding[], skipped?: string }

/** Returns whether the specification states a clause; differences from other clauses are warnings. */
const isStated = (source: string) => source.startsWith('S')

/** The server to check, its token, and whether to send methods other than GET, HEAD and OPTIONS. */
export type Subject = { base: URL, send: CachedSend, token: string | undefined, probeWrites: boolean }

export type Probe = ReturnType<typeof createProbe>

/** Sends the requests of a check and collects its findings. */
export function createProbe (subject: Subject) {
  const { base, send, token } = subject
  const findings: Finding[] = []
  /** The headers of a request for version 2.1. */
  const credentials: HttpRequest['headers'] = token === undefined ? {} : { authorization: `Token ${token}` }
  /** Puts the path of the base URL in front of a path of the contract. */
  const pathOf = (path: string) => base.pathname.replace(/\/$/, '') + path
  const request = (path: string, headers: HttpRequest['headers'] = {}, method = 'GET') => send({ method, target: pathOf(path), headers })
  /** Adds a finding unless `holds`, and returns `holds`. The finding shows the request that returned the record. */
  const expect = (response: HttpResponse, holds: boolean, expected: string, got: string, record?: object): boolean => {
    if (!holds && findings.length < limits.findings) {
      const isShown = record !== undefined && JSON.stringify(record).length <= limits.record
      const request = lineOf(sources.get(record ?? response) ?? response)
      findings.push({ request, expected: short(expected, limits.text), got: short(got, limits.text), ...isShown && { record } })
    }
    return holds
  }
  return { ...subject, findings, credentials, pathOf, request, expect }

  function lineOf ({ request: { method, target, headers } }: HttpResponse): string {
    const { authorization = '', ...others } = headers
    const isOwn = token !== undefined && authorization.endsWith(token)
    const shown = isOwn ? { ...others, authorization: `${authorization.slice(0, -token.length)}$TOKEN` } : headers
    const line = curlLine({ method, address: addressOf(base, target), headers: shown })
    return line.replace(/'authorization: (.*\$TOKEN)'/, '"Authorization: $1"') // a shell expands variables only in double quotes
  }
}

/** The response of each record on a later page. */
export const sources = new WeakMap<object, HttpResponse>()

/** Thrown when a check can't continue; the message begins with "needs". */
export class Untried extends Error {}

/** Returns why a check can't continue; rethrows any other error. */
export function reasonOf (error: unknown): string {
  if (error instanceof Limited) return 'limited: the service allows fewer requests; try a lower --rate'
  if (error instanceof Untried) return error.message
  throw error
}

/** Runs a check, and once more with new responses if the data may have changed meanwhile. */
export async function runCheck (
  check: Check, subject: Subject, responseOf: (probe: Probe, check: Check) => Promise<HttpResponse>
): Promise<Result> {
  const { id, claim, source, resource, needs, compares = isStated(source) && needs !== 'probe-writes' } = check
  const attempt = async (send: CachedSend) => {
    const probe = createProbe({ ...subject, send })
    const skipped = await responseOf(probe, check).then(response => check.run(probe, resource, response)).then(() => undefined, reasonOf)
    return { findings: probe.findings, skipped }
  }
  let { findings, skipped } = await attempt(subject.send)
  if (findings.length > 0 && compares) ({ findings, skipped } = await attempt(withCache(subject.send.fresh)))
  const [failures, warnings] = isStated(source) ? [findings, []] : [[], findings]
  const ok = failures.length === 0
  return { id, claim, source, ok, failures, warnings, ...findings.length === 0 && skipped !== undefined && { skipped } }
}

/** A cached client; `fresh` bypasses the cache. */
export type CachedSend = Send & { fresh: Send }

/** Caches up to 64 MB of responses: many checks send the same requests. */
export function withCache (fresh: Send): CachedSend {
  const cache = new LRUCache<string, HttpResponse>({ maxSize: 64 * 2 ** 20, sizeCalculation: ({ body }) => body.length + 1 })
  const send: Send = async request => {
    const key = JSON.stringify(request)
    const response = cache.get(key) ?? await fresh(request)
    cache.set(key, response)
    return response
  }
  return Object.assign(send, { fresh })
}
