import { LRUCache } from 'lru-cache'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { errors } from '../http/errors.ts'
import { filterPositions, readFilters } from './filter.ts'
import { orderPositions, writeOrdering } from './ordering.ts'
import type { Question } from './question.ts'
import { present, resources, type Resource, type ResourceKey } from './resources.ts'
import { createTable, type Fields, type Table, type Value } from './table.ts'

/** The most orderings in the cache; each takes eight bytes a record. */
const maxOrderings = 32

/** The records of every list, and the positions that a question selects. */
export type Selection = {
  /** Returns the selected positions in the order of the question; throws 400 for invalid filters. */
  positionsOf: (question: Question) => readonly number[]
  /** Returns a record as it is served. */
  recordAt: (resource: Resource, position: number) => object
  /** Returns the distinct values of a list's field. */
  valuesOf: (resource: Resource, field: string) => readonly Value[]
}

export function createSelection (catalogue: Catalogue): Selection {
  const tables = tablesOf(catalogue)
  const tableOf = ({ key }: Resource) => tables.get(key) as Table<object>
  const orderings = new LRUCache<string, number[]>({ max: maxOrderings })

  return {
    positionsOf ({ resource, terms, filters }) {
      const conditions = readFilters(filters, resource.filters)
      if (!Array.isArray(conditions)) throw errors.badParameters(conditions)
      const table = tableOf(resource)
      const key = `${resource.key} ${writeOrdering(terms)}`
      const positions = orderings.get(key) ?? orderPositions(table, terms)
      orderings.set(key, positions)
      return filterPositions(table, positions, conditions)
    },
    recordAt: (resource, position) => present(resource, catalogue, tableOf(resource).records[position] as object),
    valuesOf: (resource, field) => tableOf(resource).distinct(field)
  }
}

/** Creates the table of each list; lists of the same records share one. */
function tablesOf (catalogue: Catalogue): ReadonlyMap<ResourceKey, Table<object>> {
  const tables = new Map<readonly object[], Table<object>>()
  return new Map(resources.map(({ key, records, fields }) => {
    const own = records(catalogue)
    const table = tables.get(own) ?? createTable(own, fields(catalogue) as Fields<object>)
    tables.set(own, table)
    return [key, table]
  }))
}

/** Minimum records of a list that may be long, and the number serialised to estimate its length. */
const [manyRecords, sampleSize] = [1000, 20]

/** Estimates the length of a whole list as JSON, in bytes; 0 for a short list. */
export function estimateLength (catalogue: Catalogue, resource: Resource): number {
  const records = resource.records(catalogue)
  if (records.length < manyRecords) return 0
  const sample = Array.from({ length: sampleSize }, (_, index) => records[Math.floor(index * records.length / sampleSize)] as object)
  const lengths = sample.map(record => Buffer.byteLength(JSON.stringify(present(resource, catalogue, record))))
  return Math.round(records.length / sampleSize * lengths.reduce((sum, length) => sum + length))
}
