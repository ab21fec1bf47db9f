import type { TSchema } from '@sinclair/typebox'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { Detail, FieldErrors, Page } from '../../schemas/responses.ts'
import type { ListKey } from '../../schemas/lists.ts'
import { resources } from '../../src/lists/resources.ts'
import { mark, type ListRequest } from './requests.ts'
import type { Answer } from './wire.ts'

const statuses = new Set([200, 204, 206, 301, 304, 400, 401, 404, 405, 406, 408, 413, 415, 416, 429, 431])

const ajv = addFormats.default(new Ajv2020({ strict: false }))
const isError = ajv.compile({ anyOf: [Detail, FieldErrors] })
const listOf = (record: TSchema) => ajv.compile({ anyOf: [{ type: 'array', items: record }, Page(record)] })
const isList = Object.fromEntries(resources.map(({ key, record }) => [key, listOf(record)])) as Record<ListKey, ValidateFunction>

const caching = (maxAge: number | null) => maxAge === null ? 'private, no-cache' : `public, max-age=${maxAge}`

/** Tags of bodies that passed before, which are not checked again. */
const seen = new Set<string>()

/** The expectations of a response; the origin is the base URL of its links. */
type Judged = Pick<ListRequest, 'method' | 'text' | 'resource' | 'closes'> & Partial<Pick<ListRequest, 'origin'>>

/** Returns all errors of a response: rules for every response, and rules for lists. */
export function errorsOf (request: Judged, answer: Answer): string[] {
  return [...generalErrors(request, answer), ...listErrors(request, answer)]
}

function generalErrors ({ method, text, closes }: Judged, { status, headers, body }: Answer): string[] {
  const errors: string[] = []
  const must = (holds: boolean, error: string) => { if (!holds) errors.push(error) }
  const type = headers.get('content-type')
  must(statuses.has(status), `status ${status}`)
  must(headers.get('access-control-allow-origin') === '*', `${status} without Access-Control-Allow-Origin`)
  must(!headers.has('set-cookie'), 'a cookie')
  must(headers.has('date') || status >= 400, `${status} without Date`)
  must(closes || status >= 400 || headers.get('connection') !== 'close', `${status} closes the connection although neither side asked`)
  must(
    /undefined|NaN/.test(text) || ![...headers].some(([name, value]) => name !== 'etag' && /undefined|NaN|\[object /.test(value)),
    'a header with undefined'
  )
  if (status >= 400) {
    must(headers.get('cache-control') === 'no-store', `${status} with Cache-Control: ${headers.get('cache-control')}`)
    must(type === 'application/json' || type === 'text/html; charset=utf-8', `${status} as ${type}`)
    if (type === 'application/json' && method !== 'HEAD') {
      must(isJson(body, isError), `${status} with a body that is no error of the contract`)
    }
  }
  if (status === 429) must(/^[1-9]\d*$/.test(headers.get('retry-after') ?? ''), '429 without Retry-After')
  if (status === 401) must(headers.get('www-authenticate') === 'Token', '401 without WWW-Authenticate')
  if (status === 301) must(/^\/(?!\/)[\x21-\x7e]*$/.test(headers.get('location') ?? ''), `Location: ${headers.get('location')}`)
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
    ...!request.includes('docs') && /\n\s+at .+:\d+:\d+|node:internal|node_modules/.test(text) ? ['a stack in a body'] : []
  ]
}

function listErrors ({ method, resource, origin = '' }: Judged, { status, headers, body }: Answer): string[] {
  if (resource === undefined) return []
  const errors: string[] = []
  const must = (holds: boolean, error: string) => { if (!holds) errors.push(error) }
  const type = headers.get('content-type')
  // Requests that Node rejects never reach a list.
  if (headers.get('connection') === 'close' && status >= 400 && !headers.has('vary')) return []
  must(headers.get('vary') === 'Accept', `${status} of a list with Vary: ${headers.get('vary')}`)
  must(headers.get('allow') === 'GET, HEAD, OPTIONS', `${status} of a list with Allow: ${headers.get('allow')}`)
  must(![206, 301, 416, 413, 415].includes(status), `${status} of a list`)
  if (method !== 'GET' && method !== 'HEAD') {
    must(status !== 206 && status !== 304 && (status >= 400 || method === 'OPTIONS'), `${status} to ${method}`)
    return errors
  }
  if (status !== 200 && status !== 304) return errors
  const isStrict = headers.get('preference-applied') === 'handling=strict'
  const expected = isStrict ? 'private, no-cache' : caching(resource.maxAge)
  must(headers.get('cache-control') === expected, `${status} of ${resource.path} with Cache-Control: ${headers.get('cache-control')}`)
  must(/^"[\w-]{20,}"$/.test(headers.get('etag') ?? ''), `ETag: ${headers.get('etag')}`)
  if (status === 304) return errors
  must(type === 'application/json' || type === 'text/html; charset=utf-8', `200 as ${type}`)
  must(Number.isFinite(Date.parse(headers.get('last-modified') ?? '')), 'no Last-Modified')
  const known = `${headers.get('etag')} ${body.length}`
  if (type === 'application/json' && method === 'GET' && !seen.has(known)) {
    must(isJson(body, isList[resource.key]), `a body of ${resource.path} that is no list of the contract`)
    must(
      linksOf(body).every(link => link.startsWith(`${origin}${resource.path}`)) || !origin.includes('bikes.test'),
      'a link to somewhere else'
    )
    if (errors.length === 0) seen.add(known)
  }
  return errors
}

function linksOf (body: Buffer): string[] {
  const begin = /^\{\s*"count":\s*\d+,\s*"next":\s*(null|"[^"]*"),\s*"previous":\s*(null|"[^"]*")/
  const [, next, previous] = begin.exec(body.toString('utf8', 0, 50_000)) ?? []
  return [next, previous].filter(link => link !== undefined && link !== 'null').map(link => JSON.parse(link as string) as string)
}

function isJson (body: Buffer, validate: ValidateFunction): boolean {
  try {
    return validate(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)))
  } catch {
    return false
  }
}
