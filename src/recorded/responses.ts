import { records, type ListKey } from '../../schemas/lists.ts'
import type { RecordedForm, RecordedList, RecordedResponse } from '../../schemas/stored.ts'
import { groupBy } from '../base/group.ts'
import type { JsonObject } from '../base/json.ts'
import { countIn, headersOf, isList, pageOf, positionsIn, writeBody, type RecordedHeaders } from './frame.ts'
import { withParameters } from './queries.ts'

/** A recorded response for an origin. */
export type Replay = {
  readonly status: number
  readonly headers: RecordedHeaders
  /** The positions of its records; undefined for a body that is no list. */
  readonly records: readonly number[] | undefined
  /** Returns the fields of its page besides the records; undefined for an array. */
  readonly envelope: () => JsonObject | undefined
  readonly body: () => Iterable<Buffer>
}

/** The count and the links of a page. */
export type PageLinks = { readonly count: number, readonly next: string | null, readonly previous: string | null }

/** The recorded responses of a list. */
export type RecordedResponses = {
  /** Returns the response to a sorted query, if one was recorded that holds for it. */
  readonly to: (key: string, origin: string) => Replay | undefined
  /** Returns the response to a page after the last one. */
  readonly beyond: (last: number, origin: string) => Replay | undefined
  /** Returns the response to a missing or an invalid token, or to HEAD where its status or headers differ from GET. */
  readonly other: (name: OtherName, origin: string) => Replay | undefined
  /** Returns whether a request with a missing or an invalid token gets the list. */
  readonly isOpen: (name: OtherName) => boolean
}

export type OtherName = 'head' | 'missing' | 'invalid'

/** How a list is served. */
export type ListForm = {
  /** Undefined for the contract's. */
  readonly paginate?: 'always' | 'on-request' | 'never'
  readonly pageSize?: number
  readonly pageSizeParameter?: boolean
  /** The number of the first page. */
  readonly firstPage: number
  /** Parameters that the service adds to its links. */
  readonly parameters?: string
  /** Returns the sortable fields, from those of the contract. */
  readonly sortable: (known: readonly string[]) => readonly string[]
  /** Positions by ordering term; records that are left out follow. */
  readonly orders: Readonly<Record<string, readonly number[]>>
  /** The headers of responses that are made, where they differ from those of every list. */
  readonly headers: RecordedHeaders
  /** Returns the fields of a page that is made, `results` among them. */
  readonly fieldsOf: (links: PageLinks, number: number, origin: string) => JsonObject
  /** The JSON of a record; undefined for one that an overlay changes; absent for records in the contract's form. */
  readonly textAt?: ((position: number, origin: string) => Buffer | undefined) | undefined
  /** Whether the first response is neither an array nor a page, and so the response to every query. */
  readonly isDocument: boolean
  /** Whether recorded requests get their recorded responses. */
  readonly isReplayed: boolean
  readonly recorded?: RecordedResponses
}

/** The contract's page size. A recorded page without a next one shows the service's size only if it is longer. */
const contractSize = 10

/** The page sizes that `pull` requests, now and in earlier versions. */
const recordedSizes = [1, 2]

export const contractForm: ListForm = {
  firstPage: 1,
  sortable: known => known,
  orders: {},
  headers: {},
  fieldsOf: links => ({ ...links, results: [] }),
  isDocument: false,
  isReplayed: false
}

export type ListForms = Readonly<Record<ListKey, ListForm>>

export const contractForms = Object.fromEntries(Object.keys(records).map(key => [key, contractForm])) as ListForms

export type RecordingTexts = {
  /** Whether the positions of recorded responses are those of the list: an overlay or an editor may have changed it. */
  isWhole: boolean
  bytesAt: (position: number, origin: string) => Buffer | undefined
  localise: (text: string, origin: string) => string
}

type Responses = Readonly<Record<string, RecordedResponse>>
type Others = { readonly [name in OtherName]?: RecordedResponse | undefined }

/** Returns the form of a recorded list: its responses, and what those that are made have in common with them. */
export function recordedForm (list: RecordedList, texts: RecordingTexts, others: Others = {}): ListForm {
  const { isWhole, bytesAt, localise } = texts
  const pages = createPages(list, localise)
  const { first, template } = pages
  const firstPage = firstPageOf(pages)
  const responses = isWhole ? { ...list.responses } : {}
  return {
    ...pagingOf(pages),
    ...list.form,
    firstPage,
    sortable: known => sortableOf(known, responses),
    orders: isWhole ? { ...recordedOrders(list, firstPage), ...list.form?.orders } : {},
    headers: { ...headersOf(first, template), link: null }, // leads to a recorded page
    fieldsOf: pages.fieldsOf,
    textAt: bytesAt,
    isDocument: first !== undefined && !isList(first),
    isReplayed: Object.keys(responses).length > 0,
    recorded: createReplays(pages, texts, others)
  }
}

type RecordedPages = ReturnType<typeof createPages>

/** Returns functions that find recorded responses of a list and read them as pages. */
function createPages (list: RecordedList, localise: RecordingTexts['localise']) {
  const { separator = ',', form = {}, responses = {} } = list
  const first = find('')
  const pageOne = find('page=1')
  /** The recorded page from which pages that were not recorded have their headers and fields. */
  const template = [first, pageOne].find(response => pageIn(response) !== undefined)
  const hasLink = (name: string) =>
    Object.values(responses).some(response => Object.hasOwn(pageIn(response) ?? {}, name))
  const linkNames = (['next', 'previous'] as const).filter(hasLink)

  return { separator, first, pageOne, template, find, pageIn, fieldsOf }

  /** Returns the response to a sorted query; undefined unless it was recorded. */
  function find (key: string): RecordedResponse | undefined {
    return responses[key] ?? responses[withParameters(key, form.parameters)]
  }

  /** Returns the fields of a recorded page, with links that begin with an origin. */
  function pageIn (response: RecordedResponse | undefined, origin = ''): JsonObject | undefined {
    return response && pageOf(response, separator, text => localise(text, origin))
  }

  /** Returns the fields of the recorded page with a number, or of the first one, with another count and other links. */
  function fieldsOf (links: PageLinks, number: number, origin: string): JsonObject {
    const page = pageIn(find(`page=${number}`), origin) ?? pageIn(template, origin)
    if (page === undefined) return contractForm.fieldsOf(links, number, origin)
    const fields: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(page)) {
      if (name === 'results') addAbsentLinks(fields, links, page)
      fields[name] = isPageLink(name) ? links[name] : value
    }
    return fields
  }

  /** Adds the links that a recorded page lacks, because its service leaves them out in place of null. */
  function addAbsentLinks (fields: Record<string, unknown>, links: PageLinks, page: JsonObject): void {
    for (const name of linkNames) {
      if (links[name] !== null && !Object.hasOwn(page, name)) fields[name] = links[name]
    }
  }
}

/** Returns the form of the pages of a list, from its recorded responses. */
function pagingOf (pages: RecordedPages): RecordedForm {
  const { first, pageOne, template, pageIn } = pages
  const paging: RecordedForm = {}
  const shown = countIn(template?.body)
  const hasNext = Boolean(pageIn(template)?.['next'])
  if (template === undefined && pageOne !== undefined && !isVerbatim(pageOne)) paging.paginate = 'never'
  if (template !== undefined && template === first) paging.paginate = 'always'
  if (hasNext || shown > contractSize) paging.pageSize = shown
  return { ...paging, ...sizingOf(pages) }
}

/** Returns whether `page_size` sets the size of a page, from the first recorded page with one. */
function sizingOf ({ find }: RecordedPages): RecordedForm {
  for (const size of recordedSizes) {
    const page = find(`page=1&page_size=${size}`)
    if (page !== undefined) return { pageSizeParameter: countIn(page.body) === size }
  }
  return {}
}

/** Returns 0 for a service whose second page is page 1, or that has no page 1 or fewer records on it than at first. */
function firstPageOf ({ first, pageOne, template, pageIn }: RecordedPages): number {
  if (template === undefined || template !== first) return 1
  const second = pageNumberIn(pageIn(first)?.['next'])
  const isPage = pageIn(pageOne) !== undefined
  const isShorter = isPage && countIn(pageOne?.body) < countIn(first.body)
  const isSecond = second === 1 || pageOne?.status === 404 || isShorter
  return isSecond ? 0 : 1
}

/** Returns the functions that replay the recorded responses of a list. */
function createReplays (pages: RecordedPages, texts: RecordingTexts, others: Others): RecordedResponses {
  const { separator, first, find, pageIn } = pages
  const { isWhole, bytesAt, localise } = texts

  return { to, beyond, other, isOpen }

  function to (key: string, origin: string): Replay | undefined {
    const response = find(key)
    return response && toReplay(response, origin)
  }

  function beyond (last: number, origin: string): Replay | undefined {
    // The last page of some services is an empty one, to which the page before it leads.
    const isEmptyLast = Boolean(pageIn(find(`page=${last}`))?.['next'])
    const invalidPage = isEmptyLast ? last + 2 : last + 1
    return to(`page=${invalidPage}`, origin)
  }

  function other (name: OtherName, origin: string): Replay | undefined {
    const response = others[name]
    if (response === undefined || (isList(response) && !isWhole)) return undefined
    if (name !== 'head') return toReplay(response, origin, {})
    if (response.status !== undefined) return toReplay(response, origin)
    const headers = { ...first?.headers, ...response.headers }
    return toReplay({ ...first, headers }, origin)
  }

  function isOpen (name: OtherName): boolean {
    const response = others[name]
    if (response === undefined || first === undefined || !isList(response)) return false
    return !isWhole || isSameOrder(response, first)
  }

  function toReplay (response: RecordedResponse, origin: string, usual = first): Replay {
    const headers: Record<string, string | null> = { ...headersOf(usual, response) }
    for (const name of ['location', 'link']) {
      const value = headers[name]
      if (typeof value === 'string') headers[name] = localise(value, origin)
    }
    const textAt = (position: number) => bytesAt(position, origin) as Buffer
    return {
      status: response.status ?? 200,
      headers,
      records: isList(response) ? positionsIn(response.body) : undefined,
      envelope: () => pageIn(response, origin),
      body: () => writeBody(response, separator, textAt, text => localise(text, origin))
    }
  }
}

/** Returns whether a response with status 200 was recorded as a single literal, without positions. */
const isVerbatim = ({ status = 200, body = [] }: RecordedResponse) => status === 200 && body.length === 1

const isPageLink = (name: string): name is keyof PageLinks => ['count', 'next', 'previous'].includes(name)

/** Returns the number of the page that a link leads to; NaN for another link. */
function pageNumberIn (link: unknown): number {
  const [, query] = String(link).split(/[?#]/)
  const number = new URLSearchParams(query).get('page')
  return number === null ? NaN : Number(number)
}

/** Returns the contract's sortable fields, with those that changed a recorded order and without those that did not. */
function sortableOf (known: readonly string[], responses: Responses): readonly string[] {
  const { '': first } = responses
  const fields = new Set(known)
  if (first === undefined) return known
  for (const key of Object.keys(responses)) {
    const [, field] = /^ordering=(\w+)$/.exec(key) ?? []
    if (field === undefined) continue
    const ascending = responses[key] as RecordedResponse
    const descending = responses[`ordering=-${field}`]
    if (descending === undefined || !isList(ascending) || !isList(descending)) continue
    const isIgnored = isSameOrder(ascending, first) && isSameOrder(descending, first)
    if (isIgnored) fields.delete(field)
    else fields.add(field)
  }
  return [...fields]
}

function isSameOrder (one: RecordedResponse, other: RecordedResponse): boolean {
  return positionsIn(one.body).join() === positionsIn(other.body).join()
}

/** Returns the positions by ordering term, as far as its pages were recorded without a gap. */
function recordedOrders (list: RecordedList, firstPage: number): ListForm['orders'] {
  const orders = new Map<string, readonly number[]>()
  for (const [term, pages] of groupBy(orderedPages(list, firstPage), ({ term }) => term)) {
    const positions = new Set<number>()
    let next = firstPage
    if (pages[0].number > next) continue
    for (const { number, body } of pages) {
      if (number > next) break
      next = number + 1
      for (const position of positionsIn(body)) positions.add(position)
    }
    orders.set(term, [...positions])
  }
  return Object.fromEntries(orders)
}

type OrderedPage = { readonly term: string, readonly number: number, readonly body: RecordedResponse['body'] }

/** Returns the recorded pages of orders, without those of filters, by their numbers. */
function orderedPages ({ form, responses = {} }: RecordedList, firstPage: number): OrderedPage[] {
  const added = new URLSearchParams(form?.parameters)
  const unfiltered = new Set(['ordering', 'page', ...added.keys()])
  const pages: OrderedPage[] = []
  for (const [key, response] of Object.entries(responses)) {
    const parameters = new URLSearchParams(key)
    const term = parameters.get('ordering')
    const isFiltered = [...parameters.keys()].some(name => !unfiltered.has(name))
    if (term === null || isFiltered || !isList(response)) continue
    const number = Number(parameters.get('page') ?? firstPage)
    pages.push({ term, number, body: response.body })
  }
  return pages.sort((one, other) => one.number - other.number)
}
