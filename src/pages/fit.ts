import type { Static, TSchema } from '@sinclair/typebox'
import { isObject, type UncheckedRecord } from '../catalogue/source.ts'

/** The keywords of a schema that decide the types of values. */
type Parts = TSchema & { type?: string | string[], anyOf?: TSchema[], properties?: Record<string, TSchema> } &
  { items?: TSchema, maxItems?: number }

/** A record as pages read it: texts and lists may be empty, other values null. */
export type Fitted<T> = [T] extends [string | null] ? string
  : T extends readonly (infer Item)[] ? Fitted<Item>[] : T extends object ? { [Name in keyof T]: Fitted<T[Name]> } : T | null

const isRecord = (value: unknown): value is UncheckedRecord => isObject(value) && !Array.isArray(value)

/** Returns the fields of a schema; a recorded value that is absent or of another type is empty or null. Numbers may be written as text. */
export function fit<S extends TSchema> (schema: S, value: unknown): Fitted<Static<S>> {
  return fitValue(schema, value) as Fitted<Static<S>>
}

function fitValue ({ type, anyOf: [either] = [], properties, items }: Parts, value: unknown): unknown {
  if (either !== undefined) return isObject(value) ? fitValue(either, value) : null
  if (properties !== undefined) {
    const own = new Map(isRecord(value) ? Object.entries(value) : [])
    return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, fitValue(field, own.get(name))]))
  }
  if (items !== undefined) return Array.isArray(value) ? value.map(item => fitValue(items, item)) : []
  const types = [type].flat()
  if (types.includes('string')) return textOf(value)
  if (types.includes('boolean')) return typeof value === 'boolean' ? value : null
  return textOf(value).trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : null
}

/** The most characters of a text that a page shows besides its JSON. */
const maxText = 300

/** Returns a text or number as text, shortened; empty for any other value. */
export function textOf (value: unknown): string {
  const text = typeof value === 'string' || Number.isFinite(value) ? String(value) : ''
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text
}

/** Returns the paths and values of what a value has and its schema lacks or types otherwise. */
export function beyond (schema: TSchema, value: unknown, path = ''): [path: string, value: unknown][] {
  const { type, anyOf: [either] = [], properties, items, maxItems = Infinity } = schema as Parts
  if (either !== undefined) return value === null ? [] : beyond(either, value, path)
  if (properties !== undefined && isRecord(value)) {
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
