import type { TSchema } from '@sinclair/typebox'
import { isObject } from '../catalogue/source.ts'

/** The keywords of a schema that decide the types of values. */
type Parts = TSchema & { type?: string | string[], anyOf?: TSchema[], properties?: Record<string, TSchema> } &
  { items?: TSchema, maxItems?: number }

/** Returns the paths and values of what a value has and its schema lacks or types otherwise. */
export function beyond (schema: TSchema, value: unknown, path = ''): [path: string, value: unknown][] {
  const { type, anyOf: [either] = [], properties, items, maxItems = Infinity } = schema as Parts
  if (either !== undefined) return value === null ? [] : beyond(either, value, path)
  if (properties !== undefined && isObject(value) && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([name, inner]) => {
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined
      const own = path === '' ? name : `${path}.${name}`
      return field === undefined ? [[own, inner]] : beyond(field, inner, own)
    })
  }
  if (items !== undefined && Array.isArray(value)) {
    return value.length > maxItems ? [[path, value]] : value.flatMap((item, index) => beyond(items, item, `${path}[${index}]`))
  }
  return type === undefined || [type].flat().some(type => typesOf(value).includes(type)) ? [] : [[path, value]]
}

function typesOf (value: unknown): string[] {
  if (value === null) return ['null']
  if (Array.isArray(value)) return ['array']
  return Number.isInteger(value) ? ['integer', 'number'] : [typeof value]
}
