import { isUtf8 } from 'node:buffer'
import type { RecordedList } from '../../schemas/stored.ts'
import { readRecords } from '../catalogue/recorded/texts.ts'
import { type HttpResponse, urlOf } from '../client/client.ts'
import { envelope, fill, localise } from '../lists/page.ts'
import { parseQuery } from '../http/query.ts'
import { contractHeaders, type Resource } from '../lists/resources.ts'

/** Sends a GET and returns the response, whatever its status. */
export type Get = (url: URL, token?: string) => Promise<HttpResponse>

export type Service = {
  get: Get
  base: URL
  limits: { pages: number, records: number }
  signal: AbortSignal
  /** Returns the command for another URL. */
  commandFor: (url: string) => string
  /** Adds a message for the end of the command. */
  warn: (message: string) => void
}

/** A list as the service sends it: the contents of its file, and its form. */
type PulledList = { content: Buffer, form: RecordedList }

/**
 * Reads a list: the unchanged body of an array, or the JSON of all records page by page; undefined if there is none.
 * Any other body is kept unchanged, too, for the load to report. @throws {Error} for another status, and for an endless list
 */
export async function readList (
  service: Service, resource: Resource, token: string | undefined, query = ''
): Promise<PulledList | undefined> {
  const { get, base, limits } = service
  const list = new URL(`.${resource.path}${query}`, base)
  const [visited, texts, envelopes] = [new Set<string>(), [] as Buffer[], {} as NonNullable<RecordedList['envelopes']>]
  let [separator, size, start]: [string | undefined, number, number] = [undefined, 0, 0]
  let headers: RecordedList = {}
  let url: URL | undefined = list
  while (url !== undefined) {
    const { href, search }: URL = url
    if (visited.has(href)) throw new Error(`${list.href} has pages that lead in a circle: ${href}`)
    if (visited.size === limits.pages) throw new Error(`${list.href} has more than ${limits.pages} pages`)
    const response: HttpResponse = await get(url, token)
    if (response.status === 404 && visited.size === 0) return undefined
    visited.add(href)
    assertListed(service, resource, href, response)
    if (visited.size === 1) headers = headersOf(resource, response)
    const read = readRecords(response.body)
    if (read?.page === undefined || !isUtf8(response.body)) {
      if (Number(read?.values.length) > limits.records) throw new Error(`${list.href} has more than ${limits.records} records`)
      const isArray = read !== undefined && read.page === undefined
      if (visited.size === 1) return { content: response.body, form: { ...isArray && { paginate: 'on-request' }, ...headers } }
      throw new Error(`${href} responds without a page of records`)
    }
    const { page: { count, next }, values: { length }, envelope: { open, close }, texts: { frame, textAt } } = read
    const own = { open, close, start, size: length }
    if (visited.size === 1) [envelopes[''], size] = [own, length]
    else if (!isDerived(own, envelopes[''] as Page, size, url, resource, count)) envelopes[search.slice(1)] = own
    if (length > 1) separator ??= frame.separator
    if (length > 0) texts.push(Buffer.from(Array.from({ length }, (_, index) => textAt(index)).join(frame.separator)))
    start += length
    if (start > limits.records) throw new Error(`${list.href} has more than ${limits.records} records`)
    url = typeof next === 'string' ? follow(service, next, url, token !== undefined) : undefined
    if (url === undefined && typeof count === 'number' && count !== start) {
      throw new Error(`${list.href} has ${start} records, but its count is ${count}; it may have changed meanwhile: pull again`)
    }
  }
  const between = Buffer.from(separator ?? ',')
  const all = texts.flatMap((text, index) => index === 0 ? [text] : [between, text])
  const form = { paginate: 'always', pageSize: Math.max(1, size), envelopes, ...headers } as const
  return { content: Buffer.concat([Buffer.from('['), ...all, Buffer.from(']')]), form }
}

type Page = NonNullable<RecordedList['envelopes']>[string]

/** Returns whether a page differs from the first one only in its links and records; a server of the recording can recreate such pages. */
function isDerived ({ open, close, start }: Page, first: Page, size: number, { origin, search }: URL, { path }: Resource, count: unknown) {
  const number = Number(/^\?page=(\d+)$/.exec(search)?.[1])
  if ((number - 1) * size !== start) return false
  const page = { number, last: Math.ceil(Number(count) / size), start, size, count: Number(count) }
  const { results: _, ...links } = envelope([], page, origin + path, parseQuery(search.slice(1)) as URLSearchParams)
  return localise(open, path, origin) === fill(first.open, links) && localise(close, path, origin) === fill(first.close, links)
}

/** Resolves a link against the base URL: behind a proxy, a service may not know its origin. Tokens stay below that URL. */
function follow ({ base, warn }: Service, link: string, from: URL, hasToken: boolean): URL {
  const url = urlOf(link, from)
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new Error(`${from.href} has an invalid next link: ${link}`)
  if (url.origin !== base.origin) warn(`${base.origin}${from.pathname} leads to ${url.origin}; its pages are read from ${base.origin}`)
  const own = new URL(url.pathname + url.search, base)
  const isOutside = hasToken && !own.pathname.startsWith(base.pathname)
  if (isOutside) throw new Error(`${from.href} leads outside ${base.href}; the token is sent only below that URL: ${link}`)
  return own
}

/** @throws {Error} for any status except 200; for a redirect with the command that works, if another URL does */
function assertListed ({ base, commandFor }: Service, { path, access }: Resource, href: string, { status, headers }: HttpResponse): void {
  if (status === 200) return
  const hints = ['location', 'retry-after'].filter(name => name in headers).map(name => `, ${name}: ${headers[name]}`)
  const credentials = access === 'token' ? 'does the service accept the token of --token?' : 'does a gateway need a --header?'
  const refusal = [401, 403, 407].includes(status) ? `; ${credentials}` : ''
  const moved = status >= 300 && status < 400 ? urlOf(headers.location, new URL(href)) : undefined
  const other = moved?.pathname.endsWith(path) ? moved.origin + moved.pathname.slice(0, -path.length) : undefined
  const isSame = other !== undefined && new URL('.', `${other}/`).href === base.href
  const cookie = isSame && 'set-cookie' in headers ? "; it sets a cookie, which --header 'Cookie: …' sends" : ''
  const hint = other === undefined || isSame ? cookie : `; run: ${commandFor(other)}`
  throw new Error(`${href} responds with ${status}${hints.join('')}${refusal}${hint}`)
}

/** Returns the headers of a list that differ from the contract's. */
function headersOf (resource: Resource, { headers }: HttpResponse): RecordedList {
  const contract = Object.entries(contractHeaders(resource))
  const other = contract.filter(([name, value]) => headers[name] !== value).map(([name]) => [name, headers[name] ?? null])
  return other.length === 0 ? {} : { headers: Object.fromEntries(other) as NonNullable<RecordedList['headers']> }
}
