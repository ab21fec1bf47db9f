import { applyEdits, findNodeAtLocation, modify, type Node, parseTree } from 'jsonc-parser'
import { records, type ListKey } from '../../../schemas/lists.ts'
import type { RecordedList, RecordedResponse } from '../../../schemas/stored.ts'
import { headersOf, pageOf, positionsIn, writeBody } from './frame.ts'
import { withParameters } from './queries.ts'

/** The texts around, between and after the records of a list. */
export type Frame = { readonly open: string, readonly separator: string, readonly close: string }

/** A recorded response for an origin. */
export type Replay = {
  readonly status: number
  /** Null for a header that it lacks. */
  readonly headers: Readonly<Record<string, string | null>>
  /** The positions of its records. */
  readonly records: readonly number[]
  readonly body: () => Iterable<Buffer>
}

/** The recorded responses of a list, and the form of those that are made; authored data has the contract's. */
export type ListForm = ReturnType<typeof createForm>

/** A longer page without a next one has at least its own size. */
const contractSize = 10

type Texts = {
  /** Whether the positions of recorded responses are those of the list. */
  isWhole: boolean
  /** Returns the JSON of a record; undefined for one that an overlay changes. */
  bytesAt: (position: number, origin: string) => Buffer | undefined
  localise: (text: string, origin: string) => string
}

const isList = ({ status = 200, body = [] }: RecordedResponse) => status === 200 && body.length > 1

/** Returns whether a response was recorded without reference to its records. */
const isText = ({ status = 200, body = [] }: RecordedResponse) => status === 200 && body.length === 1

const isSame = (one: RecordedResponse, other: RecordedResponse) => positionsIn(one.body).join() === positionsIn(other.body).join()

/** Returns a list as it is served: its recorded responses, and the form of all others. */
export function createForm (
  { separator = ',', form = {}, responses = {} }: RecordedList, { isWhole, bytesAt, localise }: Texts,
  others: { readonly [name in 'head' | 'missing' | 'invalid']?: RecordedResponse | undefined } = {}
) {
  const find = (key: string): RecordedResponse | undefined => responses[key] ?? responses[withParameters(key, form.parameters)]
  const [first, one, small] = [find(''), find('page=1'), find('page=1&page_size=1')]
  const [firstPage, onePage] = [first && pageOf(first, separator), one && pageOf(one, separator)]
  const template = firstPage ? first : onePage ? one : undefined
  const hasMore = Boolean((firstPage ?? onePage)?.['next'])
  const fixed = first === undefined || isList(first) ? undefined : first
  const [refusesPages, refusesSizes] = [one, small].map(response => Number(response?.status) >= 400 ? response : undefined)
  const paginate = form.paginate ?? (firstPage ? 'always' : one === undefined || onePage || isText(one) ? undefined : 'never')
  const shown = positionsIn(template?.body).length
  const style = styleOf(Object.values(responses))

  return {
    /** Undefined for the contract's. */
    paginate,
    pageSize: form.pageSize ?? (hasMore || shown > contractSize ? shown : undefined),
    pageSizeParameter: form.pageSizeParameter ?? (small && positionsIn(small.body).length === 1),
    /** Parameters that the service adds to its links. */
    parameters: form.parameters,
    isReplayed: isWhole && Object.keys(responses).length > 0,
    /** The texts around the records of an array. */
    array: firstPage || first === undefined || fixed ? { open: '[', separator, close: ']' } : ends(first),
    bytesAt,
    /** The body of a list that is neither an array nor a page. */
    ...fixed?.body && { document: fixed.body.join('') },
    /** Returns the sortable fields, from those of the contract. */
    sortable: (known: readonly string[]) => isWhole ? sortableOf(known) : known,
    /** Positions by ordering term; records that are left out follow. */
    orders: isWhole ? { ...ordersOf(responses), ...form.orders } : {},
    /** Returns the response to a sorted query, if one was recorded that holds for it. */
    replay (key: string, origin: string): Replay | undefined {
      const parameters = new URLSearchParams(key)
      const refused = (parameters.has('page') ? refusesPages : undefined) ?? (parameters.has('page_size') ? refusesSizes : undefined)
      return toReplay(find(key) ?? fixed ?? refused, origin)
    },
    /** Returns the response to HEAD, where it differs from that to GET, and to a missing and an invalid token. */
    other: (name: keyof typeof others, origin: string) => toReplay(others[name], origin),
    /** Returns the response to the page after the last one. */
    invalidPage: (last: number, origin: string) => toReplay(find(`page=${last + 1}`), origin),
    /** The headers of responses that are made; null for an absent one. */
    headers: headersOf(first, template),
    /** Returns the texts around the records of a page; undefined where no page was recorded. */
    pageFrame: (links: Readonly<Record<string, unknown>>, origin: string) => template && fill(template, links, origin)
  }

  function ends ({ body = [] }: RecordedResponse): Frame {
    return { open: body[0] as string, separator, close: body.at(-1) as string }
  }

  /** Adds the fields that a recorded order has changed, and removes those that were ignored. */
  function sortableOf (known: readonly string[]): readonly string[] {
    const fields = new Set(known)
    const tried = Object.keys(responses).flatMap(key => /^ordering=(\w+)$/.exec(key)?.[1] ?? [])
    for (const field of tried) {
      const orders = [responses[`ordering=${field}`], responses[`ordering=-${field}`]]
      if (first === undefined || orders.some(order => order === undefined || !isList(order))) continue
      if (orders.every(order => isSame(order as RecordedResponse, first))) fields.delete(field)
      else fields.add(field)
    }
    return [...fields]
  }

  function toReplay (response: RecordedResponse | undefined, origin: string): Replay | undefined {
    if (response === undefined) return undefined
    const entries = Object.entries(headersOf(first, response)).map(([name, value]) => [name, value && localise(value, origin)])
    return {
      status: response.status ?? 200,
      headers: Object.fromEntries(entries) as Replay['headers'],
      records: positionsIn(response.body),
      body: () => writeBody(response, separator, position => bytesAt(position, origin) as Buffer, text => localise(text, origin))
    }
  }

  /** Returns the texts around the records of another page, with its count and links in the spelling of recorded pages. */
  function fill (response: RecordedResponse, links: Readonly<Record<string, unknown>>, origin: string): Frame {
    const pages = [response, find('page=2'), small].flatMap(response => {
      const page = response && pageOf(response, separator)
      return page === undefined ? [] : [{ ...ends(response as RecordedResponse), page }]
    })
    const names = Object.keys(links).filter(name => pages.some(({ page }) => name in page))
    const complete = pages.filter(({ page }) => names.every(name => name in page))
    const { open, close } = (complete[0] ?? pages[0]) as Frame
    const none = complete.length < pages.length ? undefined : pages[0]?.page['previous'] ?? null // some services leave it out
    let text = `${open}0${close}`
    for (const name of names) {
      const value = links[name] ?? none
      const edits = modify(text, [name], typeof value === 'string' ? style.link(value, origin) : value, before)
      text = applyEdits(text, edits.map(edit => ({ ...edit, content: style.escape(edit.content) })))
    }
    const { offset } = findNodeAtLocation(parseTree(text) as Node, ['results', 0]) as Node
    return { open: localise(text.slice(0, offset), origin), separator, close: localise(text.slice(offset + 1), origin) }
  }
}

/** Inserts missing fields of a page before its records. */
const before = { getInsertionIndex: (names: readonly string[]) => names.indexOf('results') }

const contractForm = createForm({}, { isWhole: true, bytesAt: () => undefined, localise: String })

export const contractForms = Object.fromEntries(Object.keys(records).map(key => [key, contractForm])) as Readonly<Record<ListKey, ListForm>>

/** Returns the positions by ordering term, as far as they were recorded. */
function ordersOf (responses: Readonly<Record<string, RecordedResponse>>): Readonly<Record<string, readonly number[]>> {
  const orders: Record<string, Set<number>> = {}
  for (const [key, response] of Object.entries(responses)) {
    const parameters = new URLSearchParams(key)
    const term = parameters.get('ordering')
    if (term === null || parameters.has('page_size') || !isList(response)) continue
    orders[term] ??= new Set()
    for (const position of positionsIn(response.body)) orders[term].add(position)
  }
  return Object.fromEntries(Object.entries(orders).map(([term, positions]) => [term, [...positions]]))
}

/** Returns functions that write links as recorded ones are: a link that may be relative, and its JSON with their escapes. */
function styleOf (responses: readonly RecordedResponse[]) {
  const literals = responses.flatMap(({ body = [] }) => isList({ body }) ? [body[0], body.at(-1)] : []).join('')
  const [, slash = '/'] = /"next"\s*:\s*"[^"]*?(\\?\/|\\u002f)/i.exec(literals) ?? []
  const ampersand = /\\u0026/i.exec(literals)?.[0] ?? '&'
  const [, begin = 'http'] = /"(?:next|previous)"\s*:\s*"(http|\?|)[^"]/.exec(literals) ?? []
  return {
    link: (link: string, origin: string) => begin === '?' ? link.replace(/^.*?(?=\?)/, '') : begin === '' ? link.replace(origin, '') : link,
    escape: (json: string) => json.replaceAll('/', slash).replaceAll('&', ampersand)
  }
}
