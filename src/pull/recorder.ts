import { isUtf8 } from 'node:buffer'
import { recordedHeaders, type RecordedList, type RecordedResponse } from '../../schemas/stored.ts'
import { isPlainObject, type JsonObject } from '../base/json.ts'
import { withoutMark } from '../catalogue/files.ts'
import { recordedExpires } from '../http/expires.ts'
import { basesIn, maxBases } from '../http/base-urls.ts'
import { writeQuery } from '../http/target.ts'
import { depthBetween, headersOf, pageOf, piecesOf, shifted, variantOf } from '../recorded/frame.ts'
import type { Records } from '../recorded/texts.ts'
import { isBelow, Unreachable, urlOf, type HttpRequest, type HttpResponse, type Send } from '../client/client.ts'
import type { Resource } from '../lists/resources.ts'
import { program } from '../service/plan.ts'
import { isListed, linkIn, readBody, type ServiceBody } from '../service/read.ts'
import { walk } from '../service/walk.ts'
import { assertListed } from './listed.ts'

/** Sends a request, a GET unless it has another method, and returns the response, whatever its status. */
export type Get = (url: URL, token?: string, request?: Partial<HttpRequest>) => Promise<HttpResponse>

/** Returns a function that requests URLs of a service by a client, and drops byte order marks (RFC 8259, 8.1). */
export function getWith (send: Send): Get {
  return async (url, token, request) => {
    const headers: Record<string, string> = { ...request?.headers }
    if (token) headers['authorization'] = `Token ${token}`
    const response = await send({ method: 'GET', target: url.pathname + url.search, ...request, headers })
    const { status } = response
    if (status > 599) throw new Unreachable(`${url.href} responds with ${status}, which is not an HTTP status code`)
    return { ...response, body: withoutMark(response.body) }
  }
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
export type ListRecording = RecordedList & Required<Pick<RecordedList, 'responses'>> & { texts: string[] }

export const emptyList = (): ListRecording => ({ texts: [], responses: {} })

/**
 * The records of a response to add to its list: all of them, as while a list is read page by page; those that it lacks;
 * or none, which records a response with an unknown record as a whole.
 */
type Adding = 'all records' | 'unknown records' | 'none'

/**
 * Stands for the contract's headers, with which the first response of a list is compared. Each list has its own
 * Cache-Control; a line break differs from that of every response, even from none or an empty one.
 */
const contractHead: RecordedResponse = { headers: { 'cache-control': '\n' } }

export type Recorder = ReturnType<typeof createRecorder>

/**
 * Returns functions that request responses of a list and record them in `list`, each query once. The base URLs of links
 * in the responses are added to `bases`.
 */
export function createRecorder (service: Service, resource: Resource, list: ListRecording, bases: Set<string>) {
  const { get, base, limits, warn } = service
  const { path, access } = resource
  const url = new URL(`.${path}`, base)
  const token = access === 'token' ? service.token : undefined
  const byText = new Map<string, number>()
  const byId = new Map<string | undefined, number | undefined>() // undefined for an id of several records
  for (const text of list.texts.splice(0)) add(text, JSON.parse(text))

  return { list, url, ask, askHead, askAsScript, askUnrecorded, walkFrom }

  /** Returns the recorded response to a query, which is requested only if the list has none. */
  async function ask (query: string, adding: Adding = 'none'): Promise<RecordedResponse> {
    return await askAt(withQuery(query), adding)
  }

  /** Does the same for a URL. Its key is the sorted query, or path and query for a page at another path. */
  async function askAt (address: URL, adding: Adding): Promise<RecordedResponse> {
    const { href, pathname, search } = address
    const key = keyOf(pathname === url.pathname ? search : pathname + search)
    const known = list.responses[key]
    if (known !== undefined) return known
    const response = await get(address, token)
    const body = readBody(response)
    if (adding === 'all records') assertListed(response, body, resource, address, key === '')
    const recorded = toRecorded(response, body, list.responses[''] ?? contractHead, adding)
    const isListAsWhole = recorded.body?.length === 1 && isListed(body)
    if (isListAsWhole) warn(`${href} has records that its list lacks, so it is recorded as a whole`)
    list.responses[key] = recorded
    return recorded
  }

  /**
   * Requests a query again, with the list's token or another one, and does not add the response to the list; an empty
   * token is not sent.
   */
  async function askUnrecorded (query: string, credentials = token): Promise<RecordedResponse> {
    const response = await get(withQuery(query), credentials)
    return toRecorded(response, readBody(response), contractHead, 'none')
  }

  /** Records the response to HEAD if its status or headers differ from those of the first response. */
  async function askHead (): Promise<void> {
    const head = headOf(await get(url, token, { method: 'HEAD' }), list.responses[''])
    if (Object.keys(head).length > 0) list.head = head
  }

  /** Records whether scripts of another origin may read the list. */
  async function askAsScript (): Promise<void> {
    const { headers } = await get(url, token, { headers: { origin: program.origin } })
    list.allowOrigin = headers['access-control-allow-origin'] ?? null
  }

  /**
   * Yields the response to a query and those of its next pages, at most `most`, and records them.
   * @throws {Error} for pages in a circle, and for more pages than the limit
   */
  async function * walkFrom (query: string, { adding = 'none', most = limits.pages }: Walking = {}) {
    let lastHref = ''
    const askPage = async (address: URL): Promise<RecordedPage> => {
      lastHref = address.href
      const response = await askAt(address, adding)
      return { href: address.href, response, page: pageOf(response, list.separator) }
    }
    const first = await askPage(withQuery(query))
    const follow = (link: string, { href }: RecordedPage) => askPage(resolveLink(link, href))
    const end = yield * walk(first, { nextOf: nextLinkOf, follow, most })
    if (end === 'circle') throw new Error(`${lastHref} has a next link that leads in a circle`)
    if (end === 'limit' && most === limits.pages) throw new Error(`${url.href} has more than ${most} pages`)
  }

  /** Returns the URL of the list with a query, which has its question mark or is empty. */
  function withQuery (query: string): URL {
    return new URL(query, url)
  }

  /**
   * Returns the URL of the page that a link leads to, at the origin of the base URL: behind a proxy, a service may not
   * know its own. @throws {Error} for an invalid link, and for one that would take the token outside the base URL
   */
  function resolveLink (link: string, from: string): URL {
    const linked = urlOf(link, new URL(from))
    if (linked === undefined || !/^https?:$/.test(linked.protocol)) {
      throw new Error(`${from} has an invalid next link: ${link}`)
    }
    const { origin } = base
    if (linked.origin !== origin) warn(`${url.href} leads to ${linked.origin}; its pages are read from ${origin}`)
    const target = new URL(url)
    if (linked.pathname !== path) target.pathname = linked.pathname // a proxy may have removed the base path
    target.search = linked.search
    if (token !== undefined && !isBelow(target.pathname, base)) {
      throw new Error(`${from} leads outside ${base.href}; the token is sent only below that URL: ${link}`)
    }
    if (target.pathname !== url.pathname) {
      warn(`${url.href} has pages at another path, which the recording cannot serve: ${linked.pathname}`)
    }
    return target
  }

  /**
   * Returns a response as it is recorded: only with the headers that differ from those of another response, and with
   * positions in place of records, or variants of those that differ from the list's.
   */
  function toRecorded (
    response: HttpResponse, { list: records }: ServiceBody, other: RecordedResponse, adding: Adding
  ): RecordedResponse {
    const { headers, body } = response
    const head = headOf(response, other)
    if (records === undefined || !isUtf8(body)) {
      const whole = wholeBody(body)
      addBases(...whole.body, headers.location)
      return { ...head, ...whole }
    }
    const literals = records.literals()
    addBases(literals[0], literals.at(-1), headers.location, String(headers['link']))
    const positions = positionsOf(records, adding)
    if (positions === undefined) return { ...head, ...wholeBody(body) }
    if (positions.length > 1) list.separator ??= literals[1] as string

    const sentAt = (index: number) => records.bytesAt(index).toString()
    const textAt = (position: number) => list.texts[position] as string
    const [first] = positions
    const shift = first === undefined ? 0 : depthBetween(sentAt(0), textAt(first))
    const pieces = positions.map((position, index) => {
      const text = shift === 0 ? textAt(position) : shifted(Buffer.from(textAt(position)), shift).toString()
      const sent = sentAt(index)
      return text === sent ? position : variantOf(position, text, sent)
    })
    const recorded = { ...head, body: piecesOf(literals, pieces, list.separator ?? ',') }
    return shift === 0 ? recorded : { ...recorded, shift }
  }

  /** Returns the status, unless it is 200, and the headers that differ from those of another response. */
  function headOf ({ status, headers }: HttpResponse, other: RecordedResponse | undefined): RecordedResponse {
    const head: RecordedResponse = {}
    if (status !== 200) head.status = status
    const usual = headersOf(other, { status })
    for (const name of recordedHeaders) {
      const value = (name === 'expires' ? recordedExpires(headers) : headers[name]) ?? null
      if (value === (usual[name] ?? null)) continue
      head.headers ??= {}
      head.headers[name] = value as string | null
    }
    return head
  }

  /** Adds the base URLs of links in texts, except the known one, to `bases`, up to the most that a server replaces. */
  function addBases (...texts: readonly (string | undefined)[]): void {
    for (const found of basesIn(texts.join(' '))) {
      if (`${found}/` !== base.href && bases.size < maxBases) bases.add(found)
    }
  }

  /**
   * Returns the position of each record in the list, by its text, or by its id: counters grow, and some responses have
   * fewer fields. Adds records first, and is undefined if the list still lacks one.
   */
  function positionsOf ({ values, bytesAt }: Records, adding: Adding): number[] | undefined {
    const positions: number[] = []
    for (const [index, value] of values.entries()) {
      const text = bytesAt(index).toString()
      let position = adding === 'all records' ? undefined : byText.get(text) ?? byId.get(recordId(value))
      if (adding !== 'none' && isPlainObject(value)) position ??= add(text, value)
      if (position === undefined) return undefined
      positions.push(position)
    }
    return positions
  }

  /** Adds a record to the list, even a repeated one, and returns its position. */
  function add (text: string, value: unknown): number {
    const position = list.texts.push(text) - 1
    const id = recordId(value)
    if (!byText.has(text)) byText.set(text, position)
    if (id !== undefined) byId.set(id, byId.has(id) ? undefined : position)
    return position
  }
}

/** Returns the key of a query: its parameters sorted, as they are encoded in links; a path stays as it is. */
function keyOf (query: string): string {
  return query.startsWith('/') ? query : writeQuery(new URLSearchParams(query))
}

/** Returns a body as one literal, without positions; Latin-1 keeps bytes that are not UTF-8. */
function wholeBody (body: Buffer): { body: [string], encoding?: 'latin1' } {
  return isUtf8(body) ? { body: [body.toString()] } : { body: [body.toString('latin1')], encoding: 'latin1' }
}

type Walking = { adding?: Adding, most?: number }

/** A recorded response with its URL; `page` is undefined for an array. */
type RecordedPage = { href: string, response: RecordedResponse, page: JsonObject | undefined }

/** Returns the link to the next page: of the page itself or, for an array, of its Link header; null for none. */
function nextLinkOf ({ response, page }: RecordedPage): string | null {
  return linkIn(page === undefined ? nextIn(response.headers?.link) : page['next'])
}

/** Returns the target of the next link of a Link header (RFC 8288), such as `<?page=2>; rel="next"`. */
function nextIn (header: string | null = ''): string | undefined {
  const links = String(header).split(/,\s*(?=<)/)
  const next = links.find(link => /;\s*rel="?next\b/i.test(link))
  return /^<([^>]*)>/.exec(next ?? '')?.[1]
}

/** Returns the id of a record; undefined for one that JSON.parse may have rounded. */
function recordId (record: unknown): string | undefined {
  const id = (record as JsonObject | null)?.['id']
  return typeof id === 'string' || Number.isSafeInteger(id) ? JSON.stringify(id) : undefined
}

/** Returns the body of a list that is neither an array nor a page; undefined for any other list. */
export function listDocument ({ responses: { '': first } }: Pick<ListRecording, 'responses'>): string | undefined {
  return first?.status === undefined && first?.body?.length === 1 ? first.body[0] as string : undefined
}
