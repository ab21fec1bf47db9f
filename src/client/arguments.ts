import { records } from '../../schemas/lists.ts'
import { suggestion } from '../base/nearest.ts'
import { type Kind, readHeaderLine } from '../settings/kinds.ts'
import { urlOf } from './client.ts'

/** Returns the key of a list. @throws {Error} which suggests the nearest one */
function listKey (name: string): string {
  const keys = Object.keys(records)
  if (keys.includes(name)) return name
  const hint = suggestion(name, keys, '') || `; the lists are ${keys.join(', ')}`
  throw new Error(`unknown list "${name}"${hint}`)
}

export const listNames: Kind<readonly string[]> = {
  expects: 'lists, separated by commas', read: text => text.split(',').map(listKey)
}

/** Reads fields of records, of all lists or, such as `bikes.view_count`, of one. */
export const fieldNames: Kind<readonly string[]> = {
  expects: 'fields, separated by commas',
  read: text => {
    const names = text.split(',')
    names.forEach(assertFieldName)
    return names
  }
}

/** @throws {Error} for an empty part of a name, and an unknown list */
function assertFieldName (name: string): void {
  const [list, ...fields] = name.split('.')
  if (!list || fields.includes('')) throw new Error('a name is empty')
  if (fields.length > 0) listKey(list)
}

export const requestRate: Kind<number> = {
  expects: 'a number of requests a second',
  read: text => Number(text) > 0 ? Number(text) : undefined
}

export const serviceUrl: Kind<URL> = {
  expects: 'an http or https URL without a query or fragment, such as http://localhost:3000',
  read: text => /^https?:\/\/[^?#]+$/i.test(text) ? urlOf(text) : undefined
}

/** Reads one header a line, by its name in lower case. */
export const requestHeaders: Kind<Readonly<Record<string, string>>> = {
  expects: "a header such as 'X-Api-Key: abc'",
  secret: true,
  isRepeatable: true,
  read: text => Object.fromEntries(text.split('\n').map(readHeaderLine))
}
