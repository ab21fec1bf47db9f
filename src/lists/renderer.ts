import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { attempt } from '../base/attempt.ts'
import { indentJson } from '../base/json-text.ts'
import type { JsonObject } from '../base/json.ts'
import type {
  Catalogue, ListSource, ResponseKind, ServedRecord, SourceHeaders, SourceResponse
} from '../catalogue/catalogue.ts'
import type { Body } from '../http/body.ts'
import { listHeadersOf, pageHeaders, tagOf } from '../http/headers.ts'
import { formats, type Format } from '../http/negotiation.ts'
import type { StoredResponse } from '../http/stored.ts'
import { version } from '../package.ts'
import type { RecordSerialiser } from './compile.ts'
import { absoluteJson, arrayFrame, estimateLength, pageFrame, serialise, streamOf } from './serialise.ts'
import { pageFields, type ListPage } from './page.ts'
import type { ListRequest } from './request.ts'
import { cacheControlOf, maxAgeOf, type CacheSettings } from './resources.ts'
import { select, type ListReader, type Selection } from './reader.ts'
import type { Summary } from './table.ts'

/** A response to a list, with its headers besides those of every list. */
export type Representation = StoredResponse & { format: Format }

/** A response before it is represented. */
type ListResponse = Pick<SourceResponse, 'status' | 'body'> & {
  headers: SourceHeaders | undefined
  positions?: readonly number[] | undefined
}

/**
 * The content of a browsable page: the list request, the status and the headers are those of the JSON that it shows.
 */
export type PageContent = {
  listRequest: ListRequest
  /** The query of the page itself. */
  query: URLSearchParams
  status: number
  headers: SourceHeaders
  catalogue: Catalogue
  /** Records in the whole list. */
  count: number
  /** The requested page, and the fields around its records; undefined for the unpaged list. */
  page: ListPage | undefined
  envelope: object | undefined
  /** The body of a response of a source that is no list. */
  document: string | undefined
  /** Returns the records between two indexes, with relative addresses. */
  records: (start: number, end: number) => object[]
  /** Yields the JSON of the same records with an indent of two. */
  texts: (start: number, end: number) => Iterable<string>
  /** Returns the values of a field in the whole list in short; undefined for a long list. */
  summaryOf: (field: string) => Summary | undefined
  /** The cause of a simulated example. */
  simulated?: string | undefined
}

/** Returns the serialiser of a route's records; only a response that is made needs it. */
export type SerialiserOf = () => RecordSerialiser

export type Renderer = ReturnType<typeof createRenderer>

/** Length from which bodies are not cached but streamed, in bytes. */
const maxBufferedBytes = 4 * 2 ** 20

/**
 * Returns the functions that make the responses of all lists. They throw 400 for invalid filters and 404 for an invalid
 * page.
 */
export function createRenderer (
  catalogue: Catalogue, reader: ListReader, renderPage: (content: PageContent) => string,
  settings: CacheSettings & { compress: boolean }
) {
  const { recordAt, sourceOf, summaryOf } = reader
  const listHeaders = listHeadersOf(settings)
  const lastModified = catalogue.updated.toUTCString()

  return { json, page, verbatim }

  /** Makes a list as JSON, a long one as a stream. */
  function json (request: ListRequest, serialiserOf: SerialiserOf): Representation {
    const { resource, indent } = request
    const own = verbatim(request, 'GET')
    if (own !== undefined) return own
    const { page, positions } = select(reader, request)
    const frame = page === undefined ? arrayFrame(indent) : pageFrame(fieldsOf(request, page), indent)
    const jsonOf = jsonWriter(sourceOf(resource), request, serialiserOf)
    const levels = page === undefined ? 1 : 2
    const line = `\n${' '.repeat(indent * levels)}`
    const jsonAt = (index: number) => {
      const json = jsonOf(positions[index] as number)
      if (indent === 0) return json
      const lines = json.toString().replaceAll('\n', line)
      return Buffer.from(lines)
    }
    const body = () => serialise(frame, positions.length, jsonAt)
    return represent(request, { status: 200, headers: resource.source.form.headers, positions, body })
  }

  /** Makes the browsable page of a list from the list request and response of the JSON that it shows. */
  function page (
    request: ListRequest, jsonRequest: ListRequest, json: Representation, serialiserOf: SerialiserOf
  ): Representation {
    const { resource, origin } = jsonRequest
    const own = sourceOf(resource).verbatim?.(jsonRequest, 'GET')
    const { matches, page } = own === undefined ? select(reader, jsonRequest) : placeOf(own, jsonRequest)
    const jsonOf = jsonWriter(own ?? sourceOf(resource), { resource, origin, indent: 2 }, serialiserOf)
    const { results, ...envelope } = own?.page() ?? (page && fieldsOf(jsonRequest, page)) ?? {}
    const isDocument = own !== undefined && own.positions === undefined
    const headers = Object.entries({ ...listHeaders, ...json.headers }).filter(([, value]) => value !== null)
    const html = renderPage({
      listRequest: jsonRequest,
      query: request.query,
      status: json.status,
      headers: Object.fromEntries(headers),
      catalogue,
      count: matches.length,
      page,
      envelope: page && envelope,
      document: isDocument ? Buffer.concat([...own.body()]).toString() : undefined,
      records: (start, end) => matches.slice(start, end).map(position => {
        if (own === undefined) return recordAt(resource, position)
        return JSON.parse(own.json(position, '', 0).toString()) as ServedRecord
      }),
      * texts (start, end) {
        for (const position of matches.slice(start, end)) yield jsonOf(position).toString()
      },
      summaryOf: field => summaryOf(resource, field)
    })
    const { 'cache-control': cacheControl } = resource.source.form.headers ?? {}
    return represent(request, {
      status: json.status < 400 ? 200 : json.status, // a browser would follow a redirect
      headers: cacheControl === undefined ? pageHeaders : { ...pageHeaders, 'cache-control': cacheControl },
      body: () => [Buffer.from(html)]
    })
  }

  /** Returns the response that the source of a list has as it is sent. */
  function verbatim (request: ListRequest, to: ResponseKind): Representation | undefined {
    const response = sourceOf(request.resource).verbatim?.(request, to)
    return response && represent(request, response)
  }

  /** Finds the place of a source's response among the pages of its list, if it is one of them. */
  function placeOf (response: SourceResponse, request: ListRequest): Selection {
    const { positions = [] } = response
    const isPage = response.page() !== undefined
    const { value: made } = attempt(() => select(reader, request))
    const isMade = made !== undefined && isPage === (made.page !== undefined)
    if (isMade && isDeepStrictEqual(made.positions, positions)) return made
    const { length } = positions
    const page = isPage ? { number: 1, last: 1, start: 0, size: length, count: length } : undefined
    return { matches: positions, page, positions }
  }

  function fieldsOf ({ resource, origin, query }: ListRequest, page: ListPage): JsonObject {
    return pageFields(page, origin + resource.path, query, sourceOf(resource).page?.(origin))
  }

  /** Returns a function that makes the JSON of a record: that of its source, or of the route's serialiser. */
  function jsonWriter (
    { json }: Pick<ListSource, 'json'>,
    { resource, origin, indent }: Pick<ListRequest, 'resource' | 'origin' | 'indent'>,
    serialiserOf: SerialiserOf
  ) {
    if (json !== undefined) return (position: number) => json(position, origin, indent)
    const serialiseRecord = serialiserOf()
    return (position: number): Buffer => {
      const text = absoluteJson(serialiseRecord(recordAt(resource, position)), origin)
      return Buffer.from(indent === 0 ? text : indentJson(text, indent))
    }
  }

  function represent (request: ListRequest, response: ListResponse): Representation {
    const { resource, format } = request
    const { status, positions = [] } = response
    const length = estimateLength(positions.length, index => recordAt(resource, positions[index] as number))
    const body = length > maxBufferedBytes ? streamOf(response.body) : Buffer.concat([...response.body()])
    const headers: Record<string, string | null> & { etag: string | null } = {
      'cache-control': cacheControlOf(maxAgeOf(resource, settings)),
      etag: status === 200 ? tagFor(request, body) : null,
      'content-type': formats.json,
      ...response.headers
    }
    const { vary } = headers
    if (typeof vary === 'string' && settings.compress) headers['vary'] = `${vary}, Accept-Encoding`
    let memoryBytes = 8 * positions.length
    if (Buffer.isBuffer(body)) {
      memoryBytes = body.length
      headers['content-length'] = String(body.length)
    }
    headers['last-modified'] = status === 200 ? lastModified : null
    return { format, status, body, memoryBytes, headers }
  }

  /**
   * Returns the tag of a response. That of a stream is a hash of everything that determines it, as it is known before
   * the list is made.
   */
  function tagFor ({ canonical, origin }: ListRequest, body: Body): string {
    // Includes the request, so that a tag is valid for its own URL only.
    const hash = createHash('sha256').update(`${canonical}\n`)
    if (Buffer.isBuffer(body)) return tagOf(hash.update(body))
    for (const part of [version, catalogue.digest, catalogue.fitnessName, origin]) hash.update(part)
    return tagOf(hash)
  }
}
