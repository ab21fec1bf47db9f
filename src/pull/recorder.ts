import { isUtf8 } from 'node:buffer'
import { recordedHeaders, type RecordedList, type RecordedResponse } from '../../schemas/stored.ts'
import { isPlainObject, type JsonObject } from '../base/json.ts'
import { withoutMark } from '../catalogue/files.ts'
import { depthBetween, headersOf, pageOf, piecesOf } from '../catalogue/recorded/frame.ts'
import { basesIn, keyOf, maxBases, withParameters } from '../catalogue/recorded/queries.ts'
import { readRecords, type Records } from '../catalogue/recorded/texts.ts'
import { isBelow, Unreachable, urlOf, type HttpResponse, type Send } from '../client/client.ts'
import type { Resource } from '../lists/resources.ts'
import { assertListed } from './listed.ts'

/** Sends a request and returns the response, whatever its status. */
export type Get = (url: URL, token?: string, method?: 'GET' | 'HEAD') => Promise<HttpResponse>

/** Returns a function that requests URLs of a service by a client, and drops byte order marks, as those of files. */
export function getWith (send: Send): Get {
  return async (url, token, method = 'GET') => {
    const headers: Record<string, string> = {}
    if (token) headers['authorization'] = `Token ${token}`
    const response = await send({ method, target: url.pathname + url.search, headers })
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
export type ListRecording = RecordedList & Required<Pick<RecordedList, 'responses' | 'form'>> & { texts: string[] }

export const emptyList = (): ListRecording => ({ texts: [], responses: {}, form: {} })

/** The records of a response to add to its list: all of a page to read, those that are unknown, or none. */
type Adding = 'all records' | 'unknown records' | 'none'

export type Recorder = ReturnType<typeof createRecorder>

/**
 * Returns functions that ask a service for responses of a list, and record each once; `bases` gets the base URLs of its
 * links.
 */
export function createRecorder (service: Service, resource: Resource, list: ListRecording, bases: Set<string>) {
  const { get, base, limits, warn } = service
  const { path, access } = resource
  const url = new URL(`.${path}`, base)
  const token = access === 'token' ? service.token : undefined
  const byText = new Map<string, number>()
  const byId = new Map<string | undefined, number | undefined>()
  for (const text of list.texts.splice(0)) add(text, JSON.parse(text))

  return { list, url, ask, askHead, read, walk }

  /** Returns the response to a query, which is recorded unless it has unknown records. */
  async function ask (query: string, adding: Adding = 'none'): Promise<RecordedResponse> {
    return await askAt(hrefOf(query), adding)
  }

  async function askAt (href: URL, adding: Adding): Promise<RecordedResponse> {
    const { pathname, search } = href
    const key = keyOf(pathname === url.pathname ? search : pathname + search)
    const known = list.responses[key] ?? list.responses[withParameters(key, list.form.parameters)]
    if (known !== undefined) return known
    const response = await get(href, token)
    if (adding === 'all records') assertListed(response, resource, href, key === '')
    const recorded = toRecorded(response, { inherits: key !== '', adding })
    if (recorded.body?.length === 1 && readRecords(response.body) !== undefined) {
      warn(`${href.href} has records that its list lacks, so it is recorded as a whole`)
    }
    list.responses[key] = recorded
    return recorded
  }

  /** Requests a query anew, perhaps with another token or none, and records nothing. */
  async function read (query: string, credentials = token): Promise<RecordedResponse> {
    return toRecorded(await get(hrefOf(query), credentials), { inherits: false, adding: 'none' })
  }

  /** Records the response to HEAD, unless it is the one to GET without its body. */
  async function askHead (): Promise<void> {
    const head = headOf(await get(url, token, 'HEAD'), true)
    if (Object.keys(head).length > 0) list.head = head
  }

  /** Yields a response and those of its next pages. @throws {Error} for pages in a circle, or too many */
  async function * walk (query: string, { adds = false, most = Infinity } = {}) {
    const visited = new Set<string>()
    let next: URL | undefined = hrefOf(query)
    while (next !== undefined) {
      const { href }: URL = next
      if (visited.has(href)) throw new Error(`${url.href} has next links that lead in a circle: ${href}`)
      if (visited.size === limits.pages) throw new Error(`${url.href} has more than ${limits.pages} pages`)
      visited.add(href)
      const response = await askAt(next, adds ? 'all records' : 'none')
      const page = pageOf(response, list.separator)
      yield { href, response, page }
      const link = page === undefined ? nextIn(response.headers?.link) : page['next']
      const hasNext = typeof link === 'string' && link !== ''
      next = hasNext && visited.size < most ? follow(link, href) : undefined
    }
  }

  /** Returns the URL of a query of the list. */
  function hrefOf (query: string): URL {
    return new URL(query === '' ? '' : `?${query}`, url)
  }

  /**
   * Resolves a link against the base URL: behind a proxy, a service may not know its origin. Tokens stay below that
   * URL.
   */
  function follow (link: string, from: string): URL {
    const linked = urlOf(link, new URL(from))
    if (linked === undefined || !/^https?:$/.test(linked.protocol)) {
      throw new Error(`${from} has an invalid next link: ${link}`)
    }
    const { origin } = base
    if (linked.origin !== origin) warn(`${url.href} leads to ${linked.origin}; its pages are read from ${origin}`)
    if (token !== undefined && !isBelow(linked.pathname, base)) {
      throw new Error(`${from} leads outside ${base.href}; the token is sent only below that URL: ${link}`)
    }
    const target = new URL(url)
    target.pathname = linked.pathname
    target.search = linked.search
    if (target.pathname !== url.pathname) {
      warn(`${url.href} has pages at another path, which the recording cannot serve: ${linked.pathname}`)
    }
    return target
  }

  /**
   * Returns a response as it is recorded: without the headers that go without saying, and with positions in place of
   * records.
   */
  function toRecorded (response: HttpResponse, options: { inherits: boolean, adding: Adding }): RecordedResponse {
    const { status, headers, body } = response
    const { inherits, adding } = options
    const head = headOf(response, inherits)
    const records = status === 200 && isUtf8(body) ? readRecords(body) : undefined
    if (records === undefined) {
      const whole = wholeBody(body)
      addBases(...whole.body, headers.location)
      return { ...head, ...whole }
    }
    const literals = records.literals()
    addBases(literals[0], literals.at(-1), headers.location, String(headers['link']))
    const positions = positionsOf(records, adding)
    if (positions === undefined) return { ...head, ...wholeBody(body) }
    if (positions.length > 1) list.separator ??= literals[1] as string
    const recorded = { ...head, body: piecesOf(literals, positions, list.separator ?? ',') }
    const [first] = positions
    const shift = first === undefined ? 0 : depthBetween(records.bytesAt(0).toString(), list.texts[first] as string)
    return shift === 0 ? recorded : { ...recorded, shift }
  }

  /**
   * Returns the status, unless it is 200, and the headers that differ from the list's first response, or else from the
   * contract.
   */
  function headOf ({ status, headers }: HttpResponse, inherits: boolean): RecordedResponse {
    const head: RecordedResponse = {}
    if (status !== 200) head.status = status
    // Each list has its own Cache-Control, so the contract has none, and its absence is recorded too.
    const contract = { headers: { 'cache-control': '' } }
    const usual = headersOf(inherits ? list.responses[''] : contract, { status })
    for (const name of recordedHeaders) {
      const value = headers[name] ?? null
      if (value === (usual[name] ?? null)) continue
      head.headers ??= {}
      head.headers[name] = value as string | null
    }
    return head
  }

  /** Adds the base URLs of links in texts, up to the most that a server replaces. */
  function addBases (...texts: readonly (string | undefined)[]): void {
    for (const found of basesIn(texts.join(' '))) {
      if (`${found}/` !== base.href && bases.size < maxBases) bases.add(found)
    }
  }

  /** Returns the position of each record, after those to add are added; undefined if the list lacks one of them. */
  function positionsOf ({ values, bytesAt }: Records, adding: Adding): number[] | undefined {
    const positions: number[] = []
    for (const [index, value] of values.entries()) {
      const text = bytesAt(index).toString()
      let position = adding === 'all records' ? undefined : positionOf(text, value)
      if (adding !== 'none' && isPlainObject(value)) position ??= add(text, value)
      if (position === undefined) return undefined
      positions.push(position)
    }
    return positions
  }

  function add (text: string, value: unknown): number {
    const position = list.texts.push(text) - 1
    const id = recordId(value)
    if (!byText.has(text)) byText.set(text, position)
    if (id !== undefined) byId.set(id, byId.has(id) ? undefined : position)
    return position
  }

  /** Returns the position of the same record, or of one with the same id and fields, as counters grow. */
  function positionOf (text: string, value: unknown): number | undefined {
    const same = byText.get(text)
    if (same !== undefined) return same
    const similar = byId.get(recordId(value))
    if (similar === undefined) return undefined
    return isAlike(JSON.parse(list.texts[similar] as string), value) ? similar : undefined
  }
}

/** Returns a body that is recorded without reference to records; any bytes are the same again. */
function wholeBody (body: Buffer): { body: [string], encoding?: 'latin1' } {
  return isUtf8(body) ? { body: [body.toString()] } : { body: [body.toString('latin1')], encoding: 'latin1' }
}

/**
 * Returns the target of the next link of a Link header (RFC 8288), such as `<?page=2>; rel="next"`; undefined without
 * one.
 */
function nextIn (header: string | null = ''): string | undefined {
  const links = String(header).split(/,\s*(?=<)/)
  const next = links.find(link => /;\s*rel="?next\b/i.test(link))
  return next === undefined ? undefined : /^<([^>]*)>/.exec(next)?.[1]
}

/** Returns whether two values have the same fields and types; either may be null. */
function isAlike (one: unknown, other: unknown): boolean {
  if (one === null || other === null || Array.isArray(one)) return true
  if (!isPlainObject(one) || !isPlainObject(other)) return typeof one === typeof other
  const names = Object.keys(one)
  const hasSameSize = names.length === Object.keys(other).length
  return hasSameSize && names.every(name => {
    return Object.hasOwn(other, name) && isAlike(one[name], other[name])
  })
}

/** Returns the id of a record; undefined for one that JSON.parse may have rounded. */
function recordId (record: unknown): string | undefined {
  const id = (record as JsonObject | null)?.['id']
  return typeof id === 'string' || Number.isSafeInteger(id) ? JSON.stringify(id) : undefined
}

/** Returns the body of a list that is neither an array nor a page. */
export function documentOf ({ responses: { '': first } }: Pick<ListRecording, 'responses'>): string | undefined {
  return first?.status === undefined && first?.body?.length === 1 ? first.body[0] as string : undefined
}
