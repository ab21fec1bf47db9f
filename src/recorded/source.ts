import type { RecordedList, RecordedResponse } from '../../schemas/recording.ts'
import type { JsonObject } from '../base/json.ts'
import type {
  InvalidCredentials, ListForm, ListSource, ResponseKind, SourceRequest, SourceResponse
} from '../catalogue/catalogue.ts'
import { isJsonType, sandbox } from '../http/headers.ts'
import { writeQuery } from '../http/target.ts'
import { countIn, headersOf, isList, pageOf, positionsIn, recordWriter, writeBody, type RecordBytes } from './frame.ts'

/** The contract's page size. A recorded page without a next one shows the service's size only if it is longer. */
const contractSize = 10

/** The page sizes that `pull` requests. */
const recordedSizes = { small: 2, large: 1000 }

export type RecordingTexts = {
  /** Whether the positions of recorded responses are those of the list: an overlay or an editor may have changed it. */
  isWhole: boolean
  /** Returns the JSON of the record at a position, as `write` writes it. */
  json: (position: number, origin: string, indent: number, write?: (bytes: Buffer) => Buffer) => Buffer
  localise: (text: string, origin: string) => string
}

type Refusals = { readonly [kind in InvalidCredentials]?: RecordedResponse | undefined }

/** Returns the source of a recorded list: its responses, and the form of the responses to other requests. */
export function recordedSource (list: RecordedList, texts: RecordingTexts, refusals: Refusals = {}): ListSource {
  const { head, separator = ',', responses = {} } = list
  const { isWhole, json, localise } = texts
  const { '': first, 'page=1': pageOne } = responses
  const isDocument = first !== undefined && !isList(first)
  const isReplayed = isWhole && Object.keys(responses).length > 0
  /** The recorded page from which those that are made have their headers and fields. */
  const template = [first, pageOne].find(response => pageIn(response) !== undefined)
  const templateFields = pageIn(template)
  const isOpen = (kind: InvalidCredentials) => {
    const response = refusals[kind]
    if (response === undefined || !isList(response)) return false
    return !isWhole || hasSameOrder(response, first)
  }
  const hasResponses = isDocument || isReplayed || Object.keys(refusals).length > 0
  return {
    form: {
      ...pagingOf(),
      ...list.form,
      sorts: isWhole ? sortsOf(responses) : new Map(),
      headers: { ...safeHeaders(first, template), link: null }, // leads to a recorded page
      openTo: (['missing', 'invalid'] as const).filter(isOpen)
    },
    page: templateFields && pageForm(templateFields),
    verbatim: hasResponses ? verbatim : undefined,
    json
  }

  /** Returns the fields of a recorded page, with links that begin with an origin. */
  function pageIn (response: RecordedResponse | undefined, origin = ''): JsonObject | undefined {
    return response && pageOf(response, separator, text => localise(text, origin))
  }

  /** Returns the form of the pages of a list, from its recorded responses. */
  function pagingOf (): ListForm {
    const paging: { -readonly [name in keyof ListForm]: ListForm[name] } = {}
    // A body in a single piece may be a page with records that the list lacks.
    const mayBePage = pageOne === undefined || (pageOne.status === undefined && pageOne.body?.length === 1)
    if (template === undefined && !mayBePage) paging.paginate = 'never'
    if (template !== undefined && template === first) paging.paginate = 'always'
    const usual = countIn(template?.body)
    const hasNext = Boolean(templateFields?.['next'])
    if (hasNext || usual > contractSize) paging.pageSize = usual

    // A list of which nothing is beyond the first page, and the smallest one, says nothing of page_size.
    const small = responses[`page=1&page_size=${recordedSizes.small}`]
    if (small === undefined || !(hasNext || usual > recordedSizes.small)) return paging
    const large = responses[`page=1&page_size=${recordedSizes.large}`]
    paging.pageSizeParameter = [small, large].some(page => pageIn(page) !== undefined && countIn(page?.body) !== usual)
    const largest = pageIn(large)
    if (largest !== undefined) paging.maxPageSize = largest['next'] ? countIn(large?.body) : recordedSizes.large
    return paging
  }

  /** Returns a function that returns the fields of a page, from those of a recorded one. */
  function pageForm (recorded: JsonObject): (origin: string) => JsonObject {
    const pages = Object.values(responses)
    // Some services leave out a link in place of null.
    const leftOut = ['next', 'previous'].filter(name => {
      return !(name in recorded) && pages.some(response => name in (pageIn(response) ?? {}))
    })
    const none = leftOut.length > 0 ? undefined : null
    return origin => {
      const fields: [name: string, value: unknown][] = []
      for (const [name, value] of Object.entries(pageIn(template, origin) as JsonObject)) {
        if (name === 'results') for (const link of leftOut) fields.push([link, undefined])
        fields.push([name, name === 'next' || name === 'previous' ? none : value])
      }
      return Object.fromEntries(fields)
    }
  }

  function verbatim (request: SourceRequest, to: ResponseKind): SourceResponse | undefined {
    const { origin, query, format, indent, resource } = request
    if (to === 'missing' || to === 'invalid') {
      const refusal = refusals[to]
      return refusal && sent(refusal, {}, origin)
    }
    if (to === 'GET' && isDocument) return sent(first, first, origin)
    if (!isReplayed || !resource.hasOwnForm) return undefined
    if (to === 'HEAD') {
      // The headers of HEAD were recorded without a query.
      if (head === undefined || format !== 'json' || (head.status === undefined && query.size > 0)) return undefined
      return sent(head.status === undefined ? { ...first, ...head } : head, first, origin)
    }
    if (indent > 0) return undefined
    const parameters = new URLSearchParams(query)
    parameters.delete('format')
    const response = responses[writeQuery(parameters)]
    return response && sent(response, first, origin)
  }

  /** Returns a response as it is sent, with the headers of another one that it doesn't have itself. */
  function sent (response: RecordedResponse, usual: RecordedResponse | undefined, origin: string): SourceResponse {
    const headers = safeHeaders(usual, response)
    for (const name of ['location', 'link']) {
      const value = headers[name]
      if (typeof value === 'string') headers[name] = localise(value, origin)
    }
    const writeRecord = recordWriter(response)
    return {
      status: response.status ?? 200,
      headers,
      positions: isList(response) ? positionsIn(response.body) : undefined,
      page: () => pageIn(response, origin),
      json: (position, origin, indent) => json(position, origin, indent, record => writeRecord(position, record)),
      body: () => {
        const jsonAt: RecordBytes = (position, write) => json(position, origin, 0, write)
        return writeBody(response, separator, jsonAt, text => localise(text, origin))
      }
    }
  }
}

/** Returns the headers of a response, which keep scripts in a body that is not JSON from this server's origin. */
function safeHeaders (usual: RecordedResponse | undefined, response: RecordedResponse | undefined) {
  const headers: Record<string, string | null> = { ...headersOf(usual, response) }
  const isJson = isJsonType(headers['content-type'] ?? '')
  return isJson ? headers : { ...headers, ...sandbox }
}

/** Returns whether a list is sorted by a field, where both directions were recorded. */
function sortsOf (responses: Readonly<Record<string, RecordedResponse>>): ReadonlyMap<string, boolean> {
  const sorts = new Map<string, boolean>()
  const { '': first } = responses
  for (const [key, ascending] of Object.entries(responses)) {
    const [, field] = /^ordering=(\w+)$/.exec(key) ?? []
    if (field === undefined) continue
    const descending = responses[`ordering=-${field}`]
    if (descending === undefined || !isList(ascending) || !isList(descending)) continue
    const isIgnored = hasSameOrder(ascending, first) && hasSameOrder(descending, first)
    sorts.set(field, !isIgnored)
  }
  return sorts
}

function hasSameOrder (one: RecordedResponse, other: RecordedResponse | undefined): boolean {
  return positionsIn(one.body).join() === positionsIn(other?.body).join()
}
