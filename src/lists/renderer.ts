import { createHash } from 'node:crypto'
import type { ListKey } from '../../schemas/lists.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Replay } from '../catalogue/recorded/responses.ts'
import { encode, type Compressed, type Body } from '../http/body.ts'
import { errors } from '../http/errors.ts'
import { listHeadersOf, pageHeaders, tagOf } from '../http/headers.ts'
import { formats, type Format } from '../http/negotiation.ts'
import { version } from '../package.ts'
import type { Settings } from '../settings/settings.ts'
import { estimateLength, serialise, streamOf } from './serialise.ts'
import { findPage, type ListPage } from './page.ts'
import type { ListRequest } from './request.ts'
import { lastValue } from '../http/target.ts'
import { cacheControlOf, maxAgeOf, resources } from './resources.ts'
import type { ListReader } from './reader.ts'
import { linksOf, servedList, type ServedList } from './served-list.ts'
import type { Summary } from './table.ts'

type Headers = Readonly<Record<string, string>>

/** A response to a list: its body, and the headers of its 200 and its 304 besides those that every list has. */
export type Representation = {
  format: Format
  status: number
  body: Body
  /** The memory that the body takes, in bytes. */
  memoryBytes: number
  etag: string
  headers: Headers
  notModified: Headers
  /** Headers of every list that this response lacks. */
  absent: readonly string[]
}

/** The content of a browsable page: the list request and the headers are those of the JSON that it shows. */
export type PageContent = {
  listRequest: ListRequest
  /** The query of the page itself. */
  query: URLSearchParams
  headers: Headers
  catalogue: Catalogue
  /** Records in the whole list. */
  count: number
  /** The requested page, and the fields before its records; undefined for the unpaged list. */
  page: ListPage | undefined
  envelope: object | undefined
  /** Returns the records between two indexes, with relative addresses. */
  records: (start: number, end: number) => object[]
  /** Yields the JSON of the same records with an indent of two. */
  texts: (start: number, end: number) => Iterable<string>
  /** Returns the values of a field in the whole list in short; undefined for a long list. */
  summaryOf: (field: string) => Summary | undefined
  /** The cause of a simulated example. */
  simulated?: string | undefined
}

export type Renderer = ReturnType<typeof createRenderer>

/** Length from which bodies are not cached but streamed, in bytes. */
const maxBufferedBytes = 4 * 2 ** 20

/** Returns the functions that make the responses of all lists; they throw 400 for invalid filters and 404 for an invalid page. */
export function createRenderer (
  catalogue: Catalogue, reader: ListReader, renderPage: (content: PageContent) => string, settings: Pick<Settings, 'compress' | 'watch' | 'simulate'>
) {
  const { positionsOf, recordAt, summaryOf } = reader
  const lists = Object.fromEntries(resources.map(resource => [resource.key, servedList(resource, catalogue, reader)])) as
    Record<ListKey, ServedList>
  const listHeaders = listHeadersOf(settings)
  const lastModified = catalogue.updated.toUTCString()

  return {
    /** Makes a list as JSON, a long one as a stream. */
    json (request: ListRequest): Representation {
      const { resource, indent } = request
      const { replay, invalidPage, frame: frameOf, json, headers } = lists[resource.key]
      const recorded = replay(request)
      if (recorded !== undefined) return render(request, recorded.records, recorded.body, recorded)
      const { matches, page, last } = listOf(request)
      const invalid = page === undefined && request.page !== undefined ? invalidPage(request, last) : undefined
      if (invalid !== undefined) return render(request, [], invalid.body, invalid)
      const pageRecords = recordsOf(request, matches, page)
      const jsonOf = json(request)
      const line = `\n${' '.repeat(indent * (page === undefined ? 1 : 2))}`
      const jsonAt = (index: number) => {
        const json = jsonOf(pageRecords[index] as number)
        return indent === 0 ? json : Buffer.from(json.toString().replaceAll('\n', line))
      }
      const frame = frameOf(request, page)
      return render(request, pageRecords, () => serialise(frame, pageRecords.length, jsonAt), { headers })
    },
    /** Makes the browsable page of a list from the list request and response of the JSON that it shows. */
    page (request: ListRequest, jsonRequest: ListRequest, { headers }: Representation): Representation {
      const { matches, page } = listOf(jsonRequest)
      recordsOf(jsonRequest, matches, page)
      const { resource, origin } = jsonRequest
      const jsonOf = lists[resource.key].json({ origin, indent: 2 })
      return renderBuffered(request, Buffer.from(renderPage({
        listRequest: jsonRequest,
        query: request.query,
        headers: { ...listHeaders, ...headers },
        catalogue,
        count: matches.length,
        page,
        envelope: page && linksOf(jsonRequest, page),
        records: (start, end) => matches.slice(start, end).map(position => recordAt(resource, position)),
        * texts (start, end) {
          for (const position of matches.slice(start, end)) yield jsonOf(position).toString()
        },
        summaryOf: field => summaryOf(resource, field)
      })))
    },
    encode (plain: Representation, coding: Compressed): Representation {
      const { body, headers } = encode(plain.body as Buffer, plain.etag, coding)
      return {
        ...plain,
        body,
        memoryBytes: body.length,
        etag: headers.etag,
        headers: { ...plain.headers, ...headers },
        notModified: { ...plain.notModified, etag: headers.etag }
      }
    }
  }

  function listOf (request: ListRequest) {
    const { resource, query } = request
    const matches = positionsOf(request)
    if (request.page === undefined) return { matches, page: undefined, last: 1 }
    const pageSize = resource.pageSizeParameter ? lastValue(query, 'page_size') : undefined
    const page = findPage(matches.length, request.page, pageSize, resource.pageSize)
    return { matches, page, last: Math.max(1, Math.ceil(matches.length / resource.pageSize)) }
  }

  /** Returns the positions of a page, or all. */
  function recordsOf (request: ListRequest, matches: readonly number[], page: ListPage | undefined): readonly number[] {
    if (request.page === undefined) return matches
    if (page === undefined) throw errors.invalidPage()
    return matches.slice(page.start, page.start + page.size)
  }

  function renderBuffered (request: ListRequest, body: Buffer, recorded?: Partial<Replay>): Representation {
    return represent(request, body, body.length, [body], recorded)
  }

  /** Streams a long list; its tag is a hash of everything that determines it, so that it is known before the list is made. */
  function render (
    request: ListRequest, records: readonly number[], pieces: () => Iterable<Buffer>, recorded: Partial<Replay>
  ): Representation {
    const length = estimateLength(records.length, index => recordAt(request.resource, records[index] as number))
    if (length <= maxBufferedBytes) return renderBuffered(request, Buffer.concat([...pieces()]), recorded)
    const content = [version, catalogue.digest, catalogue.fitnessName, request.origin]
    return represent(request, streamOf(pieces), 8 * records.length, content, recorded)
  }

  function represent (
    request: ListRequest, body: Body, memoryBytes: number, content: (string | Buffer)[], recordedResponse: Partial<Replay> = {}
  ): Representation {
    const { resource, format, canonical } = request
    const { status = 200, headers: own = lists[resource.key].headers } = recordedResponse
    const { vary, 'cache-control': recorded, ...others } = own
    const cacheControl = settings.watch || recorded === undefined ? cacheControlOf(maxAgeOf(resource, settings)) : recorded
    const present = Object.entries(others).filter((header): header is [string, string] => header[1] !== null)
    // Includes the request, so that a tag is valid for its own URL only.
    const hash = createHash('sha256').update(`${canonical}\n`)
    for (const part of content) hash.update(part)
    const etag = tagOf(hash)
    const notModified = {
      ...cacheControl !== null && { 'cache-control': cacheControl },
      ...typeof vary === 'string' && { vary: settings.compress ? `${vary}, Accept-Encoding` : vary },
      etag
    }
    const headers = {
      ...notModified,
      ...format === 'json' ? { 'content-type': formats.json, ...Object.fromEntries(present) } : pageHeaders,
      ...Buffer.isBuffer(body) && { 'content-length': String(body.length) },
      'last-modified': lastModified
    }
    const absent = Object.entries(own).filter(([, value]) => value === null).map(([name]) => name)
    return { format, status, body, memoryBytes, etag, headers, notModified, absent }
  }
}
