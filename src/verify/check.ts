import { LRUCache } from 'lru-cache'
import { addressOf, type HttpRequest, type HttpResponse, type Send } from '../http/client.ts'
import { short } from '../http/text.ts'
import { curlLine } from '../http/curl.ts'
import type { Resource } from '../lists/resources.ts'

/** A failure, or a remark where the contract is silent and the server differs from ours. */
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
  /** The clauses of docs/contract.md that make the claim; a difference from decided ones (D) only is a remark. */
  source: string
  /** The list that it requests. */
  resource: Resource
  /** Receives the response of the list. */
  run: (probe: Probe, response: HttpResponse) => Promise<void>
  /** A token, or permission to send requests that try to write. */
  needs?: 'token' | 'probe-writes' | undefined
}

/** The result of a check; `skipped` is the reason why it was skipped and begins with "needs". */
export type Result = Pick<Check, 'id' | 'claim' | 'source'> & { ok: boolean, failures: Finding[], remarks: Finding[], skipped?: string }

/** The server that is checked, the token for it, and whether it may get methods other than GET, HEAD and OPTIONS. */
export type Subject = { base: URL, send: Send, token: string | undefined, probeWrites: boolean }

/** Sends the requests of a check and collects its findings. */
export class Probe {
  readonly failures: Finding[] = []
  readonly remarks: Finding[] = []
  readonly subject: Subject
  /** Nothing is a failure. */
  readonly #isOpen: boolean

  constructor (subject: Subject, isOpen = false) {
    this.subject = subject
    this.#isOpen = isOpen
  }

  /** The headers of a request for version 2.1. */
  get credentials (): HttpRequest['headers'] {
    const { token } = this.subject
    return token === undefined ? {} : { authorization: `Token ${token}` }
  }

  /** Returns the path on this server of a path of the contract, which is relative to the base address. */
  pathOf (path: string): string {
    return this.subject.base.pathname.replace(/\/$/, '') + path
  }

  request (path: string, headers: HttpRequest['headers'] = {}, method = 'GET'): Promise<HttpResponse> {
    return this.subject.send({ method, target: this.pathOf(path), headers })
  }

  /** Adds a failure unless `holds`, which it returns; a remark where the clauses are decided ones, but for errors of the server. */
  must (response: HttpResponse, holds: boolean, expected: string, got: string, record?: object): boolean {
    return holds || this.#add(this.#isOpen && response.status < 500 ? this.remarks : this.failures, response, expected, got, record)
  }

  /** Adds a remark unless `holds`, which it returns. */
  may (response: HttpResponse, holds: boolean, expected: string, got: string, record?: object): boolean {
    return holds || this.#add(this.remarks, response, expected, got, record)
  }

  #add (findings: Finding[], { request }: HttpResponse, expected: string, got: string, record?: object): false {
    if (findings.length === limits.findings) return false
    const isShown = record !== undefined && JSON.stringify(record).length <= limits.record
    const finding = { request: this.#commandOf(request), expected: short(expected, limits.text), got: short(got, limits.text) }
    findings.push({ ...finding, ...isShown && { record } })
    return false
  }

  #commandOf ({ method, target, headers: { authorization, ...headers } }: HttpRequest): string {
    const address = addressOf(this.subject.base, target)
    if (authorization === undefined) return curlLine({ method, address, headers })
    const isOwn = authorization === this.credentials['authorization']
    return curlLine({ method, address, ...isOwn ? { headers, token: true } : { headers: { ...headers, authorization } } })
  }
}

/** Is thrown where a check cannot go on; its message begins with "needs". */
export class Untried extends Error {}

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
