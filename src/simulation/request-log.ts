import type { FastifyRequest } from 'fastify'
import { hasSecret, withoutSecrets } from '../http/log.ts'
import { splitTarget } from '../http/target.ts'
import type { Advice } from './advice.ts'
import type { Rule } from './rule.ts'
import { parametersOf } from './rules.ts'

/** Headers by lower-case name; an array for repeated ones. Users of the package may lack Node's own type. */
type Headers = Record<string, string | string[] | undefined>

/** A request for a list or an image, without credentials. */
export type RecordedRequest = {
  readonly method: string
  readonly path: string
  /** An array for a repeated parameter. */
  readonly query: Readonly<Record<string, string | string[]>>
  readonly headers: Headers
  /** Null until the response begins, and for a connection that is closed before that. */
  readonly status: number | null
  /** When the request arrived, such as 2026-01-31T12:00:00.000Z. */
  readonly time: string
  /** The cause of a simulated response, such as `rule 2: fault=reset`, `Prefer: code=503` or `failure-rate`. */
  readonly simulated: string | null
  /** How often the client sent the request, as its connection was cut. */
  readonly tries: number
  /** What the client does wrong by the contract; empty for most. */
  readonly advice: readonly Advice[]
}

/** A recorded request in memory; a target takes less than a parsed query. */
export type LoggedRequest = { -readonly [Name in Exclude<keyof RecordedRequest, 'path' | 'query'>]: RecordedRequest[Name] } & {
  target: string
  /** Its number, from 1. */
  number: number
  /** The fault and the delay in milliseconds that the response had. */
  fault?: Exclude<Rule['fault'], undefined>
  delay?: number
  /** The time until the end of the response, in milliseconds. */
  duration?: number
}

/** The most recorded requests; the oldest ones are dropped. */
const maxRequests = 1_000

export function createRequestLog (secrets: () => readonly string[]) {
  let recorded: LoggedRequest[] = []
  let count = 0

  return {
    /** Records a request, unless it is hidden, without its credentials; the caller sets the rest. */
    record (request: Pick<FastifyRequest, 'method' | 'url' | 'headers'>, advice: readonly Advice[], isHidden: boolean): LoggedRequest {
      const { method, url, headers } = request
      const [time, target] = [new Date().toISOString(), withoutSecrets(url, secrets())]
      const number = isHidden ? 0 : ++count
      const logged = { number, method, target, headers: shownHeaders(headers), time, status: null, simulated: null, tries: 1, advice }
      if (!isHidden) recorded.push(logged)
      if (recorded.length > maxRequests) recorded.shift()
      return logged
    },
    /** Returns the recorded requests, oldest first. */
    list: (): readonly LoggedRequest[] => [...recorded],
    reset: () => { recorded = [] }
  }

  function shownHeaders (headers: Headers): Headers {
    const shown = Object.entries(headers).filter(([name]) => !/authorization|cookie/i.test(name))
    return Object.fromEntries(shown.map(([name, value]) => {
      const text = String(value)
      if (/^(?:https?:\/)?\/\S*$/i.test(text)) return [name, withoutSecrets(text, secrets())]
      return [name, hasSecret(text, secrets()) ? '*' : value]
    }))
  }
}

export function toRequest ({ target, method, headers, status, time, simulated, tries, advice }: LoggedRequest): RecordedRequest {
  const { path = target, query } = splitTarget(target)
  const parameters = [...parametersOf(query)].map(([name, all]) => [name, all.length === 1 ? all[0] as string : all] as const)
  return { method, path, query: Object.fromEntries(parameters), headers, status, time, simulated, tries, advice }
}
