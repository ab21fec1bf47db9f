import { Type, type TArray, type TObject } from '@sinclair/typebox'
import { records, type ListKey } from '../../../schemas/lists.ts'
import type { JsonObject } from '../../base/json.ts'

/** The part of names that the specification puts in place of the external service's. */
export const neutralName = 'fitness'

const named = /^fitness(?=$|_gear_id$|_lifetime_distance$|_last_synced$)/

/** Renames the fields of the fitness-tracking service in their places, at any depth of records, JSON Schemas and documents. */
export function nameFitness<Value> (value: Value, name: string, key?: string): Value {
  if (name === neutralName) return value
  if (typeof value === 'string') return (key === 'required' ? value.replace(named, name) : value) as Value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: unknown) => nameFitness(item, name, key)) as Value
  return Object.fromEntries(Object.entries(value)
    .map(([key, inner]) => [key.replace(named, name), nameFitness(inner as unknown, name, key)])) as Value
}

const contracts = new Map<string, TArray<TObject>>()

/** Returns the schema of a list with a name of the fitness fields: the same object each time, because schemas are compiled. */
export function contractOf (key: ListKey, name: string): TArray<TObject> {
  const contract = contracts.get(`${key} ${name}`) ?? Type.Array(nameFitness<TObject>(records[key], name))
  contracts.set(`${key} ${name}`, contract)
  return contract
}

/** Finds the name of the fitness-tracking service in the keys of bikes; undefined where none has its three fields. */
export function findFitnessName (bikes: readonly JsonObject[]): string | undefined {
  return bikes.flatMap(bike => Object.keys(bike).flatMap(key => {
    const [, name] = /^([a-z][a-z0-9_]*)_gear_id$/.exec(key) ?? []
    return name !== undefined && `${name}_lifetime_distance` in bike && `${name}_last_synced` in bike ? name : []
  }))[0]
}
