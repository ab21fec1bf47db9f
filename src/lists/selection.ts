import { LRUCache } from 'lru-cache'
import { errors } from '../http/errors.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { readFilters, selectPositions } from './filter.ts'
import { orderPositions, writeOrdering } from './ordering.ts'
import type { Asked } from './question.ts'
import { present, resources, type Resource, type ResourceKey } from './resources.ts'
import { createTable, type Fields, type Table, type Value } from './table.ts'

/** Bounds how many orderings are kept; each takes four bytes a record. */
const maxOrderings = 64

/** The records of every list, and where those stand that a question asks for. */
export type Selection = {
  /** Makes what a question needs of a long list, if that is not there yet. */
  prepare: (asked: Asked) => Promise<void> | undefined
  /** Makes what any question can need of long lists. */
  prepareAll: () => Promise<void>
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
  const tables = new Map(resources.map(resource => [resource.key, tableOf(resource, catalogue)]))
  const tableAt = (key: ResourceKey) => tables.get(key) as Table<object>
  const orderings = new LRUCache<string, Uint32Array>({ max: maxOrderings })

  return {
    prepare ({ resource, terms, filters, format }) {
      const asked = new Set(filters.map(([name]) => name))
      // A page offers the values that can be chosen from.
      const needed = Object.entries(resource.filters)
        .filter(([name, { kind }]) => asked.has(name) || (format === 'api' && kind === 'anyOf'))
      const fields = needed.flatMap(([, { fields }]) => fields)
      return tableAt(resource.key).prepare(fields, terms.map(({ field }) => field))
    },
    async prepareAll () {
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

function tableOf ({ records, fields }: Resource, catalogue: Catalogue): Table<object> {
  return createTable(records(catalogue), fields(catalogue) as Fields<object>)
}
