import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Catalogue, Frame } from '../catalogue/catalogue.ts'
import type { IsGone } from '../http/coding.ts'
import { errors } from '../http/errors.ts'
import { listHeadersOf, pageHeaders, tagOf } from '../http/headers.ts'
import { formats, type Format } from '../http/negotiation.ts'
import { yieldToEventLoop, type Body } from '../http/send.ts'
import type { Settings } from '../settings/settings.ts'
import { copyOf, estimateLength, frameOf, indented, serialise, toJson } from './records.ts'
import { recordedEnvelope } from './envelope.ts'
import { envelope, findPage, type ListPage } from './page.ts'
import type { ListRequest } from './request.ts'
import { lastValue } from './query.ts'
import { cacheControlOf, maxAgeOf, type Resource } from './resources.ts'
import { createSelection, type Selection } from './selection.ts'
import type { Value } from './table.ts'

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
  /** The distinct values of fields in the whole list. */
  values: (fields: readonly string[]) => ReadonlyMap<string, ReadonlySet<Value>>
}

export type Renderer = ReturnType<typeof createRenderer>

/** Length from which bodies are not cached but streamed, in bytes. */
const maxBufferedBytes = 4 * 2 ** 20

/** Returns the functions that make the responses of all lists; they throw 400 for invalid filters and 404 for an invalid page. */
export function createRenderer (
  catalogue: Catalogue, renderPage: (content: PageContent) => string, settings: Pick<Settings, 'compress' | 'watch'>,
  select = (list: Selection) => list
) {
  const { positionsOf, recordAt: served, textAt, schemaOf, valuesOf } = select(createSelection(catalogue))
  const listHeaders = listHeadersOf(settings)
  const lastModified = catalogue.updated.toUTCString()

  return {
    /** Makes a list as JSON; returns a promise for a long list, which rejects when it is abandoned. */
    json (request: ListRequest, isAbandoned: IsGone): Representation | Promise<Representation> {
      const { resource, origin, indent } = request
      const recorded = catalogue.recorded[resource.key]
      if (recorded?.document !== undefined) return renderBuffered(request, Buffer.from(recorded.document))
      const raw = selectedEnvelope(request)
      const { pageRecords, links } = raw ?? listOf(request)
      const levels = links === undefined ? 1 : 2
      const jsonOf = serialiserOf(resource, origin, indent, levels)
      const jsonAt = (index: number) => jsonOf(pageRecords[index] as number)
      const array = recorded === undefined || indent > 0 ? frameOf(indent, levels - 1) : recorded.frame
      const inPage = indent === 0 ? { ...frameOf(0), separator: array.separator } : array
      const frame = raw?.frame ?? (links === undefined ? array : pageFrame(links, inPage, indent))
      const pieces = () => serialise(frame, pageRecords.length, jsonAt)
      const recordAt = (index: number) => served(resource, pageRecords[index] as number)
      const isLong = links === undefined && estimateLength(pageRecords.length, recordAt) > maxBufferedBytes
      if (isLong) return renderStreamed(request, pieces, 8 * pageRecords.length, isAbandoned)
      return renderBuffered(request, Buffer.concat([...pieces()]))
    },
    /** Makes the browsable page of a list from the list request and response of the JSON that it shows. */
    page (request: ListRequest, jsonRequest: ListRequest, { headers: own }: Representation): Representation {
      const headers = { ...listHeaders, ...own }
      const { matches, page, links: envelope } = listOf(jsonRequest)
      const { resource, origin } = jsonRequest
      const records = (start: number, end: number) => matches.slice(start, end).map(position => served(resource, position))
      function * texts (start: number, end: number) {
        const jsonOf = serialiserOf(resource, origin, 2, 0)
        for (const position of matches.slice(start, end)) yield jsonOf(position)
      }
      const values = (fields: readonly string[]) => valuesOf(resource, fields)
      const content = { listRequest: { ...jsonRequest, note: request.note }, headers, catalogue, count: matches.length, page, envelope }
      return renderBuffered(request, Buffer.from(renderPage({ ...content, records, texts, values })))
    },
    encode: ({ format, headers }: Representation, body: Buffer, coded: Headers) =>
      represent(format, { ...headers, ...coded }, body, body.length)
  }

  /** Returns a function that makes the JSON of a record: its recorded text, or a copy with the fields of its schema in its order. */
  function serialiserOf (resource: Resource, origin: string, indent: number, levels: number) {
    const schema = schemaOf(resource)
    const line = `\n${' '.repeat(indent * levels)}`
    return (position: number) => {
      const record = served(resource, position)
      const recorded = textAt(resource, position, origin)
      const text = recorded === undefined
        ? toJson(catalogue.isRecorded ? record : copyOf(schema, record, origin), indent)
        : indented(recorded, indent)
      return indent === 0 ? text : text.replaceAll('\n', line)
    }
  }

  /** Returns the recorded envelope of a page and its positions; only where all records of the list are selected. */
  function selectedEnvelope (request: ListRequest) {
    const recorded = catalogue.recorded[request.resource.key]
    if (recorded?.envelopes === undefined || request.indent > 0) return undefined
    const selected = positionsOf(request)
    if (selected.length !== catalogue[request.resource.key].length) return undefined
    const found = recordedEnvelope(request, recorded, () => listOf(request))
    return found && { frame: found.frame, links: {}, pageRecords: selected.slice(found.start, found.start + found.size) }
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

  function renderBuffered (request: ListRequest, body: Buffer) {
    return represent(request.format, headersOf(request, hashOf(request).update(body), body.length), body, body.length)
  }

  /** Generates a long list once for its length and tag; other requests are served between the pieces. */
  async function renderStreamed (request: ListRequest, serialise: () => Iterable<Buffer>, memoryBytes: number, isAbandoned: IsGone) {
    const hash = hashOf(request)
    let length = 0
    for await (const piece of interleaved(serialise())) {
      if (isAbandoned()) throw errors.requestTimeout() // sent to nobody
      hash.update(piece)
      length += piece.length
    }
    return represent(request.format, headersOf(request, hash, length), () => Readable.from(interleaved(serialise())), memoryBytes)
  }

  function headersOf ({ resource, format }: ListRequest, hash: Hash, length: number) {
    const { vary, 'cache-control': recorded } = resource.recordedHeaders
    const cacheControl = settings.watch || recorded === undefined ? cacheControlOf(maxAgeOf(resource, settings)) : recorded
    return {
      ...cacheControl !== null && { 'cache-control': cacheControl },
      ...typeof vary === 'string' && { vary: settings.compress ? `${vary}, Accept-Encoding` : vary },
      etag: tagOf(hash),
      ...format === 'json' ? { 'content-type': formats.json } : pageHeaders,
      'content-length': String(length),
      'last-modified': lastModified
    }
  }
}

function pageFrame (links: object, { open, separator, close }: Frame, indent: number): Frame {
  const start = toJson(links, indent).slice(0, -1).trimEnd()
  const [name, end] = indent === 0 ? [',"results":', '}'] : [`,\n${' '.repeat(indent)}"results": `, '\n}']
  return { open: `${start}${name}${open}`, separator, close: `${close}${end}` }
}

function represent (format: Format, headers: Headers, body: Body, memoryBytes: number): Representation {
  const { etag = '', ...others } = headers
  const kept = Object.fromEntries(Object.entries(others).filter(([name]) => name === 'cache-control' || name === 'vary'))
  return { format, body, memoryBytes, etag, headers, notModified: { ...kept, etag } }
}

/** Starts the hash of a response; includes the request, so that a tag is valid for its own URL only. */
const hashOf = ({ canonical }: ListRequest) => createHash('sha256').update(`${canonical}\n`)

/** Yields pieces, and serves other requests before and between them. */
async function * interleaved (pieces: Iterable<Buffer>): AsyncGenerator<Buffer> {
  await yieldToEventLoop()
  for (const piece of pieces) {
    yield piece
    await yieldToEventLoop()
  }
}
