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
  /** The first such record, unless it is longer than 64 kB. */
  record?: object
}

/** Bound the memory for a server that gets everything wrong: findings, and characters of each and of its record. */
const limits = { findings: 100, text: 1000, record: 65_536 }

/** One claim of the contract, with a function that checks it. */
export type Check = {
  id: string
  claim: string
  /** The clauses of docs/contract.md that make the claim, all of one part. */
  source: string
  /** The list of which `run` receives a response. */
  resource: Resource
  run: (probe: Probe, resource: Resource, response: HttpResponse) => Promise<void>
  /** A token, or permission to send requests that try to write. */
  needs?: 'token' | 'probe-writes' | undefined
  /** Runs again before its findings count, because the data may have changed between two responses; stated clauses do so by default. */
  compares?: boolean
}

/** The result of a check; `skipped` is the reason why it was skipped. */
export type Result = Pick<Check, 'id' | 'claim' | 'source'> & { ok: boolean, failures: Finding[], warnings: Finding[], skipped?: string }

/** Returns whether the specification states a clause. A difference from any other is a warning. */
const isStated = (source: string) => source.startsWith('S')

/** The server that is checked, the token for it, and whether it may get methods other than GET, HEAD and OPTIONS. */
export type Subject = { base: URL, send: CachedSend, token: string | undefined, probeWrites: boolean }

export type Probe = ReturnType<typeof createProbe>

/** Sends the requests of a check and collects its findings. */
export function createProbe (subject: Subject) {
  const { base, send, token } = subject
  const findings: Finding[] = []
  /** The headers of a request for version 2.1. */
  const credentials: HttpRequest['headers'] = token === undefined ? {} : { authorization: `Token ${token}` }
  /** Returns the path on this server of a path of the contract, which is relative to the base address. */
  const pathOf = (path: string) => base.pathname.replace(/\/$/, '') + path
  const request = (path: string, headers: HttpRequest['headers'] = {}, method = 'GET') => send({ method, target: pathOf(path), headers })
  /** Adds a finding unless `holds`, which it returns; the request is that of the record's page. */
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
    const { authorization, ...others } = headers
    const isOwn = authorization !== undefined && authorization === credentials['authorization']
    const masked = token !== undefined && authorization?.endsWith(token) ? `${authorization.slice(0, -token.length)}$TOKEN` : authorization
    const shown = masked === undefined ? others : { ...others, authorization: masked }
    return curlLine({ method, address: addressOf(base, target), ...isOwn ? { headers: others, token: true } : { headers: shown } })
  }
}

/** The responses that records of later pages are in. */
export const sources = new WeakMap<object, HttpResponse>()

/** Is thrown where a check cannot go on; its message begins with "needs". */
export class Untried extends Error {}

/** Returns the reason why a check cannot go on. Throws any other error. */
export function reasonOf (error: unknown): string {
  if (error instanceof Limited) return 'limited: the service allows fewer requests; try a lower --rate'
  if (error instanceof Untried) return error.message
  throw error
}

/** Runs a check, and one that may have met a change once more, with new responses. */
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

/** Caches responses; `fresh` sends a request again. */
export type CachedSend = Send & { fresh: Send }

/** Caches up to 64 MB of responses, because many checks send the same requests. */
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
