import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Page } from '../../schemas/answers.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { readFilters, selectPositions } from './filter.ts'
import { orderPositions, writeOrdering } from './ordering.ts'
import { envelope, findPage, type PagePlace } from './page.ts'
import { lastValue } from './query.ts'
import { createTable, type Fields, type Table } from './table.ts'
import { resources, type Resource } from './resources.ts'
import { askJson, type Asked } from './question.ts'
import { errors } from '../http/errors.ts'
import { listHeaders } from '../http/headers.ts'
import { formats } from '../http/negotiation.ts'
import { pageHeaders } from '../http/page-headers.ts'
import { indentJson, serialiseList, serialisePage } from './serialise.ts'

type Headers = Readonly<Record<string, string>>

/** The bytes of one answer and their tag, with all headers of the answer that sends them and of the 304 that does not. */
export type Representation = { body: Buffer, etag: string, headers: Headers, notModified: Headers }

const jsonHeaders = { 'content-type': formats.json }

/** What a browsable page is made from. */
export type Browsed = {
  /** The question with JSON as its answer. */
  asked: Asked
  /** That answer. */
  json: Representation
  catalogue: Catalogue
  /** Records in the whole list. */
  count: number
  /** The page that was asked for, or undefined for the plain list. */
  place: PagePlace | undefined
  /** Gives the records from one place to another, as they are served. */
  records: (start: number, end: number) => object[]
}

/** Makes the browsable page of a list. */
export type Browse = (browsed: Browsed) => string

/** Bounds the memory that representations take, in bytes. */
const cacheBytes = 64 * 2 ** 20

/** Bounds how many orderings are kept; each takes four bytes a record. */
const maxOrderings = 64

/**
 * Gives a function that finds or makes the representation a request asks for: select, order, page, serialise. Each one is
 * made once and kept as long as the bounded cache has room; it throws the 404 of an invalid page.
 */
export function createRepresentations (catalogue: Catalogue, browse: Browse, maxSize = cacheBytes): (asked: Asked) => Representation {
  const kept = new LRUCache<string, Representation>({
    maxSize,
    sizeCalculation: ({ body }, key) => body.length + key.length + 512
  })
  const lastModified = catalogue.updated.toUTCString()
  const tables = new Map(resources.map(resource => [resource, tableOf(resource, catalogue)]))
  const orderings = new LRUCache<string, Uint32Array>({ max: maxOrderings })

  function positionsOf (table: Table<object>, { resource, terms, filters }: Asked): Uint32Array {
    const key = `${resource.path} ${writeOrdering(terms)}`
    const positions = orderings.get(key) ?? orderPositions(table, terms)
    orderings.set(key, positions)
    const conditions = readFilters(filters, resource.filters)
    if (!Array.isArray(conditions)) throw errors.badParameters(conditions)
    return selectPositions(table, positions, conditions)
  }

  function recordsAt ({ present }: Resource, { records }: Table<object>, positions: Uint32Array): object[] {
    const own = Array.from(positions, position => records[position] as object)
    return present === undefined ? own : own.map(record => present(catalogue, record as never))
  }

  function makeJson (asked: Asked, positions: Uint32Array, recordsAt: RecordsAt): Representation {
    const json = jsonOf(asked, positions, recordsAt)
    return represent(asked, asked.indent === 0 ? json : indentJson(json, asked.indent), jsonHeaders)
  }

  function makePage (asked: Asked, positions: Uint32Array, recordsAt: RecordsAt): Representation {
    const question = askJson(asked)
    const json = representation(question)
    const { query, page } = question
    const place = page === undefined ? undefined : findPage(positions.length, page, lastValue(query, 'page_size'))
    const records = (start: number, end: number) => recordsAt(positions.slice(start, end))
    const text = browse({ asked: question, json, catalogue, count: positions.length, place, records })
    return represent(asked, text, pageHeaders)
  }

  /** Makes a representation; the tag depends on what was asked too, so that it is good for its own URL only. */
  function represent ({ canonical, resource }: Asked, text: string, headers: Headers): Representation {
    const body = Buffer.from(text)
    // As in catalogue/files.ts, the faster one of the SHA-2 family.
    const digest = createHash('sha512-256').update(canonical).update('\n').update(body).digest('base64url')
    const etag = `"${digest.slice(0, 27)}"`
    const notModified = { ...listHeaders, 'cache-control': cacheControlOf(resource), etag }
    return { body, etag, notModified, headers: { ...notModified, ...headers, 'content-length': String(body.length), 'last-modified': lastModified } }
  }

  return representation

  function representation (asked: Asked): Representation {
    const found = kept.get(asked.key)
    if (found !== undefined) return found
    const table = tables.get(asked.resource) as Table<object>
    const make = asked.format === 'api' ? makePage : makeJson
    const made = make(asked, positionsOf(table, asked), positions => recordsAt(asked.resource, table, positions))
    kept.set(asked.key, made)
    return made
  }
}

/** Says how long a cache may keep a list without asking again. */
function cacheControlOf ({ maxAge }: Resource): string {
  return maxAge === null ? 'private, no-cache' : `public, max-age=${maxAge}`
}

function tableOf ({ records, fields, sortable }: Resource, catalogue: Catalogue): Table<object> {
  return createTable(records(catalogue), fields(catalogue) as Fields<object>, sortable)
}

/** Gives the records at some positions of a list as they are served. */
type RecordsAt = (positions: Uint32Array) => object[]

function jsonOf (asked: Asked, positions: Uint32Array, recordsAt: RecordsAt): string {
  const { resource, origin, page } = asked
  if (page === undefined) return serialiseList(resource, recordsAt(positions), origin)
  return serialisePage(resource, pageOf(asked, page, positions, recordsAt), origin)
}

function pageOf ({ resource, origin, query }: Asked, page: string, positions: Uint32Array, recordsAt: RecordsAt): Page {
  const place = findPage(positions.length, page, lastValue(query, 'page_size'))
  if (place === undefined) throw errors.invalidPage()
  const { results, ...links } = envelope(positions, place, origin + resource.path, query)
  return { ...links, results: recordsAt(results) }
}
