import { attempt } from '../base/attempt.ts'
import type { JsonObject } from '../base/json.ts'
import { short, shortPair } from '../base/text.ts'
import type { HttpRequest, HttpResponse } from '../client/client.ts'
import type { Resource } from '../lists/resources.ts'
import { keyOf, type Choice, type ListFacts } from '../service/plan.ts'
import type { ServiceBody } from '../service/read.ts'
import type { CheckRow, Found, Differences, Ledger, Target } from './check.ts'

/** Sends a request, by default by GET; the session says what `target` is relative to. */
export type SendRequest = (target: string, headers?: HttpRequest['headers'], method?: string) => Promise<HttpResponse>

/** What is known of a list, and how to request it. */
export type Session = Target & {
  resource: Resource
  /** The path of the list, below that of the base URL. */
  path: string
  /** Requests a path, with its query if any, without credentials. */
  requestPath: SendRequest
  /** Requests the list with a query that has its question mark, or is empty, and with the token for version 2.1. */
  requestList: SendRequest
  ledger: Ledger
  /** The word that the service uses in place of `fitness` in names of fields (contract S27). */
  fitness?: string | undefined
  /** The records by their ids; until they are read, those of version 1 for other lists of bikes. */
  sample: Map<string, JsonObject>
  facts: ListFacts
  /** The responses read so far, by their keys. */
  readings: Map<string, Reading>
  /** The series read so far, by the `keyOf` their choices; `{}` is the plain request. */
  seriesByChoice: Map<string, Series>
  /** The failures so far, without warnings. */
  failures: { id: string, reading: Reading }[]
  /** Counters that had different values in two responses. */
  changing: Set<string>
}

/**
 * How much of a response the specification leaves open: nothing, whether it is an error, its representation, or
 * everything.
 */
export type Openness = 'nothing' | 'refusal' | 'representation' | 'response'

/** A response without its body, which is not kept. */
export type Reading = Pick<HttpResponse, 'request' | 'status' | 'headers'> & Pick<ServiceBody, 'form' | 'ids'> & {
  /** The same for requests that differ in the order of their parameters alone. */
  key: string
  choice: Choice
  /** The choice whose series it was read for. */
  series: Choice
  /** The query as it was sent; a redirect may have led to another one. */
  query: URLSearchParams
  /** The position of the page in its list; 0 for a single response. */
  index: number
  /** The fields of a page, with null as its records. */
  page: JsonObject | undefined
}

/** The checks that report errors of records: of stated fields, timestamps, images, and unstated values. */
export type RecordPart = 'schema' | 'timestamps' | 'image-urls' | 'values'

/** A response with its body, as it is judged. */
export type Exchange = HttpResponse & ServiceBody & Omit<Reading, 'page'> & {
  openness: Openness
  /** The errors of the records, each kind once. */
  errors: readonly (Found & { part: RecordPart })[]
  /** For a response to HEAD, the response to the same request by GET if it was read. */
  readingOfGet?: Reading | undefined
}

/** The pages of a request along its next links, or its only response. */
export type Series = {
  choice: Choice
  first: Reading
  pages: readonly Reading[]
  /** Whether it has the first page, the last one, and those between. */
  isWhole: boolean
}

/** What is true of every response that it concerns. */
export type Property = CheckRow & {
  concerns: (exchange: Exchange) => boolean
  /** Whether it concerns headers alone: one that differs now and then is a warning. */
  isOfHeaders?: true
  judge: (exchange: Exchange, session: Session) => Differences
}

/** Returns whether a response is one to GET that should be JSON. */
export const isForJson = ({ choice }: Pick<Exchange, 'choice'>) =>
  choice.method === undefined && choice.format !== 'api'

/** Returns the series of the plain request, which has no query and no headers of its own; it is read first. */
export const plainOf = ({ seriesByChoice }: Session) => seriesByChoice.get(keyOf({}))

/** Returns the first series of the whole list, as an array or along its links. */
export function wholeOf (session: Session): Series | undefined {
  const numbered = session.seriesByChoice.get(keyOf({ page: '1' }))
  return [plainOf(session), numbered].find(series => series?.isWhole)
}

export const idsIn = ({ pages }: Pick<Series, 'pages'>) => pages.flatMap(({ ids }) => ids)

const jsonText = (value: unknown) => JSON.stringify(value) ?? 'nothing'

/** Formats a value as JSON, shortened to one line. */
export const shown = (value: unknown) => short(jsonText(value))

/** Formats two values that differ. */
export const shownPair = (one: unknown, other: unknown) => shortPair(jsonText(one), jsonText(other))

export const named = ({ id }: JsonObject) => id === undefined ? 'a record without an id' : `record ${shown(id)}`

/** Returns the first characters of a body for a report. */
export const startOfBody = ({ body }: HttpResponse) => short(body.toString('utf8', 0, 500)) || 'an empty body'

/** Describes a response, and the error in its JSON. */
export function statusAndBody (response: HttpResponse): string {
  const { status, headers: { location }, body } = response
  if (status === 0) return startOfBody(response)
  if (location !== undefined) return `${status}, Location: ${location}`
  const text = body.toString()
  const isJson = /^\s*[[{]/.test(text) // other bodies speak for themselves
  const { error } = isJson ? attempt((): unknown => JSON.parse(text)) : {}
  const start = startOfBody(response)
  return error === undefined ? `${status}, ${start}` : `${status}, invalid JSON: ${start}; ${short(error.message)}`
}

/** Adds differences of a response to the ledger, and keeps failures for a second reading; returns whether it is one. */
export function report (session: Session, id: string, found: Differences, reading: Reading): boolean {
  const isFailure = session.ledger.add(id, found, reading.request)
  if (isFailure) session.failures.push({ id, reading })
  return isFailure
}
