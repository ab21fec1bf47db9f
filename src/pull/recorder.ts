import type { RecordedResponse } from '../../schemas/recording.ts'
import type { JsonObject } from '../base/json.ts'
import { isBelow, urlOf, type HttpRequest, type HttpResponse } from '../client/client.ts'
import { writeQuery } from '../http/target.ts'
import type { Resource } from '../lists/resources.ts'
import { pageOf } from '../recorded/frame.ts'
import { program } from '../service/plan.ts'
import { linkIn } from '../service/read.ts'
import { walk } from '../service/walk.ts'
import { assertListed } from './listed.ts'
import { createReducer, headOf, recordsIn, type Adding, type ListRecording } from './reduce.ts'

/** Sends a request, a GET unless it has another method, and returns the response, whatever its status. */
export type Get = (url: URL, token?: string, request?: Partial<HttpRequest>) => Promise<HttpResponse>

export type Service = {
  get: Get
  base: URL
  token: string | undefined
  limits: { pages: number, arrayBytes: number }
  /** Adds a message for the end of the command. */
  warn: (message: string) => void
  /** Counts characters that stay in memory. @throws {Error} for too many */
  hold: (characters: number) => void
}

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
  const { get, base, limits, warn, hold } = service
  const { path, access } = resource
  const url = new URL(`.${path}`, base)
  const token = access === 'token' ? service.token : undefined
  const reduce = createReducer(list, { base, bases, hold })
  return { list, url, ask, askHeaders, askUnrecorded, walkFrom }

  /**
   * Returns the recorded response to a query, which has its question mark or is empty; it is requested only if the list
   * has none.
   */
  async function ask (query: string, adding: Adding = 'none'): Promise<RecordedResponse> {
    return await askAt(new URL(query, url), adding)
  }

  /** Does the same for a URL. Its key is the sorted query, or path and query for a page at another path. */
  async function askAt (address: URL, adding: Adding): Promise<RecordedResponse> {
    const { href, pathname, search, searchParams } = address
    const key = pathname === url.pathname ? writeQuery(searchParams) : pathname + search
    const known = list.responses[key]
    if (known !== undefined) return known
    const response = await get(address, token)
    const records = recordsIn(response)
    if (adding === 'all records') assertListed(response, records, resource, address, key === '')
    const recorded = reduce(response, records, list.responses[''] ?? contractHead, adding)
    const isListAsWhole = records !== undefined && recorded.body?.length === 1
    if (isListAsWhole) warn(`${href} has records that its list lacks, so it is recorded as a whole`)
    const json = JSON.stringify(recorded)
    hold(json.length)
    const copy = JSON.parse(json) as RecordedResponse // as a slice of a string keeps the whole string in memory
    list.responses[key] = copy
    return copy
  }

  /**
   * Requests a query again, with the list's token or another one, and does not add the response to the list; an empty
   * token is not sent.
   */
  async function askUnrecorded (query: string, credentials = token): Promise<RecordedResponse> {
    const response = await get(new URL(query, url), credentials)
    return reduce(response, recordsIn(response), contractHead, 'none')
  }

  /** Records the response to HEAD, if its status or headers differ, and whether scripts of another origin may read. */
  async function askHeaders (): Promise<void> {
    if (list.head === undefined) {
      const head = headOf(await get(url, token, { method: 'HEAD' }), list.responses[''])
      if (Object.keys(head).length > 0) list.head = head
    }
    if (list.allowOrigin === undefined) {
      const { headers } = await get(url, token, { headers: { origin: program.origin } })
      list.allowOrigin = headers['access-control-allow-origin'] ?? null
    }
  }

  /**
   * Yields the response to a query and those of its next pages, at most `most`, and records them.
   * @throws {Error} for pages in a circle, and for more pages than the limit
   */
  async function * walkFrom (
    query: string, { adding = 'none', most = limits.pages }: { adding?: Adding, most?: number } = {}
  ) {
    let lastHref = ''
    const askPage = async (address: URL): Promise<RecordedPage> => {
      lastHref = address.href
      const response = await askAt(address, adding)
      return { href: address.href, response, page: pageOf(response, list.separator) }
    }
    const first = await askPage(new URL(query, url))
    const follow = (link: string, { href }: RecordedPage) => askPage(resolveLink(link, href))
    const end = yield * walk(first, { nextOf: nextLinkOf, follow, most })
    if (end === 'circle') throw new Error(`${lastHref} has a next link that leads in a circle`)
    if (end === 'limit' && most === limits.pages) throw new Error(`${url.href} has more than ${most} pages`)
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
}

/** A recorded response with its URL; `page` is undefined for an array. */
type RecordedPage = { href: string, response: RecordedResponse, page: JsonObject | undefined }

/**
 * Returns the link to the next page: of the page itself or, for an array, of its Link header (RFC 8288), such as
 * `<?page=2>; rel="next"`; null for none. @throws {Error} for a `next` that is not a string
 */
function nextLinkOf ({ href, response: { headers }, page }: RecordedPage): string | null {
  if (page !== undefined) {
    const { next } = page
    if (next && typeof next !== 'string') throw new Error(`${href} has an invalid next link: ${JSON.stringify(next)}`)
    return linkIn(next)
  }
  const links = String(headers?.link).split(/,\s*(?=<)/)
  const next = links.find(link => /;\s*rel="?next\b/i.test(link)) ?? ''
  return linkIn(/^<([^>]*)>/.exec(next)?.[1])
}
