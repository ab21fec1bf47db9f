import { createHash } from 'node:crypto'
import type { Catalogue, RecordedForm } from '../catalogue/catalogue.ts'
import { encode, type Compressed } from '../http/coding.ts'
import { errors } from '../http/errors.ts'
import { listHeadersOf, pageHeaders, tagOf } from '../http/headers.ts'
import { formats, type Format } from '../http/negotiation.ts'
import type { Body } from '../http/send.ts'
import { version } from '../package.ts'
import type { Settings } from '../settings/settings.ts'
import { copyOf, estimateLength, frameOf, indented, pageFrame, serialise, streamOf, toJson } from './serialise.ts'
import { envelope, fill, findPage, localise, type ListPage } from './page.ts'
import type { ListRequest } from './request.ts'
import { lastValue } from '../http/query.ts'
import { cacheControlOf, maxAgeOf, type Resource } from './resources.ts'
import type { ListReader } from './reader.ts'
import type { Summary } from './table.ts'

type Headers = Readonly<Record<string, string>>

/** A response to a list: its body, and the headers of its 200 and its 304 besides those that every list has. */
export type Representation = {
  format: Format
  body: Body
  /** The memory that the body takes, in bytes. */
  memoryBytes: number
  etag: string
  headers: Headers
  notModified: Headers
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
  /** The requested page, and the fields before its records; undefined for the plain list. */
  page: ListPage | undefined
  envelope: object | undefined
  /** Returns the records between two indexes, with relative addresses. */
  records: (start: number, end: number) => object[]
  /** Yields the JSON of the same records with an indent of two. */
  texts: (start: number, end: number) => Iterable<string>
  /** Returns the values of fields in the whole list in short; none of a long list. */
  summaries: (fields: readonly string[]) => ReadonlyMap<string, Summary>
}

export type Renderer = ReturnType<typeof createRenderer>

/** Length from which bodies are not cached but streamed, in bytes. */
const maxBufferedBytes = 4 * 2 ** 20

/** Returns the functions that make the responses of all lists; they throw 400 for invalid filters and 404 for an invalid page. */
export function createRenderer (
  catalogue: Catalogue, { positionsOf, recordAt, textAt, schemaOf, summariesOf }: ListReader,
  renderPage: (content: PageContent) => string, settings: Pick<Settings, 'compress' | 'watch'>
) {
  const listHeaders = listHeadersOf(settings)
  const lastModified = catalogue.updated.toUTCString()

  return {
    /** Makes a list as JSON, a long one as a stream. */
    json (request: ListRequest): Representation {
      const { resource, origin, indent } = request
      const recorded = catalogue.recorded[resource.key]
      if (recorded?.document !== undefined) return renderBuffered(request, Buffer.from(recorded.document))
      const asRecorded = recorded && recordedPage(request, recorded)
      const { pageRecords, links } = asRecorded ?? listOf(request)
      const isPage = links !== undefined
      const jsonOf = serialiserOf(resource, origin, indent, isPage ? 2 : 1)
      const jsonAt = (index: number) => jsonOf(pageRecords[index] as number)
      const array = recorded === undefined || indent > 0 ? frameOf(indent, isPage ? 1 : 0) : recorded.frame
      const frame = asRecorded?.frame ?? (isPage ? pageFrame(links, array, indent) : array)
      const pieces = () => serialise(frame, pageRecords.length, jsonAt)
      const length = isPage ? 0 : estimateLength(pageRecords.length, index => recordAt(resource, pageRecords[index] as number))
      if (length > maxBufferedBytes) return renderStreamed(request, pieces, 8 * pageRecords.length)
      return renderBuffered(request, Buffer.concat([...pieces()]))
    },
    /** Makes the browsable page of a list from the list request and response of the JSON that it shows. */
    page (request: ListRequest, jsonRequest: ListRequest, { headers }: Representation): Representation {
      const { matches, page, links } = listOf(jsonRequest)
      const { resource, origin } = jsonRequest
      const jsonOf = serialiserOf(resource, origin, 2, 0)
      return renderBuffered(request, Buffer.from(renderPage({
        listRequest: jsonRequest,
        query: request.query,
        headers: { ...listHeaders, ...headers },
        catalogue,
        count: matches.length,
        page,
        envelope: links,
        records: (start, end) => matches.slice(start, end).map(position => recordAt(resource, position)),
        * texts (start, end) {
          for (const position of matches.slice(start, end)) yield jsonOf(position)
        },
        summaries: fields => summariesOf(resource, fields)
      })))
    },
    /** Compresses a response. */
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

  /** Returns a function that makes the JSON of a record: its recorded text, or a copy with the fields of its schema in its order. */
  function serialiserOf (resource: Resource, origin: string, indent: number, levels: number) {
    const schema = schemaOf(resource)
    const line = `\n${' '.repeat(indent * levels)}`
    return (position: number) => {
      const record = recordAt(resource, position)
      const recorded = textAt(resource, position, origin)
      const text = recorded === undefined
        ? toJson(catalogue.isRecorded ? record : copyOf(schema, record, origin), indent)
        : indented(recorded, indent)
      return indent === 0 ? text : text.replaceAll('\n', line)
    }
  }

  /**
   * Returns the positions of a page and its recorded frame: that of its query, or of the first page with other links. Only where all
   * records of the list are selected.
   */
  function recordedPage (request: ListRequest, { envelopes = {}, frame: { separator } }: RecordedForm) {
    const { origin, target, indent, resource: { key, path, hasEnvelopes } } = request
    const [first] = Object.values(envelopes)
    if (first === undefined || indent > 0) return undefined
    const matches = positionsOf(request)
    if (matches.length !== catalogue[key].length) return undefined
    const own = hasEnvelopes ? envelopes[target.slice(path.length + 1)] : undefined
    if (own !== undefined) {
      const frame = { open: localise(own.open, path, origin), separator, close: localise(own.close, path, origin) }
      return { pageRecords: matches.slice(own.start, own.start + own.size), links: {}, frame }
    }
    const { pageRecords, links } = listOf(request)
    return links && { pageRecords, links, frame: { open: fill(first.open, links), separator, close: fill(first.close, links) } }
  }

  function listOf (request: ListRequest) {
    const { resource, origin, query } = request
    const matches = positionsOf(request)
    if (request.page === undefined) return { matches, pageRecords: matches, page: undefined, links: undefined }
    const pageSize = resource.pageSizeParameter ? lastValue(query, 'page_size') : undefined
    const page = findPage(matches.length, request.page, pageSize, resource.pageSize)
    if (page === undefined) throw errors.invalidPage()
    const { results, ...links } = envelope(matches, page, origin + resource.path, query)
    return { matches, pageRecords: results, page, links }
  }

  function renderBuffered (request: ListRequest, body: Buffer): Representation {
    return represent(request, body, body.length, [body])
  }

  /** The tag of a long list is a hash of everything that determines it, so that it is known before the list is made. */
  function renderStreamed (request: ListRequest, pieces: () => Iterable<Buffer>, memoryBytes: number): Representation {
    return represent(request, streamOf(pieces), memoryBytes, [version, catalogue.digest, catalogue.fitnessName, request.origin])
  }

  function represent (request: ListRequest, body: Body, memoryBytes: number, content: (string | Buffer)[]): Representation {
    const { resource, format, canonical } = request
    const { vary, 'cache-control': recorded } = resource.recordedHeaders
    const cacheControl = settings.watch || recorded === undefined ? cacheControlOf(maxAgeOf(resource, settings)) : recorded
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
      ...format === 'json' ? { 'content-type': formats.json } : pageHeaders,
      ...Buffer.isBuffer(body) && { 'content-length': String(body.length) },
      'last-modified': lastModified
    }
    return { format, body, memoryBytes, etag, headers, notModified }
  }
}
