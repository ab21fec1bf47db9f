import { LRUCache } from 'lru-cache'
import { addressOf, type HttpRequest, type HttpResponse, type Send } from '../client/client.ts'
import { short } from '../base/text.ts'
import { curlLine } from '../client/curl.ts'
import type { Resource } from '../lists/resources.ts'

/** A failure, or a warning where the contract is silent and the server differs from ours. */
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
  /** The clauses of docs/contract.md that make the claim; a difference from decided ones (D) only is a warning. */
  source: string
  /** The list of which `run` receives a response. */
  resource: Resource
  run: (probe: Probe, resource: Resource, response: HttpResponse) => Promise<void>
  /** A token, or permission to send requests that try to write. */
  needs?: 'token' | 'probe-writes' | undefined
}

/** The result of a check; `skipped` is the reason why it was skipped and begins with "needs". */
export type Result = Pick<Check, 'id' | 'claim' | 'source'> & { ok: boolean, failures: Finding[], warnings: Finding[], skipped?: string }

/** The server that is checked, the token for it, and whether it may get methods other than GET, HEAD and OPTIONS. */
export type Subject = { base: URL, send: Send, token: string | undefined, probeWrites: boolean }

type Details = [expected: string, got: string, record?: object | undefined]

export type Probe = ReturnType<typeof createProbe>

/** Sends the requests of a check and collects its findings. Where its clauses are decided ones, only errors of the server are failures. */
export function createProbe (subject: Subject, isDecided = false) {
  const { base, send, token } = subject
  const failures: Finding[] = []
  const warnings: Finding[] = []
  /** The headers of a request for version 2.1. */
  const credentials: HttpRequest['headers'] = token === undefined ? {} : { authorization: `Token ${token}` }
  /** Returns the path on this server of a path of the contract, which is relative to the base address. */
  const pathOf = (path: string) => base.pathname.replace(/\/$/, '') + path
  const request = (path: string, headers: HttpRequest['headers'] = {}, method = 'GET') => send({ method, target: pathOf(path), headers })
  /** Adds a failure unless `holds`, which it returns. */
  const must = (response: HttpResponse, holds: boolean, ...details: Details) =>
    holds || add(isDecided && response.status < 500 ? warnings : failures, response, details)
  /** Adds a warning unless `holds`, which it returns. */
  const may = (response: HttpResponse, holds: boolean, ...details: Details) => holds || add(warnings, response, details)

  return { ...subject, failures, warnings, credentials, pathOf, request, must, may }

  function add (findings: Finding[], { request: { method, target, headers } }: HttpResponse, [expected, got, record]: Details): false {
    if (findings.length === limits.findings) return false
    const { authorization, ...others } = headers
    const isOwn = authorization !== undefined && authorization === credentials['authorization']
    const request = curlLine({ method, address: addressOf(base, target), ...isOwn ? { headers: others, token: true } : { headers } })
    const isShown = record !== undefined && JSON.stringify(record).length <= limits.record
    findings.push({ request, expected: short(expected, limits.text), got: short(got, limits.text), ...isShown && { record } })
    return false
  }
}

/** Is thrown where a check cannot go on; its message begins with "needs". */
export class Untried extends Error {}

/** Returns the reason why a check cannot go on. Throws any other error. */
export function reasonOf (error: unknown): string {
  if (error instanceof Untried) return error.message
  throw error
}

/** Caches up to 64 MB of responses, because many checks send the same requests. */
export function withCache (send: Send): Send {
  const cache = new LRUCache<string, HttpResponse>({ maxSize: 64 * 2 ** 20, sizeCalculation: ({ body }) => body.length + 1 })
  return async request => {
    const key = JSON.stringify(request)
    const response = cache.get(key) ?? await send(request)
    cache.set(key, response)
    return response
  }
}
