import { createHash } from 'node:crypto'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { RecordedHeaders } from '../recorded/frame.ts'
import type { OtherName, Replay } from '../recorded/responses.ts'
import type { JsonObject } from '../base/json.ts'
import type { Body } from '../http/body.ts'
import { isJsonType, listHeadersOf, pageHeaders, sandbox, tagOf } from '../http/headers.ts'
import { formats, type Format } from '../http/negotiation.ts'
import { version } from '../package.ts'
import type { Settings } from '../settings/settings.ts'
import type { RecordSerialiser } from './compile.ts'
import {
  absoluteJson, arrayFrame, estimateLength, indentJson, pageFrame, serialise, streamOf, toJson
} from './serialise.ts'
import { pageLinks, type ListPage } from './page.ts'
import type { ListRequest } from './request.ts'
import { cacheControlOf, maxAgeOf } from './resources.ts'
import type { ListReader } from './reader.ts'
import { createSelect } from './selection.ts'
import type { Summary } from './table.ts'

type ListHeaders = Readonly<Record<string, string>>

/** A response to a list: its body, and the headers of its 200 and its 304 besides those that every list has. */
export type Representation = {
  format: Format
  status: number
  body: Body
  /** The memory that the body takes, in bytes. */
  memoryBytes: number
  headers: ListHeaders
  notModified: ListHeaders & { etag: string }
  /** Headers of every list that this response lacks. */
  absent: readonly string[]
}

/**
 * The content of a browsable page: the list request, the status and the headers are those of the JSON that it shows.
 */
export type PageContent = {
  listRequest: ListRequest
  /** The query of the page itself. */
  query: URLSearchParams
  status: number
  headers: ListHeaders
  catalogue: Catalogue
  /** Records in the whole list. */
  count: number
  /** The requested page, and the fields around its records; undefined for the unpaged list. */
  page: ListPage | undefined
  envelope: object | undefined
  /** The body of a recorded response that is no list. */
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

/** A response before it is represented: null stands for a header that it lacks. */
type ListResponse = Omit<Replay, 'envelope'>

/**
 * Returns the functions that make the responses of all lists. They throw 400 for invalid filters and 404 for an invalid
 * page.
 */
export function createRenderer (
  catalogue: Catalogue, reader: ListReader, renderPage: (content: PageContent) => string,
  settings: Pick<Settings, 'compress' | 'watch' | 'simulate'>
) {
  const { formOf, recordAt, summaryOf } = reader
  const select = createSelect(reader)
  const listHeaders = listHeadersOf(settings)
  const lastModified = catalogue.updated.toUTCString()

  return {
    /** Makes a list as JSON, a long one as a stream. */
    json (request: ListRequest, serialiserOf: SerialiserOf): Representation {
      const { resource, indent } = request
      const { page, positions, replay } = select(request)
      if (replay !== undefined) return represent(request, replay)
      const frame = page === undefined ? arrayFrame(indent) : pageFrame(fieldsOf(request, page), indent)
      const jsonOf = jsonWriter(request, serialiserOf)
      const levels = page === undefined ? 1 : 2
      const line = `\n${' '.repeat(indent * levels)}`
      const jsonAt = (index: number) => {
        const json = jsonOf(positions[index] as number)
        if (indent === 0) return json
        const lines = json.toString().replaceAll('\n', line)
        return Buffer.from(lines)
      }
      const body = () => serialise(frame, positions.length, jsonAt)
      return represent(request, { status: 200, headers: formOf(resource).headers, records: positions, body })
    },
    /** Makes the browsable page of a list from the list request and response of the JSON that it shows. */
    page (
      request: ListRequest, jsonRequest: ListRequest, json: Representation, serialiserOf: SerialiserOf
    ): Representation {
      const { resource, origin } = jsonRequest
      const { matches, page, replay } = select(jsonRequest)
      const jsonOf = jsonWriter({ resource, origin, indent: 2 }, serialiserOf)
      const { results, ...envelope } = page === undefined ? {} : replay?.envelope() ?? fieldsOf(jsonRequest, page)
      const html = renderPage({
        listRequest: jsonRequest,
        query: request.query,
        status: json.status,
        headers: { ...listHeaders, ...json.headers },
        catalogue,
        count: matches.length,
        page,
        envelope: page && envelope,
        document: replayedDocument(replay),
        records: (start, end) => matches.slice(start, end).map(position => recordAt(resource, position)),
        * texts (start, end) {
          for (const position of matches.slice(start, end)) yield jsonOf(position).toString()
        },
        summaryOf: field => summaryOf(resource, field)
      })
      const { 'cache-control': cacheControl } = formOf(resource).headers
      const headers: RecordedHeaders = cacheControl === undefined ? {} : { 'cache-control': cacheControl }
      const status = json.status < 400 ? 200 : json.status // a browser would follow a redirect
      return represent(request, { status, headers, records: undefined, body: () => [Buffer.from(html)] })
    },
    /**
     * Makes the recorded response to HEAD, or to a missing or an invalid token; undefined for one that is made. Headers
     * of HEAD were recorded without a query.
     */
    other (request: ListRequest, name: OtherName): Representation | undefined {
      const { resource, origin, format, query } = request
      const { isReplayed, recorded } = formOf(resource)
      const isHead = name === 'head'
      if (isHead && !(isReplayed && resource.isReplayed && format === 'json')) return undefined
      const replay = recorded?.other(name, origin)
      if (replay === undefined || (isHead && replay.status === 200 && query.size > 0)) return undefined
      return represent(request, replay)
    }
  }

  /** Returns the fields of a page that is made. */
  function fieldsOf ({ resource, origin, query }: ListRequest, page: ListPage): JsonObject {
    const form = formOf(resource)
    const links = pageLinks(page, origin + resource.path, query)
    return form.fieldsOf(links, origin)
  }

  /** Returns a function that makes the JSON of a record: its recorded text, or that of the route's serialiser. */
  function jsonWriter (
    { resource, origin, indent }: Pick<ListRequest, 'resource' | 'origin' | 'indent'>, serialiserOf: SerialiserOf
  ) {
    const { textAt } = formOf(resource)
    const serialiseRecord = catalogue.isRecorded ? toJson : serialiserOf()
    return (position: number): Buffer => {
      const record = recordAt(resource, position)
      const text = textAt === undefined
        ? Buffer.from(absoluteJson(serialiseRecord(record), origin))
        : textAt(position, origin) ?? Buffer.from(toJson(record))
      return indent === 0 ? text : Buffer.from(indentJson(text.toString(), indent))
    }
  }

  function represent (request: ListRequest, response: ListResponse): Representation {
    const { resource, format } = request
    const { status, headers: own, records = [] } = response
    const length = estimateLength(records.length, index => recordAt(resource, records[index] as number))
    const body = length > maxBufferedBytes ? streamOf(response.body) : Buffer.concat([...response.body()])
    const notModified = { ...cacheHeaders(request, response), etag: tagFor(request, body) }
    const content = format === 'json' ? jsonHeaders(own) : pageHeaders
    const headers: Record<string, string> = { ...notModified, ...content }
    let memoryBytes = 8 * records.length
    if (Buffer.isBuffer(body)) {
      memoryBytes = body.length
      headers['content-length'] = String(body.length)
    }
    headers['last-modified'] = lastModified
    return { format, status, body, memoryBytes, headers, notModified, absent: absentIn(response) }
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

  function cacheHeaders ({ resource }: ListRequest, { headers: own }: ListResponse): Record<string, string> {
    const headers: Record<string, string> = {}
    const { vary, 'cache-control': recorded } = own
    const cacheControl = recorded === undefined ? cacheControlOf(maxAgeOf(resource, settings)) : recorded
    if (cacheControl !== null) headers['cache-control'] = cacheControl
    if (typeof vary === 'string') headers['vary'] = settings.compress ? `${vary}, Accept-Encoding` : vary
    return headers
  }
}

/** Returns the body of a recorded response that is no list. */
function replayedDocument (replay: Replay | undefined): string | undefined {
  if (replay === undefined || replay.records !== undefined) return undefined
  const body = Buffer.concat([...replay.body()])
  return body.toString()
}

/** Returns the headers of JSON, or of whatever a service sent in its place. */
function jsonHeaders (own: RecordedHeaders): Record<string, string> {
  const headers = { 'content-type': formats.json, ...presentIn(own) }
  const isJson = own['content-type'] !== null && isJsonType(headers['content-type'])
  return isJson ? headers : { ...headers, ...sandbox }
}

/** Returns the headers that only a whole response has. */
function presentIn (headers: RecordedHeaders): Record<string, string> {
  const { vary, 'cache-control': cacheControl, ...others } = headers
  const present: Record<string, string> = {}
  for (const [name, value] of Object.entries(others)) {
    if (value !== null) present[name] = value
  }
  return present
}

/**
 * Returns the names of the headers that a response lacks: those that were not recorded, and those of caches for any
 * other than a 200.
 */
function absentIn ({ status, headers }: ListResponse): string[] {
  const absent = Object.keys(headers).filter(name => headers[name] === null)
  return status === 200 ? absent : [...absent, 'etag', 'last-modified']
}
