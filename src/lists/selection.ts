import { LRUCache } from 'lru-cache'
import { errors } from '../http/errors.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Value } from './column.ts'
import { readFilters, selectPositions } from './filter.ts'
import { orderPositions, writeOrdering } from './ordering.ts'
import type { Asked } from './question.ts'
import { present, resources, type Resource, type ResourceKey } from './resources.ts'
import { createTable, type Fields, type Table } from './table.ts'

/** Bounds how many orderings are kept; each takes four bytes a record. */
const maxOrderings = 64

/** The records of every list, and where those stand that a question asks for. */
export type Selection = {
  /** Makes what any question can need of long lists, in turns with requests. */
  prepare: () => Promise<void>
  /** The positions of the records that a question selects, in its order; it throws the 400 of filters that cannot be read. */
  positionsOf: (asked: Asked) => Uint32Array
  /** A record as it is served. */
  recordAt: (resource: Resource, position: number) => object
  countOf: (resource: Resource) => number
  /** The distinct values that a list has in a field, as they are written. */
  valuesOf: (resource: Resource, field: string) => readonly Value[]
}

const made = new WeakMap<Catalogue, Selection>()

/** The tables of all lists, one of each for a catalogue. */
export function selectionOf (catalogue: Catalogue): Selection {
  const selection = made.get(catalogue) ?? createSelection(catalogue)
  made.set(catalogue, selection)
  return selection
}

function createSelection (catalogue: Catalogue): Selection {
  const tables = tablesOf(catalogue)
  const tableAt = (key: ResourceKey) => tables.get(key) as Table<object>
  const orderings = new LRUCache<string, Uint32Array>({ max: maxOrderings })

  return {
    async prepare () {
      for (const { key, filters, sortable } of resources) {
        await tableAt(key).prepare(Object.values(filters).flatMap(({ fields }) => fields), sortable)
      }
    },
    positionsOf ({ resource, terms, filters }) {
      const table = tableAt(resource.key)
      const key = `${resource.key} ${writeOrdering(terms)}`
      const positions = orderings.get(key) ?? orderPositions(table, terms)
      orderings.set(key, positions)
      const conditions = readFilters(filters, resource.filters)
      if (!Array.isArray(conditions)) throw errors.badParameters(conditions)
      return selectPositions(table, positions, conditions)
    },
    countOf: ({ key }) => tableAt(key).records.length,
    recordAt: (resource, position) => present(resource, catalogue, tableAt(resource.key).records[position] as object),
    valuesOf: ({ key }, field) => tableAt(key).column(field).written
  }
}

/** The table of each list; lists of the same records have the same fields, and share one. */
function tablesOf (catalogue: Catalogue): ReadonlyMap<ResourceKey, Table<object>> {
  const tables = new Map<readonly object[], Table<object>>()
  return new Map(resources.map(({ key, records, fields }) => {
    const own = records(catalogue)
    const table = tables.get(own) ?? createTable(own, fields(catalogue) as Fields<object>)
    tables.set(own, table)
    return [key, table]
  }))
}
