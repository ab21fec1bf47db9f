import { isUtf8 } from 'node:buffer'
import type { RecordedList, RecordedResponse } from '../../schemas/stored.ts'
import { attempt } from '../base/attempt.ts'
import { withoutMark } from '../catalogue/files.ts'
import { depthBetween, headersOf, pageOf, piecesOf } from '../catalogue/recorded/frame.ts'
import { basesIn, keyOf, withParameters } from '../catalogue/recorded/queries.ts'
import { readRecords } from '../catalogue/recorded/texts.ts'
import { type HttpResponse, type Send, urlOf } from '../client/client.ts'
import { isPlainObject, type JsonObject } from '../base/json.ts'
import type { Resource } from '../lists/resources.ts'

/** Sends a request and returns the response, whatever its status. */
export type Get = (url: URL, token?: string, method?: 'GET' | 'HEAD') => Promise<HttpResponse>

/** Returns a function that requests URLs of a service by a client, and drops byte order marks, as those of files. */
export const getWith = (send: Send): Get => async ({ pathname, search }, token, method = 'GET') => {
  const response = await send({ method, target: pathname + search, headers: token ? { authorization: `Token ${token}` } : {} })
  return { ...response, body: withoutMark(response.body) }
}

export type Service = {
  get: Get
  base: URL
  token: string | undefined
  limits: { pages: number, arrayBytes: number }
  /** Adds a message for the end of the command. */
  warn: (message: string) => void
}

/** A list in memory: the texts of its records, and its responses by sorted query. */
export type ListRecording = RecordedList & Required<Pick<RecordedList, 'responses' | 'form'>> & { texts: string[] }

export const emptyList = (): ListRecording => ({ texts: [], responses: {}, form: {} })

export type Recorder = ReturnType<typeof createRecorder>

const headerNames = ['content-type', 'vary', 'allow', 'cache-control', 'www-authenticate', 'location'] as const

/** Returns functions that ask a service for responses of a list, and record each once; `bases` gets the base URLs of its links. */
export function createRecorder (service: Service, resource: Resource, list: ListRecording, bases: Set<string>) {
  const { get, base, limits, warn } = service
  const { path, access } = resource
  const url = new URL(`.${path}`, base)
  const token = access === 'token' ? service.token : undefined
  const [byText, byId] = [new Map<string, number>(), new Map<string | undefined, number | undefined>()]
  for (const text of list.texts.splice(0)) add(text, JSON.parse(text))

  return { list, url, ask, askHead, read, walk }

  /** Returns the response to a query, which is recorded unless it has unknown records; `adds` makes them known. */
  async function ask (query: string, adds = false): Promise<RecordedResponse> {
    const key = keyOf(query)
    const known = list.responses[key] ?? list.responses[withParameters(key, list.form.parameters)]
    if (known !== undefined) return known
    const response = await get(hrefOf(query), token)
    if (adds) assertListed(base, resource, hrefOf(query).href, response, key === '')
    const recorded = toRecorded(response, key !== '', adds)
    if (recorded.body?.length === 1 && readRecords(response.body) !== undefined) {
      warn(`${hrefOf(query).href} has other records than its list, so it is recorded as a whole`)
    }
    list.responses[key] = recorded
    return recorded
  }

  /** Requests a query anew, perhaps with another token or none, and records nothing. */
  async function read (query: string, credentials = token): Promise<RecordedResponse> {
    return toRecorded(await get(hrefOf(query), credentials), false, false)
  }

  /** Records the response to HEAD, unless it is the one to GET without its body. */
  async function askHead (): Promise<void> {
    const { body, ...response } = toRecorded({ ...await get(url, token, 'HEAD'), body: Buffer.of() }, true, false)
    if (Object.keys(response).length > 0) list.head = response
  }

  /** Yields a response and those of its next pages. @throws {Error} for pages in a circle, or too many */
  async function * walk (query: string, { adds = false, most = Infinity } = {}) {
    const visited = new Set<string>()
    let next: string | undefined = query
    while (next !== undefined) {
      const href: string = hrefOf(next).href
      if (visited.has(href)) throw new Error(`${url.href} has pages that lead in a circle: ${href}`)
      visited.add(href)
      const response: RecordedResponse = await ask(next, adds)
      const page = pageOf(response, list.separator)
      yield { href, response, page }
      const link = page?.['next']
      next = typeof link === 'string' && link !== '' && visited.size < most ? follow(link, href) : undefined
      if (next !== undefined && visited.size === limits.pages) throw new Error(`${url.href} has more than ${limits.pages} pages`)
    }
  }

  /** Returns the URL of a query of the list, or of another path. */
  function hrefOf (query: string): URL {
    return new URL(query === '' || query.startsWith('/') ? query : `?${query}`, url)
  }

  /** Resolves a link against the base URL: behind a proxy, a service may not know its origin. Tokens stay below that URL. */
  function follow (link: string, from: string): string {
    const linked = urlOf(link, new URL(from))
    if (linked === undefined || !/^https?:$/.test(linked.protocol)) throw new Error(`${from} has an invalid next link: ${link}`)
    if (linked.origin !== base.origin) warn(`${url.href} leads to ${linked.origin}; its pages are read from ${base.origin}`)
    const isOutside = token !== undefined && !linked.pathname.startsWith(base.pathname)
    if (isOutside) throw new Error(`${from} leads outside ${base.href}; the token is sent only below that URL: ${link}`)
    if (linked.pathname === url.pathname) return linked.search.slice(1)
    warn(`${url.href} has pages at another path, which the recording cannot serve: ${linked.pathname}`)
    return linked.pathname + linked.search
  }

  function toRecorded ({ status, headers, body }: HttpResponse, inherits: boolean, adds: boolean): RecordedResponse {
    // Each list has its own Cache-Control, so its absence is recorded too.
    const usual = headersOf(inherits ? list.responses[''] : { headers: { 'cache-control': '' } }, { status })
    const own = headerNames.map(name => [name, headers[name] ?? null] as const).filter(([name, value]) => value !== (usual[name] ?? null))
    const common = { ...status !== 200 && { status }, ...own.length > 0 && { headers: Object.fromEntries(own) } } as RecordedResponse
    const encoding = isUtf8(body) ? undefined : 'latin1' // any bytes are the same again
    const records = status === 200 && encoding === undefined ? readRecords(body) : undefined
    const literals = records?.literals() ?? [body.toString(encoding)]
    for (const found of basesIn([literals[0], literals.at(-1), headers.location].join(' '))) if (`${found}/` !== base.href) bases.add(found)
    if (records === undefined) return { ...common, body: literals, ...encoding !== undefined && { encoding } }
    const { values, bytesAt } = records
    const textAt = (index: number) => bytesAt(index).toString()
    const positions = values.map((value, at) => adds ? add(textAt(at), value) : positionOf(textAt(at), value))
    if (!positions.every(position => position !== undefined)) return { ...common, body: [body.toString()] }
    if (values.length > 1) list.separator ??= literals[1] as string
    const shift = positions.length === 0 ? 0 : depthBetween(textAt(0), list.texts[positions[0] as number] as string)
    return { ...common, body: piecesOf(literals, positions, list.separator ?? ','), ...shift !== 0 && { shift } }
  }

  function add (text: string, value: unknown): number {
    const position = list.texts.push(text) - 1
    const id = idOf(value)
    if (!byText.has(text)) byText.set(text, position)
    if (id !== undefined) byId.set(id, byId.has(id) ? undefined : position)
    return position
  }

  /** Returns the position of the same record, or of one with the same id and fields, as counters grow. */
  function positionOf (text: string, value: unknown): number | undefined {
    const similar = byId.get(idOf(value))
    const isSimilar = !byText.has(text) && similar !== undefined && isAlike(JSON.parse(list.texts[similar] as string), value)
    return isSimilar ? similar : byText.get(text)
  }
}

/** @throws {Error} for a response that is no list, nor a document in place of one */
function assertListed (
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
  const target = urlOf(headers.location, new URL(href))?.href
  const isRefused = [401, 403, 407].includes(status) || target === href // some gateways set a cookie and redirect to the same URL
  const hint = isRefused ? `; ${credentials}` : target === undefined ? '' : '; use that URL'
  throw new Error(`${href} responds with ${status}${details.join('')}${hint}`)
}

/** Returns whether two values have the same fields and types; either may be null. */
function isAlike (one: unknown, other: unknown): boolean {
  if (one === null || other === null || Array.isArray(one)) return true
  if (!isPlainObject(one) || !isPlainObject(other)) return typeof one === typeof other
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every(name => Object.hasOwn(other, name) && isAlike(one[name], other[name]))
}

/** Returns the id of a record; undefined for one that JSON.parse may have rounded. */
function idOf (record: unknown): string | undefined {
  const id = (record as JsonObject | null)?.['id']
  return typeof id === 'string' || Number.isSafeInteger(id) ? JSON.stringify(id) : undefined
}

/** Returns the body of a list that is neither an array nor a page. */
export function documentOf ({ responses: { '': first } }: Pick<ListRecording, 'responses'>): string | undefined {
  return first?.status === undefined && first?.body?.length === 1 ? first.body[0] as string : undefined
}
