import { LRUCache } from 'lru-cache'
import type { ListKey } from '../../schemas/lists.ts'
import type { Catalogue, ServedRecord } from '../catalogue/catalogue.ts'
import { contractOf } from '../catalogue/schema-fields.ts'
import { errors } from '../http/errors.ts'
import { filterPositions, readFilters } from './filter.ts'
import { orderPositions, writeOrdering } from './ordering.ts'
import type { ListRequest } from './request.ts'
import { resources, type Resource } from './resources.ts'
import { textField, createTable, type Fields, type Table } from './table.ts'

export type ListReader = ReturnType<typeof createListReader>

export function createListReader (catalogue: Catalogue) {
  const tables = new Map<ListKey, Table>(resources.map(({ key, fields }) => [key, createTable(catalogue[key], fieldsOf(key, fields))]))
  const tableOf = ({ key }: Resource) => tables.get(key) as Table
  /** A service may sort by other fields than those of the contract. */
  function fieldsOf (key: ListKey, fields: Fields): Fields {
    return { ...Object.fromEntries(catalogue.forms[key].sortable([]).map(field => [field, textField(field)])), ...fields }
  }
  const orderings = new LRUCache<string, number[]>({ max: 32 }) // each takes eight bytes a record

  return {
    /** Returns the selected positions in the order of the request; throws 400 for invalid filters. */
    positionsOf ({ resource, terms, filters }: ListRequest): readonly number[] {
      const conditions = readFilters(filters, resource.filters)
      if (!Array.isArray(conditions)) throw errors.badParameters(conditions)
      const table = tableOf(resource)
      const key = `${resource.key} ${writeOrdering(terms)}`
      const known = catalogue.forms[resource.key].orders[writeOrdering(terms)] ?? []
      const positions = orderings.get(key) ?? [...new Set([...known, ...orderPositions(table, terms)])] // the rest of a part follows
      orderings.set(key, positions)
      return filterPositions(table, positions, conditions)
    },
    recordAt: (resource: Resource, position: number): object => tableOf(resource).records[position] as ServedRecord,
    /** Whether the records are all of the catalogue, some of them, or others. */
    origin: 'catalogue' as 'catalogue' | 'selection' | 'example',
    /** Returns the schema of a list's records, with the catalogue's name of the fitness fields. */
    schemaOf: ({ key }: Resource) => contractOf(key, catalogue.fitnessName).items,
    /** Returns the values of a list's field in short; undefined for a long list. */
    summaryOf: (resource: Resource, field: string) => tableOf(resource).summaryOf(field)
  }
}
