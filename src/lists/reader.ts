import { LRUCache } from 'lru-cache'
import type { Catalogue, ServedRecord } from '../catalogue/catalogue.ts'
import type { ListForm } from '../recorded/responses.ts'
import { contractOf } from '../catalogue/schema-fields.ts'
import { errors } from '../http/errors.ts'
import { filterPositions, readFilters } from './filter.ts'
import { orderPositions, writeOrdering, type Term } from './ordering.ts'
import type { ListRequest } from './request.ts'
import { resources, type Resource } from './resources.ts'
import { textField, createTable, type Fields, type Table } from './table.ts'

export type ListReader = ReturnType<typeof createListReader>

/**
 * Returns the fields by which a list is filtered and sorted; a service may sort by others than those of the contract.
 */
function queryFieldsOf (resource: Resource, { sortable }: ListForm): Fields {
  const fields: Record<string, Fields[string]> = {}
  for (const field of sortable([])) fields[field] = textField(field)
  return Object.assign(fields, resource.fields)
}

export function createListReader (catalogue: Catalogue) {
  const formOf = ({ key }: Pick<Resource, 'key'>): ListForm => catalogue.forms[key]
  const tables = new Map<string, Table>()
  for (const resource of resources) {
    const fields = queryFieldsOf(resource, formOf(resource))
    tables.set(resource.key, createTable(catalogue[resource.key], fields))
  }
  const tableOf = ({ key }: Resource) => tables.get(key) as Table
  const orderings = new LRUCache<string, readonly number[]>({ max: 32 }) // each takes eight bytes a record

  /** Returns the positions of a list in an order. */
  function orderOf (resource: Resource, terms: readonly Term[]): readonly number[] {
    const ordering = writeOrdering(terms)
    const key = `${resource.key} ${ordering}`
    const cached = orderings.get(key)
    if (cached !== undefined) return cached
    const positions = orderPositions(tableOf(resource), terms)
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
    /** Returns how a list is served. */
    formOf,
    /** Returns the schema of a list's records, with the catalogue's name of the fitness fields. */
    schemaOf: ({ key }: Resource) => contractOf(key, catalogue.fitnessName).items,
    /** Returns the values of a list's field in short; undefined for a long list. */
    summaryOf: (resource: Resource, field: string) => tableOf(resource).summaryOf(field)
  }
}
