import { isUtf8 } from 'node:buffer'
import { attempt } from '../base/attempt.ts'
import { isPlainObject } from '../base/json.ts'
import { readRecords } from '../catalogue/recorded/texts.ts'
import type { HttpResponse } from '../client/client.ts'
import type { Resource } from '../lists/resources.ts'

/** @throws {Error} for a response that is no list, nor a document in place of one */
export function assertListed (
  base: URL, { key, access }: Resource, href: string, { status, headers, body }: HttpResponse, isFirst: boolean
): void {
  const { 'content-type': type = 'no Content-Type' } = headers
  if (status === 404 && isFirst) {
    if (key === 'bikes') throw new Error(`${href} responds with 404; if the service has a base path, add it: ${base.href}path`)
    return
  }
  if (status === 200) {
    if (!isUtf8(body)) throw new Error(`${href} responds in another encoding than UTF-8, which JSON needs`)
    const records = readRecords(body)
    const isDocument = access === 'token' && isFirst
    const { value } = records ? { value: records.values } : attempt((): unknown => JSON.parse(body.toString()))
    if (value === undefined) throw new Error(`${href} responds with ${type} that is no JSON`)
    if (records === undefined && !isDocument) throw new Error(`${href} responds with neither an array of records nor a page with results`)
    const other = records?.values.findIndex(record => !isPlainObject(record)) ?? -1
    if (other >= 0) throw new Error(`${href} has a record that is no object, at position ${other}`)
    return
  }
  const details = ['location', 'retry-after'].filter(name => name in headers).map(name => `, ${name}: ${headers[name]}`)
  const credentials = access === 'token' ? 'does the service accept the token of --token?' : 'does a gateway need a --header?'
  const hint = [401, 403, 407].includes(status) ? `; ${credentials}` : 'location' in headers ? '; use that URL' : ''
  throw new Error(`${href} responds with ${status}${details.join('')}${hint}`)
}
