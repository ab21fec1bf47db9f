import { isUtf8 } from 'node:buffer'
import { urlOf, type HttpResponse } from '../client/client.ts'
import type { Resource } from '../lists/resources.ts'
import { readBody } from '../service/read.ts'
import type { ResponseRecords } from './reduce.ts'

/**
 * Accepts an array or a page of records. The first response of a list may be 404, and that of version 2.1 any document.
 * @throws {Error} for any other response
 */
export function assertListed (
  response: HttpResponse, records: ResponseRecords | undefined, { access }: Resource, { href }: URL, isFirst: boolean
): void {
  const { status } = response
  if (status === 404 && isFirst) return
  if (status !== 200) {
    const { location } = response.headers
    const target = location === undefined ? '' : `, location: ${location}`
    throw new Error(`${href} responds with ${status}${target}${hintFor(response, access, href)}`)
  }
  if (!isUtf8(response.body)) throw new Error(`${href} responds in an encoding other than UTF-8, which JSON requires`)
  const type = response.headers['content-type'] ?? 'no Content-Type'
  if (records !== undefined) {
    const other = records.values.indexOf(undefined)
    if (other >= 0) throw new Error(`${href} has a record that is not an object, at position ${other}`)
    return
  }
  const { value } = readBody(response)
  if (value === undefined) throw new Error(`${href} responds with ${type} that cannot be read as JSON`)
  const mayBeDocument = access === 'token' && isFirst
  if (!mayBeDocument) throw new Error(`${href} responds with neither an array of records nor a page with results`)
}

/** Returns what to do about a refusal or a redirect; some gateways set a cookie and redirect to the same URL. */
function hintFor ({ status, headers }: HttpResponse, access: Resource['access'], href: string): string {
  const target = urlOf(headers.location, new URL(href))?.href
  const isRefused = [401, 403, 407].includes(status) || target === href
  if (isRefused && access === 'token') return '; does the service accept the token of --token?'
  if (isRefused) return '; does a gateway need a --header?'
  return target === undefined ? '' : '; use that URL'
}
