import { LRUCache } from 'lru-cache'
import type { Catalogue, ServedRecord } from '../catalogue/catalogue.ts'
import { contractOf } from '../catalogue/schema-fields.ts'
import { errors } from '../http/errors.ts'
import { lastValue } from '../http/target.ts'
import { filterPositions, readFilters } from './filter.ts'
import { orderPositions, writeOrdering, type Term } from './ordering.ts'
import { findPage, type ListPage } from './page.ts'
import type { ListRequest } from './request.ts'
import { resources, type Resource, type ServedResource } from './resources.ts'
import { createTable, readerOf, type Table } from './table.ts'

export type ListReader = ReturnType<typeof createListReader>

export function createListReader (catalogue: Catalogue) {
  const tables = new Map<string, Table>()
  for (const { key, record } of resources) {
    tables.set(key, createTable(catalogue[key], path => readerOf(record, path)))
  }
  const tableOf = ({ key }: Resource) => tables.get(key) as Table
  const orderings = new LRUCache<string, readonly number[]>({ max: 32 }) // each takes eight bytes a record

  function orderOf (resource: Resource, terms: readonly Term[]): readonly number[] {
    const key = `${resource.key} ${writeOrdering(terms)}`
    const positions = orderings.get(key) ?? orderPositions(tableOf(resource), terms)
    orderings.set(key, positions)
    return positions
  }

  return {
    /** Returns the selected positions in the order of the request; throws 400 for invalid filters. */
    positionsOf ({ resource, terms, filters }: ListRequest): readonly number[] {
      const conditions = readFilters(filters, resource.filters)
      if (!Array.isArray(conditions)) throw errors.badParameters(conditions)
      const positions = orderOf(resource, terms)
      return filterPositions(tableOf(resource), positions, conditions)
    },
    recordAt: (resource: Resource, position: number): object => tableOf(resource).records[position] as ServedRecord,
    sourceOf: ({ source }: ServedResource) => source,
    /** Returns the schema of a list's records, with the catalogue's name of the fitness fields. */
    schemaOf: ({ key }: Resource) => contractOf(key, catalogue.fitnessName).items,
    /** Returns the values of a list's field in short; undefined for a long list. */
    summaryOf: (resource: Resource, field: string) => tableOf(resource).summaryOf(field)
  }
}

/** The records of a response, the same for its JSON and its browsable page. */
export type Selection = {
  /** The positions of the list or of the part of it that has pages, in the order of the request. */
  matches: readonly number[]
  /** Undefined for the unpaged list. */
  page: ListPage | undefined
  /** The positions of the records in the response. */
  positions: readonly number[]
}

/** Selects the records of a list request. Throws 400 for invalid filters and 404 for an invalid page. */
export function select (reader: ListReader, request: ListRequest): Selection {
  const { resource: { pageSize, pageSizeParameter, maxPageSize }, query, page: number } = request
  const matches = reader.positionsOf(request)
  if (number === undefined) return { matches, page: undefined, positions: matches }
  const sentSize = pageSizeParameter ? lastValue(query, 'page_size') : undefined
  const page = findPage(matches.length, number, sentSize, pageSize, maxPageSize)
  if (page === undefined) throw errors.invalidPage()
  return { matches, page, positions: matches.slice(page.start, page.start + page.size) }
}
