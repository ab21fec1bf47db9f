import { LRUCache } from 'lru-cache'
import { errors } from '../http/errors.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { readFilters, selectPositions } from './filter.ts'
import { orderPositions, writeOrdering } from './ordering.ts'
import type { Asked } from './question.ts'
import { resources, type Resource, type ResourceKey } from './resources.ts'
import { createTable, type Fields, type Column, type Table, type Value } from './table.ts'

/** Bounds how many orderings are kept; each takes four bytes a record. */
const maxOrderings = 64

/** The records of every list, and where those stand that a question asks for. */
export type Selection = {
  /** The positions of the records that a question selects, in its order; it throws the 400 of filters that cannot be read. */
  positionsOf: (asked: Asked) => Uint32Array
  /** A record as it is served. */
  recordAt: (resource: Resource, position: number) => object
  countOf: (resource: Resource) => number
  /** The distinct values that a list has in a field, as they are written. */
  valuesOf: (resource: Resource, field: string) => readonly Value[]
}

const made = new WeakMap<Catalogue, Promise<Selection>>()

/** The tables of all lists, made once for a catalogue. */
export function selectionOf (catalogue: Catalogue): Promise<Selection> {
  const selection = made.get(catalogue) ?? createSelection(catalogue)
  made.set(catalogue, selection)
  return selection
}

async function createSelection (catalogue: Catalogue): Promise<Selection> {
  const tables = new Map<ResourceKey, Table<object>>()
  for (const resource of resources) tables.set(resource.key, await tableOf(resource, catalogue))
  const tableAt = (key: ResourceKey) => tables.get(key) as Table<object>
  const orderings = new LRUCache<string, Uint32Array>({ max: maxOrderings })

  return {
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
    recordAt ({ key, present }, position) {
      const record = tableAt(key).records[position] as object
      return present === undefined ? record : present(catalogue, record as never)
    },
    valuesOf: ({ key }, field) => (tableAt(key).columns.get(field) as Column).written
  }
}

function tableOf ({ records, fields, sortable }: Resource, catalogue: Catalogue): Promise<Table<object>> {
  return createTable(records(catalogue), fields(catalogue) as Fields<object>, sortable)
}
