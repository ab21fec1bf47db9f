import { records, type ListKey } from '../../schemas/lists.ts'
import type { RecordedForm, RecordedList, RecordedResponse } from '../../schemas/stored.ts'
import type { JsonObject } from '../base/json.ts'
import { countIn, headersOf, isList, pageOf, positionsIn, writeBody, type RecordedHeaders } from './frame.ts'

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
  readonly maxPageSize?: number
  /** Returns the sortable fields, from those of the contract. */
  readonly sortable: (known: readonly string[]) => readonly string[]
  /** The headers of responses that are made, where they differ from those of every list. */
  readonly headers: RecordedHeaders
  /** Returns the fields of a page that is made, `results` among them. */
  readonly fieldsOf: (links: PageLinks, origin: string) => JsonObject
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

/** The page sizes that `pull` requests. */
const recordedSizes = { small: 2, large: 1000 }

export const contractForm: ListForm = {
  sortable: known => known,
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
  const responses = isWhole ? { ...list.responses } : {}
  return {
    ...pagingOf(pages),
    ...list.form,
    sortable: known => sortableOf(known, responses),
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
  const { separator = ',', responses = {} } = list
  const { '': first, 'page=1': pageOne } = responses
  /** The recorded page from which pages that were not recorded have their headers and fields. */
  const template = [first, pageOne].find(response => pageIn(response) !== undefined)
  const hasLink = (name: string) =>
    Object.values(responses).some(response => Object.hasOwn(pageIn(response) ?? {}, name))
  const linkNames = (['next', 'previous'] as const).filter(hasLink)

  return { separator, responses, first, pageOne, template, pageIn, fieldsOf }

  /** Returns the fields of a recorded page, with links that begin with an origin. */
  function pageIn (response: RecordedResponse | undefined, origin = ''): JsonObject | undefined {
    return response && pageOf(response, separator, text => localise(text, origin))
  }

  /** Returns the fields of the first recorded page with another count and other links. */
  function fieldsOf (links: PageLinks, origin: string): JsonObject {
    const page = pageIn(template, origin)
    if (page === undefined) return contractForm.fieldsOf(links, origin)
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

/**
 * Returns whether `page_size` sets the size of a page, and the largest one that it sets. A list of which nothing is
 * beyond the first page, and the smallest one, shows neither.
 */
function sizingOf ({ template, responses, pageIn }: RecordedPages): RecordedForm {
  const small = responses[`page=1&page_size=${recordedSizes.small}`]
  const large = responses[`page=1&page_size=${recordedSizes.large}`]
  const usual = countIn(template?.body)
  const hasMore = usual > recordedSizes.small || Boolean(pageIn(template)?.['next'])
  if (small === undefined || !hasMore) return {}
  const isObeyed = [small, large].some(page => pageIn(page) !== undefined && countIn(page?.body) !== usual)
  const sizing: RecordedForm = { pageSizeParameter: isObeyed }
  const largest = pageIn(large)
  if (largest !== undefined) sizing.maxPageSize = largest['next'] ? countIn(large?.body) : recordedSizes.large
  return sizing
}

/** Returns the functions that replay the recorded responses of a list. */
function createReplays (pages: RecordedPages, texts: RecordingTexts, others: Others): RecordedResponses {
  const { separator, responses, first, pageIn } = pages
  const { isWhole, bytesAt, localise } = texts

  return { to, other, isOpen }

  function to (key: string, origin: string): Replay | undefined {
    const response = responses[key]
    return response && toReplay(response, origin)
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
