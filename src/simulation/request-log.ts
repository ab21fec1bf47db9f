import type { FastifyRequest } from 'fastify'
import { hasSecret, withoutSecrets } from '../http/log.ts'
import { groupBy } from '../base/group.ts'
import { parseQuery, splitTarget } from '../http/target.ts'
import type { Rule } from './rule.ts'

/** Headers by lower-case name; an array for repeated ones. Users of the package may lack Node's own type. */
type LoggedHeaders = Record<string, string | string[] | undefined>

type AdviceId =
  'path' | 'method' | 'slash' | 'token' | 'parameter' | 'ordering' | 'page' | 'retry-after' | 'twin' | 'syntax'

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
  /** How often the client sent the request, as its connection was cut. */
  readonly tries: number
  /** How the client misuses the API; empty for most requests. */
  readonly advice: readonly Advice[]
}

/** A recorded request in memory; a target takes less than a parsed query. */
export type LoggedRequest = {
  readonly method: string
  readonly target: string
  readonly headers: LoggedHeaders
  readonly time: string
  /** Its number, from 1; 0 for one that is hidden. */
  readonly number: number
  readonly advice: Advice[]
  status: number | null
  simulated: string | null
  tries: number
  /** The fault and the delay in milliseconds that the response had. */
  fault?: Exclude<Rule['fault'], undefined>
  delay?: number
  /** The time until the end of the response, in milliseconds. */
  duration?: number
  /** The id of the rule for a number of requests that applies to it. */
  limitedRule?: number
  /** The number of the same request that its client sent at once with it. */
  twinOf?: number
}

type LoggableRequest = Pick<FastifyRequest, 'method' | 'url' | 'headers'>

/** The most recorded requests; the oldest ones are dropped. */
const maxRequests = 1_000

export function createRequestLog (secrets: () => readonly string[]) {
  let recorded: LoggedRequest[] = []
  let count = 0

  return { record, createEntry, list: (): readonly LoggedRequest[] => [...recorded], reset: () => { recorded = [] } }

  /** Records a request without its credentials; the caller sets what becomes of it. */
  function record (request: LoggableRequest): LoggedRequest {
    const entry = createEntry(request, ++count)
    recorded.push(entry)
    if (recorded.length > maxRequests) recorded.shift()
    return entry
  }

  /** Returns the entry of a request that is not recorded. */
  function createEntry ({ method, url, headers }: LoggableRequest, number = 0): LoggedRequest {
    // One look for all, because most requests have no secrets.
    const sent = Object.entries(headers).filter(([name]) => !isCredential(name))
    const text = [url, ...sent.map(([, value]) => value)].join(' ')
    const hasNone = !hasSecret(text, secrets()) && !text.includes('@')
    const shown = hasNone ? sent : sent.map(([name, value]) => [name, shownValue(value)])
    return {
      number,
      method,
      target: hasNone ? url : withoutSecrets(url, secrets()),
      headers: Object.fromEntries(shown),
      time: new Date().toISOString(),
      status: null,
      simulated: null,
      tries: 1,
      advice: []
    }
  }

  function shownValue (value: LoggedHeaders[string]): LoggedHeaders[string] {
    const text = String(value)
    if (isAddress(text)) return withoutSecrets(text, secrets())
    return hasSecret(text, secrets()) ? '*' : value
  }
}

const isCredential = (name: string) => /authorization|cookie/i.test(name)

/** Returns whether the value of a header is a URL, such as `https://bikes.example/a` or `/api/v1/bikes/`. */
const isAddress = (text: string) => /^(?:https?:\/)?\/\S*$/i.test(text)

export function toRequest (logged: LoggedRequest): RecordedRequest {
  const { method, target, headers, status, time, simulated, tries, advice } = logged
  const { path = target, query } = splitTarget(target)
  const parameters = recordedQuery(query)
  return { method, path, query: parameters, headers, status, time, simulated, tries, advice: [...advice] }
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
