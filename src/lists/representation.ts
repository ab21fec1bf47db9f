import type { Catalogue } from '../catalogue/catalogue.ts'
import { errors } from '../http/errors.ts'
import { tagOf } from '../http/conditional.ts'
import { listHeadersOf, pageHeaders } from '../http/headers.ts'
import { formats } from '../http/negotiation.ts'
import type { Body } from '../http/send.ts'
import { bodyOf, compose, identify, isMeasured, lengthOf, measureAll, renderRecord, type Composition } from './composition.ts'
import type { Memory } from './memory.ts'
import { envelope, findPage, type PagePlace } from './page.ts'
import { createPreparations, type Preparations } from './prepare.ts'
import { askJson, type Asked } from './question.ts'
import { lastValue } from './query.ts'
import { aboutLength, createWriter, type WrittenRecords } from './records.ts'
import type { Resource } from './resources.ts'
import type { Settings } from '../settings/settings.ts'
import { selectionOf, type Selection } from './selection.ts'
import type { Value } from './column.ts'

type Headers = Readonly<Record<string, string>>

/**
 * One answer and its tag, with all headers of the answer that sends it and of the 304 that does not: by name, and as `writeHead`
 * takes them fastest: name, value, name, value.
 */
export type Representation = {
  body: Body
  /** The memory that the body takes, in bytes: of one that is made in pieces, what it is made from. */
  held: number
  etag: string
  fields: Headers
  headers: readonly string[]
  notModified: readonly string[]
}

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

/** Makes the browsable page of a list. */
export type Browse = (browsed: Browsed) => string

/** Makes what answers the questions of all lists: select, order, page, write. */
export type Maker = Preparations & {
  /**
   * Makes an answer: a promise where many records are looked at or written for the first time. Throws the 400 of filters that cannot be
   * read and the 404 of an invalid page.
   */
  make: (asked: Asked) => Representation | Promise<Representation>
  /** The same answer with a compressed body, with these fields in place of its own. */
  encode: (plain: Representation, body: Buffer, fields: Headers) => Representation
  /** About how long the plain list is, in bytes; a few of its records are written to tell. */
  plainLength: (resource: Resource) => number
}

/** A list with fewer records is not long, and a start does not wait until some of them are written. */
const manyRecords = 1000

const compact = { indent: 0, depth: 0 }

export function createMaker (
  catalogue: Catalogue, browse: Browse, settings: Pick<Settings, 'compress' | 'watch'>, select = (list: Selection) => list, memory?: Memory
): Maker {
  const whole = selectionOf(catalogue)
  const { positionsOf, recordAt, countOf, valuesOf } = select(whole)
  const write = createWriter(recordAt, resource => Math.max(1, whole.countOf(resource)), memory) // an empty list has examples too
  const listHeaders = listHeadersOf(settings)
  const lastModified = catalogue.updated.toUTCString()

  const preparations = createPreparations({
    record: (resource, position) => write(resource, compact).lengthOf(position, 0),
    answer: make,
    countOf
  })

  return { ...preparations, make, encode, plainLength }

  function make (asked: Asked): Representation | Promise<Representation> {
    const question = asked.format === 'api' ? askJson(asked) : asked
    const list = composeList(question)
    if (!isMeasured(list)) return measureAll(list).then(() => make(asked))
    return question === asked ? makeJson(asked, list) : makePage(asked, question, list)
  }

  function encode ({ fields }: Representation, body: Buffer, ownFields: Headers): Representation {
    return represent({ ...fields, ...ownFields }, body)
  }

  function plainLength (resource: Resource): number {
    const count = countOf(resource)
    return count < manyRecords ? 0 : aboutLength(write(resource, compact), count)
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

  function makeJson (asked: Asked, list: Composition): Representation {
    const headers = headersOf(asked, list)
    return represent(headers, bodyOf(list, asked.origin, Number(headers['content-length'])), list.positions.byteLength)
  }

  function makePage (asked: Asked, question: Asked, composed: ReturnType<typeof composeList>): Representation {
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
    return represent(headersFor(asked, text, body.length, pageHeaders), body)
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

  function represent (fields: Headers, body: Body, heldInPieces = 0): Representation {
    const { etag = '', 'cache-control': cacheControl = '' } = fields
    const notModified = { ...listHeaders, 'cache-control': cacheControl, etag }
    const held = Buffer.isBuffer(body) ? body.length : heldInPieces
    return { body, held, etag, fields, headers: Object.entries(fields).flat(), notModified: Object.entries(notModified).flat() }
  }
}

function * rendered (records: WrittenRecords, positions: Uint32Array, origin: string): Generator<string> {
  for (const position of positions) yield renderRecord(records, position, origin)
}

/** Says how long a cache may keep a list without asking again: not at all while the data are watched. */
function cacheControlOf ({ maxAge }: Resource, isWatched: boolean): string {
  return maxAge === null || isWatched ? 'private, no-cache' : `public, max-age=${maxAge}`
}
