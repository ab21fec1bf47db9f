import { attempt } from '../../src/base/attempt.ts'
import { checkConformance } from '../../test/openapi/conformance.ts'
import { mark, type ListRequest } from './requests.ts'
import type { Answer } from './wire.ts'

const statuses = new Set([200, 204, 206, 301, 304, 400, 401, 404, 405, 406, 408, 413, 415, 416, 429, 431])

/** Tags of bodies that passed before, which are not checked again. */
const seen = new Set<string>()

/** The expectations of a response; the origin is the base URL of its links. */
type Judged = Pick<ListRequest, 'method' | 'text' | 'resource' | 'closes'> & Partial<Pick<ListRequest, 'origin'>>

const stack = /\n\s+at .+:\d+:\d+|node:internal|node_modules/

/** Returns all errors of a response: rules for every response, and the OpenAPI document's for lists. */
export function errorsOf (request: Judged, answer: Answer): string[] {
  return [...generalErrors(request, answer), ...listErrors(request, answer)]
}

function generalErrors ({ method, text, closes }: Judged, { status, headers, body }: Answer): string[] {
  const errors: string[] = []
  const isOdd = ([name, value]: [string, string]) => name !== 'etag' && /undefined|NaN|\[object /.test(value)
  const must = (holds: boolean, error: string) => { if (!holds) errors.push(error) }
  const type = headers.get('content-type')
  must(statuses.has(status), `status ${status}`)
  must(headers.get('access-control-allow-origin') === '*', `${status} without Access-Control-Allow-Origin`)
  must(!headers.has('set-cookie'), 'a cookie')
  must(headers.has('date') || status >= 400, `${status} without Date`)
  const isAgreed = closes || status >= 400 || headers.get('connection') !== 'close'
  must(isAgreed, `${status} closes the connection although neither side asked`)
  must(
    /undefined|NaN/.test(text) || ![...headers].some(isOdd),
    'a header with undefined'
  )
  if (status >= 400) {
    must(headers.get('cache-control') === 'no-store', `${status} with Cache-Control: ${headers.get('cache-control')}`)
    must(type === 'application/json' || type === 'text/html; charset=utf-8', `${status} as ${type}`)
    if (type === 'application/json' && method !== 'HEAD') {
      const { error } = attempt(() => JSON.parse(body.toString()) as unknown)
      must(error === undefined, `${status} with a body that is no JSON`)
    }
  }
  if (status === 301) {
    const location = headers.get('location')
    must(/^\/(?!\/)[\x21-\x7e]*$/.test(location ?? ''), `Location: ${location}`)
  }
  if (type?.startsWith('text/') === true || type === 'application/json') errors.push(...textErrors(body, text, type))
  return errors
}

function textErrors (body: Buffer, request: string, type: string): string[] {
  const text = body.toString('latin1')
  const isPage = type.startsWith('text/html')
  return [
    ...isPage && text.includes(mark) ? ['a page with unescaped text of the request'] : [],
    ...isPage && text !== '' && !/^<!doctype html>/i.test(text) ? ['a page that is none'] : [],
    ...!isPage && text.includes('undefined') && !request.includes('undefined') ? ['undefined in a body'] : [],
    ...text.includes('[object Object]') ? ['[object Object] in a body'] : [],
    ...!request.includes('docs') && stack.test(text) ? ['a stack in a body'] : []
  ]
}

function listErrors ({ method, resource, origin = '' }: Judged, { status, headers, body }: Answer): string[] {
  // Requests that Node rejects never reach a list.
  const isRefused = headers.get('connection') === 'close' && status >= 400 && !headers.has('vary')
  if (resource === undefined || isRefused) return []
  const known = `${method} ${status} ${headers.get('etag')} ${body.length}`
  if (status === 200 && seen.has(known)) return []
  const text = body.toString()
  const { path } = resource
  const answer = { method, path, status, headers: Object.fromEntries(headers), body: text }
  const { error } = attempt(() => checkConformance(answer))
  if (error !== undefined) return [error.message]
  const envelope = /^\{\s*"count":\s*\d+,\s*"next":\s*(null|"[^"]*"),\s*"previous":\s*(null|"[^"]*")/
  const [, ...links] = envelope.exec(text.slice(0, 50_000)) ?? []
  const isOwn = (link: string | undefined) => link === 'null' || link?.startsWith(`"${origin}${path}`) === true
  if (origin.includes('bikes.test') && !links.every(isOwn)) return ['a link to somewhere else']
  seen.add(known)
  return []
}
