import type { FastifyRequest } from 'fastify'
import { hasSecret, withoutSecrets } from '../http/log.ts'
import { isSecretName, maskNamed } from '../base/mask.ts'
import { groupBy } from '../base/group.ts'
import { now } from '../base/timers.ts'
import { parseQuery, splitTarget } from '../http/target.ts'
import type { Resource } from '../lists/resources.ts'
import type { Fault } from './faults.ts'
import { matchesPath } from './rule.ts'

/** Headers by lower-case name; an array for repeated ones. Users of the package may lack Node's own type. */
type LoggedHeaders = Record<string, string | string[] | undefined>

type AdviceId =
  'path' | 'method' | 'slash' | 'token' | 'parameter' | 'ordering' | 'page' | 'retry-after' | 'syntax'

/** Advises a client that misuses the API, in one sentence. */
export type Advice = { readonly id: AdviceId, readonly text: string }

/** A request below /api/ or /media/, or for an unknown path with the name of a list, without credentials. */
export type RecordedRequest = {
  readonly method: string
  readonly path: string
  /** An array for a repeated parameter. */
  readonly query: Readonly<Record<string, string | string[]>>
  readonly headers: LoggedHeaders
  /** Null until the response begins, and for a connection that is closed before that. */
  readonly status: number | null
  /** When the request arrived, such as 2026-01-31T12:00:00.000Z. */
  readonly time: string
  /** The cause of a simulated response, such as `rule 2: fault=reset`, `Prefer: code=503` or `failure-rate`. */
  readonly simulated: string | null
  /** Facts apart from the response, such as `the client left after 0.5 s`. */
  readonly facts: readonly string[]
  /** How the client misuses the API; empty for most requests. */
  readonly advice: readonly Advice[]
}

type LoggableRequest = Pick<FastifyRequest, 'method' | 'url' | 'headers'>

/** A recorded request in memory, whose credentials are masked when it is read, because most never are. */
export class LoggedRequest {
  readonly method: string
  /** Its number, from 1; 0 for one that is hidden. */
  readonly number: number
  /** When it arrived: by the clock, and in milliseconds since the process started. */
  readonly date = Date.now()
  readonly arrivedAt = now()
  readonly advice: Advice[] = []
  /** Who may read the list that it is for; undefined for anything else. */
  access: Resource['access'] | undefined = undefined
  status: number | null = null
  simulated: string | null = null
  /** When its response ended or its client left. */
  endedAt?: number
  /** Whether its client left before the response ended. */
  isLeft = false
  /** The fault and the delay in milliseconds that the response had. */
  fault?: Fault | undefined
  delay?: number
  /** Why the response of an upstream service did not end, such as `ECONNRESET`. */
  cut?: string
  /** The id of the rule for a number of requests that applies to it. */
  limitedRule?: number
  readonly #secrets: readonly string[]
  #target: string
  #headers: LoggedHeaders
  #isMasked = false

  constructor ({ method, url, headers }: LoggableRequest, number: number, secrets: readonly string[]) {
    this.method = method
    this.number = number
    this.#target = url
    this.#headers = { ...headers } // a simulation may remove some from the request
    this.#secrets = secrets
  }

  advise (id: AdviceId, text: string): void {
    this.advice.push({ id, text })
  }

  get time (): string {
    return new Date(this.date).toISOString()
  }

  get target (): string {
    this.#mask()
    return this.#target
  }

  get path (): string {
    return splitTarget(this.target).path ?? this.target
  }

  get headers (): LoggedHeaders {
    this.#mask()
    return this.#headers
  }

  #mask (): void {
    if (this.#isMasked) return
    this.#isMasked = true
    this.#target = withoutSecrets(maskNamed(this.#target), this.#secrets)
    const sent = Object.entries(this.#headers).filter(([name]) => !isSecretName(name))
    this.#headers = Object.fromEntries(sent.map(([name, value]) => [name, shownValue(value, this.#secrets)]))
  }
}

function shownValue (value: LoggedHeaders[string], secrets: readonly string[]): LoggedHeaders[string] {
  const text = String(value)
  const isAddress = /^(?:https?:\/)?\/\S*$/i.test(text) // such as https://bikes.example/a or /api/v1/bikes/
  if (isAddress) return withoutSecrets(maskNamed(text), secrets)
  return hasSecret(text, secrets) ? '*' : value
}

/** The most recorded requests; the oldest ones are dropped. */
const maxRequests = 1_000

/** Returns whether a query asks for a request, by its path, as in rules, and its status, `null` without a response. */
export function isAskedFor (
  query: URLSearchParams, { path, status }: Pick<RecordedRequest, 'path' | 'status'>
): boolean {
  return matchesPath(query.get('path') ?? '*', path) && [null, String(status)].includes(query.get('status'))
}

export function createRequestLog (secrets: () => readonly string[]) {
  let recorded: LoggedRequest[] = [] // a request replaces the one that came so many before
  let count = 0
  let forgotten = 0
  const waiting = new Set<(ended: LoggedRequest) => void>()

  return {
    record,
    end,
    /** What is called when a request has ended. */
    waiting,
    /** Returns the entry of a request that is not recorded. */
    hidden: (request: LoggableRequest) => new LoggedRequest(request, 0, secrets()),
    list: (): readonly LoggedRequest[] => recorded.toSorted((a, b) => a.number - b.number),
    /** The number of requests that are no longer kept. */
    dropped: () => Math.max(0, count - forgotten - maxRequests),
    reset: () => {
      recorded = []
      forgotten = count
    }
  }

  /** Records a request; the caller sets what becomes of it. */
  function record (request: LoggableRequest): LoggedRequest {
    const entry = new LoggedRequest(request, ++count, secrets())
    recorded[(count - forgotten - 1) % maxRequests] = entry
    return entry
  }

  /** Sets that a request has got what it gets. */
  function end (entry: LoggedRequest): void {
    entry.endedAt = now()
    if (entry.number > 0) for (const notify of waiting) notify(entry)
  }
}

/** Returns recorded requests with their facts. */
export function toRequests (all: readonly LoggedRequest[]): RecordedRequest[] {
  const facts = factsOf(all)
  return all.map(logged => {
    const { method, target, path, headers, status, time, simulated, advice } = logged
    const query = recordedQuery(splitTarget(target).query)
    const { texts } = facts.get(logged) as Facts
    return { method, path, query, headers, status, time, simulated, facts: texts, advice: [...advice] }
  })
}

/** Facts about a request, apart from its response, and the same request that came while it was open. */
export type Facts = { readonly texts: readonly string[], readonly again: LoggedRequest | undefined }

/** Says in seconds how much later a time is. */
const secondsBetween = (from: number, to: number) => `${Math.round((to - from) / 10) / 100} s`

export function factsOf (all: readonly LoggedRequest[]): ReadonlyMap<LoggedRequest, Facts> {
  const facts = new Map<LoggedRequest, Facts>()
  for (const group of groupBy(all, ({ method, target }) => `${method} ${target}`).values()) {
    for (const [index, logged] of group.entries()) {
      const { arrivedAt, endedAt = Infinity, isLeft } = logged
      const texts: string[] = []
      if (isLeft) texts.push(`the client left after ${secondsBetween(arrivedAt, endedAt)}`)
      const again = sameWhileOpen(logged, group, index)
      if (again !== undefined) {
        texts.push(`the same request ${secondsBetween(arrivedAt, again.arrivedAt)} later, while this one was open`)
      }
      facts.set(logged, { texts, again })
    }
  }
  return facts
}

/** Headers that a browser changes when it sends a request again, as it then has a response. */
const conditional = new Set(['if-none-match', 'if-modified-since', 'cache-control', 'pragma', 'connection'])

/** The most requests that are compared with one. */
const maxCompared = 10

/** Returns the first of the later requests for a target that has the same headers, and came while one was open. */
export function sameWhileOpen (
  open: LoggedRequest, group: readonly LoggedRequest[], index: number
): LoggedRequest | undefined {
  const identityOf = ({ headers }: LoggedRequest) =>
    JSON.stringify(Object.entries(headers).filter(([name]) => !conditional.has(name)))
  for (const other of group.slice(index + 1, index + 1 + maxCompared)) {
    if (other.arrivedAt >= (open.endedAt ?? Infinity)) return undefined
    if (identityOf(other) === identityOf(open)) return other
  }
  return undefined
}

/** Parses a query that begins with a question mark. */
function recordedQuery (query: string): RecordedRequest['query'] {
  const parameters = [...parseQuery(query.slice(1)) ?? []]
  const groups = groupBy(parameters, ([name]) => name)
  const values = [...groups].map(([name, group]) => {
    const texts = group.map(([, text]) => text)
    return [name, texts.length === 1 ? texts[0] : texts]
  })
  return Object.fromEntries(values) as RecordedRequest['query']
}
