import type { FastifyRequest } from 'fastify'
import { groupBy } from '../base/group.ts'
import { hasSecret, isSecretName, withoutSecrets } from '../http/log.ts'
import { splitTarget } from '../http/target.ts'
import { parseQuery } from '../lists/query.ts'
import type { Rule } from './rule.ts'

/** Headers by lower-case name; an array for repeated ones. No type of Node's, because consumers of the package may lack them. */
type Headers = Record<string, string | string[] | undefined>

/** A request of a list or an image, without credentials. */
export type RecordedRequest = {
  readonly method: string
  readonly path: string
  /** A repeated parameter has several texts. */
  readonly query: Readonly<Record<string, string | string[]>>
  readonly headers: Headers
  /** Null until the response begins, and for a connection that was closed before. */
  readonly status: number | null
  /** When the request arrived, such as 2026-01-31T12:00:00.000Z. */
  readonly time: string
  /** The cause of a simulated response, such as `rule 2: fault=reset`, `Prefer: code=503` or `failure-rate`. */
  readonly simulated: string | null
}

/** A recorded request as it is kept: its target takes less memory than its query. */
export type LoggedRequest = Pick<RecordedRequest, 'method' | 'headers' | 'time'> & {
  readonly target: string
  /** Counts the recorded requests, from 1. */
  number: number
  status: number | null
  simulated: string | null
  /** The fault and the delay in milliseconds that the response had. */
  fault?: Exclude<Rule['fault'], undefined>
  delay?: number
  /** The time until the end of the response, in milliseconds. */
  duration?: number
}

/** The most requests that are recorded, of which the oldest go first. */
const maxRequests = 1_000

export function createRequestLog (secrets: () => readonly string[]) {
  let recorded: LoggedRequest[] = []
  let count = 0

  return {
    /** Returns a request without its credentials; the caller sets the rest. */
    read ({ method, url, headers }: Pick<FastifyRequest, 'method' | 'url' | 'headers'>): LoggedRequest {
      const [time, target] = [new Date().toISOString(), withoutSecrets(url, secrets())]
      return { method, target, headers: shownHeaders(headers), time, number: 0, status: null, simulated: null }
    },
    record (kept: LoggedRequest): void {
      kept.number = ++count
      recorded.push(kept)
      if (recorded.length > maxRequests) recorded.shift()
    },
    /** Returns the recorded requests, oldest first. */
    list: (): readonly LoggedRequest[] => [...recorded],
    reset: () => { recorded = [] }
  }

  function shownHeaders (headers: Headers): Headers {
    const shown = Object.entries(headers).filter(([name]) => !isSecretName(name) && !/cookie/i.test(name))
    return Object.fromEntries(shown.map(([name, value]) => {
      const text = String(value)
      if (/^(?:https?:\/)?\/\S*$/i.test(text)) return [name, withoutSecrets(text, secrets())]
      return [name, hasSecret(text, secrets()) ? '*' : value]
    }))
  }
}

export function toRequest ({ target, method, headers, status, time, simulated }: LoggedRequest): RecordedRequest {
  const { path = target, query } = splitTarget(target)
  const parameters = [...parametersOf(query)].map(([name, all]) => [name, all.length === 1 ? all[0] as string : all] as const)
  return { method, path, query: Object.fromEntries(parameters), headers, status, time, simulated }
}

/** Returns the texts of each parameter of a query with its question mark. */
export function parametersOf (query: string): Map<string, string[]> {
  const groups = groupBy([...parseQuery(query.slice(1)) ?? []], ([name]) => name)
  return new Map([...groups].map(([name, all]) => [name, all.map(([, text]) => text)]))
}
