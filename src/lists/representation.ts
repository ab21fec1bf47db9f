import type { Catalogue } from '../catalogue/catalogue.ts'
import { errors } from '../http/errors.ts'
import { createSelect, type Plain } from '../http/coding.ts'
import { tagOf } from '../http/conditional.ts'
import { listHeadersOf, pageHeaders } from '../http/headers.ts'
import { formats, type Format } from '../http/negotiation.ts'
import type { InLine } from '../http/overload.ts'
import type { Body } from '../http/send.ts'
import { bodyOf, compose, getToKnow, identify, isKnown, lengthOf, renderRecord, type Composition } from './composition.ts'
import { createKept } from './kept.ts'
import { envelope, findPage, type PagePlace } from './page.ts'
import { askJson, type Asked } from './question.ts'
import { lastValue } from './query.ts'
import { aboutLength, createWriter, type WrittenRecords } from './records.ts'
import type { Resource } from './resources.ts'
import { roomFor } from '../settings/memory.ts'
import type { Settings } from '../settings/settings.ts'
import { selectionOf, type Selection } from './selection.ts'
import type { Value } from './table.ts'

type Headers = Readonly<Record<string, string>>

/**
 * One answer and its tag, with all headers of the answer that sends it and of the 304 that does not, as `writeHead` takes
 * them fastest: name, value, name, value.
 */
export type Representation = { body: Body, etag: string, headers: readonly string[], notModified: readonly string[] }

/** A representation with its headers by name. */
type Made = Representation & { fields: Headers }

/** What a browsable page is made from. */
export type Browsed = {
  /** The question with JSON as its answer. */
  asked: Asked
  /** The headers of that answer. */
  headers: Headers
  catalogue: Catalogue
  /** Records in the whole list. */
  count: number
  /** The page that was asked for, or undefined for the plain list. */
  place: PagePlace | undefined
  /** What stands before the records of that page in the JSON, or undefined for the plain list. */
  envelope: object | undefined
  /** The records from one place to another, as they are served but for the origin. */
  records: (start: number, end: number) => object[]
  /** The JSON of the same records as it is served, in lines that are indented by two blanks; each is made when it is asked for. */
  texts: (start: number, end: number) => Iterable<string>
  /** The distinct values that the whole list has in a field, as they are written. */
  values: (field: string) => readonly Value[]
}

export type Representations = {
  /**
   * Finds or makes what a request asks for, in a coding that its Accept-Encoding accepts: a promise where many records are written for
   * the first time, or a body is compressed.
   */
  find: (asked: Asked, accepted?: string) => Representation | Promise<Representation>
  /** About how long the plain list is, in bytes; a few of its records are written to tell. */
  plainLength: (resource: Resource) => number
  /** How many bytes the answers take that are kept. */
  size: () => Readonly<Record<Format, number>>
}

/** Makes the browsable page of a list. */
export type Browse = (browsed: Browsed) => string

/** Bounds the memory that answers take, in bytes: JSON and pages apart, because each page is made for one origin. */
const bounds = { json: roomFor(16 * 2 ** 20), pages: roomFor(12 * 2 ** 20) }

/** About what an answer takes besides its body, in bytes. */
const overhead = 2 ** 12

/** Fewer records make no long list, and a start does not wait until some of them are written. */
const manyRecords = 1000

const sizeOf = (plain: Plain<Made>) => [plain, ...Object.values(plain.compressed)].reduce((size, { body }) =>
  size + overhead + (Buffer.isBuffer(body) ? body.length : 0), 0)

/**
 * Makes what answers the questions of all lists: select, order, page, write. An answer is kept as long as there is room;
 * a question whose filters cannot be read is thrown the 400 of it, an invalid page its 404. What is not kept is made in line.
 */
export function createRepresentations (
  catalogue: Catalogue, browse: Browse, settings: Pick<Settings, 'compress' | 'watch'>, { json, pages } = bounds,
  select = (list: Selection) => list, inLine: InLine = work => work()
): Representations {
  const whole = selectionOf(catalogue)
  const { prepare, positionsOf, recordAt, countOf, valuesOf } = select(whole)
  const write = createWriter(recordAt, resource => Math.max(1, whole.countOf(resource))) // an empty list has examples too
  const kept = { json: createKept(json, sizeOf), api: createKept(pages, sizeOf) }
  const listHeaders = listHeadersOf(settings)
  const lastModified = catalogue.updated.toUTCString()

  return { find: settings.compress ? createSelect<Asked, Made>({ find, encode, grown }) : find, plainLength, size }

  function find (asked: Asked): Plain<Made> | Promise<Plain<Made>> {
    return keptFor(asked) ?? inLine(() => make(asked))
  }

  function keptFor ({ format, canonical, origin }: Asked): Plain<Made> | undefined {
    return kept[format].get(canonical, origin)
  }

  function make (asked: Asked): Plain<Made> | Promise<Plain<Made>> {
    const { format, canonical, origin } = asked
    const found = keptFor(asked) // made while this one waited
    if (found !== undefined) return found
    const preparing = prepare(asked)
    if (preparing !== undefined) return preparing.then(() => make(asked))
    const question = format === 'api' ? askJson(asked) : asked
    const list = composeList(question)
    if (!isKnown(list)) return getToKnow(list).then(() => make(asked))
    const made = format === 'api' ? makePage(asked, question, list) : makeJson(asked, list)
    kept[format].set(canonical, origin, made)
    return made
  }

  function encode ({ fields }: Made, body: Buffer, ownFields: Headers): Made {
    return represent({ ...fields, ...ownFields }, body)
  }

  function grown (asked: Asked, plain: Plain<Made>): void {
    if (keptFor(asked) === plain) kept[asked.format].set(asked.canonical, asked.origin, plain)
  }

  function size () {
    return { json: kept.json.size(), api: kept.api.size() }
  }

  function plainLength (resource: Resource): number {
    const count = countOf(resource)
    return count < manyRecords ? 0 : aboutLength(write(resource, { indent: 0, depth: 1 }), count)
  }

  function composeList (asked: Asked): Composition & Pick<Browsed, 'place' | 'envelope'> & { selected: Uint32Array } {
    const { resource, indent, origin, query, page } = asked
    const selected = positionsOf(asked)
    const place = page === undefined ? undefined : findPage(selected.length, page, lastValue(query, 'page_size'))
    if (page !== undefined && place === undefined) throw errors.invalidPage()
    const records = write(resource, { indent, depth: place === undefined ? 1 : 2 })
    if (place === undefined) return { ...compose(selected, records, indent), selected, place, envelope: undefined }
    const { results, ...links } = envelope(selected, place, origin + resource.path, query)
    return { ...compose(results, records, indent, links), selected, place, envelope: links }
  }

  function makeJson (asked: Asked, list: Composition): Plain<Made> {
    const headers = headersOf(asked, list)
    return plain(headers, bodyOf(list, asked.origin, Number(headers['content-length'])))
  }

  function makePage (asked: Asked, question: Asked, composed: ReturnType<typeof composeList>): Plain<Made> {
    const { selected, place, envelope, ...list } = composed
    const { resource, origin } = asked
    const laidOut = write(resource, { indent: 2, depth: 0 })
    const text = browse({
      asked: question,
      headers: headersOf(question, list),
      catalogue,
      count: selected.length,
      place,
      envelope,
      records: (start, end) => Array.from(selected.subarray(start, end), position => recordAt(resource, position)),
      texts: (start, end) => rendered(laidOut, selected.subarray(start, end), origin),
      values: field => valuesOf(resource, field)
    })
    const body = Buffer.from(text)
    return plain(headersFor(asked, text, body.length, pageHeaders), body)
  }

  function headersOf (asked: Asked, list: Composition): Headers {
    const length = lengthOf(list, asked.origin) // what is measured can be identified
    return headersFor(asked, identify(list, asked.origin), length, { 'content-type': formats.json })
  }

  /** The tag depends on what was asked too, so that it is good for its own URL only. */
  function headersFor ({ canonical, resource }: Asked, identity: string, length: number, headers: Headers): Headers {
    const caching = { 'cache-control': cacheControlOf(resource, settings.watch), etag: tagOf(`${canonical}\n${identity}`) }
    return { ...listHeaders, ...caching, ...headers, 'content-length': String(length), 'last-modified': lastModified }
  }

  function plain (fields: Headers, body: Body): Plain<Made> {
    return { ...represent(fields, body), compressed: {} }
  }

  function represent (fields: Headers, body: Body): Made {
    const { etag = '', 'cache-control': cacheControl = '' } = fields
    const notModified = { ...listHeaders, 'cache-control': cacheControl, etag }
    return { body, etag, fields, headers: Object.entries(fields).flat(), notModified: Object.entries(notModified).flat() }
  }
}

function * rendered (records: WrittenRecords, positions: Uint32Array, origin: string): Generator<string> {
  for (const position of positions) yield renderRecord(records, position, origin)
}

/** Says how long a cache may keep a list without asking again: not at all while the data are watched. */
function cacheControlOf ({ maxAge }: Resource, isWatched: boolean): string {
  return maxAge === null || isWatched ? 'private, no-cache' : `public, max-age=${maxAge}`
}
