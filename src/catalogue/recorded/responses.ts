import { type Node, parseTree } from 'jsonc-parser'
import { records, type ListKey } from '../../../schemas/lists.ts'
import type { RecordedList, RecordedResponse } from '../../../schemas/stored.ts'
import type { Frame, ListForm, OtherResponse, Replay } from '../catalogue.ts'
import { headersOf, pageOf, positionsIn, writeBody } from './frame.ts'
import { withParameters } from './queries.ts'

/** A longer page without a next one has at least its own size. */
const contractSize = 10

type Texts = {
  /** Whether the positions of recorded responses are those of the list. */
  isWhole: boolean
  bytesAt: ListForm['bytesAt']
  localise: (text: string, origin: string) => string
}

const isList = ({ status = 200, body = [] }: RecordedResponse) => status === 200 && body.length > 1

/** Returns whether a response was recorded without reference to its records. */
const isText = ({ status = 200, body = [] }: RecordedResponse) => status === 200 && body.length === 1

const isSame = (one: RecordedResponse, other: RecordedResponse) => positionsIn(one.body).join() === positionsIn(other.body).join()

/** Returns a list as it is served: its recorded responses, and the form of all others. */
export function createForm (
  { separator = ',', form = {}, responses = {} }: RecordedList, { isWhole, bytesAt, localise }: Texts,
  others: { readonly [name in OtherResponse]?: RecordedResponse | undefined } = {}
): ListForm {
  const find = (key: string): RecordedResponse | undefined => responses[key] ?? responses[withParameters(key, form.parameters)]
  const [first, one, small] = [find(''), find('page=1'), find('page=1&page_size=1')]
  const [firstPage, onePage] = [first && pageOf(first, separator), one && pageOf(one, separator)]
  const template = firstPage ? first : onePage ? one : undefined
  const hasMore = Boolean((firstPage ?? onePage)?.['next'])
  const fixed = first === undefined || isList(first) ? undefined : first
  const refusesPages = one?.status !== undefined && one.status >= 400 ? one : undefined
  const refusesSizes = small?.status !== undefined && small.status >= 400 ? small : undefined
  const paginate = form.paginate ?? (firstPage ? 'always' : one === undefined || onePage || isText(one) ? undefined : 'never')
  const shown = positionsIn(template?.body).length
  const style = styleOf(Object.values(responses))

  return {
    paginate,
    pageSize: form.pageSize ?? (hasMore || shown > contractSize ? shown : undefined),
    pageSizeParameter: form.pageSizeParameter ?? (small && positionsIn(small.body).length === 1),
    parameters: form.parameters,
    isReplayed: isWhole && Object.keys(responses).length > 0,
    array: firstPage || first === undefined || fixed ? { open: '[', separator, close: ']' } : ends(first),
    bytesAt,
    ...fixed?.body && { document: fixed.body.join('') },
    sortable: known => isWhole ? sortableOf(known) : known,
    orders: isWhole ? { ...ordersOf(responses), ...form.orders } : {},
    replay (key, origin) {
      const parameters = new URLSearchParams(key)
      const response = find(key) ?? fixed ??
        (parameters.has('page') ? refusesPages : undefined) ?? (parameters.has('page_size') ? refusesSizes : undefined)
      return response && toReplay(response, origin)
    },
    other: (name, origin) => others[name] && toReplay(others[name], origin),
    invalidPage (last, origin) {
      const response = find(`page=${last + 1}`)
      return response && toReplay(response, origin)
    },
    headers: headersOf(first, template),
    pageFrame: (links, origin) => template && fill(template, links, origin)
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

  function toReplay (response: RecordedResponse, origin: string): Replay {
    const entries = Object.entries(headersOf(first, response)).map(([name, value]) => [name, value && localise(value, origin)])
    return {
      status: response.status ?? 200,
      headers: Object.fromEntries(entries) as Replay['headers'],
      records: positionsIn(response.body),
      body: () => writeBody(response, separator, position => bytesAt(position, origin) as Buffer, text => localise(text, origin))
    }
  }

  /** Returns the texts around the records of another page, with its count and links in the spelling of the recorded one. */
  function fill (response: RecordedResponse, links: Readonly<Record<string, unknown>>, origin: string): Frame {
    const { open, close } = ends(response)
    const text = open + close
    const edits = ((parseTree(text) as Node).children as Node[]).flatMap(({ children: [name, value] = [] }) =>
      value !== undefined && String(name?.value) in links ? { ...value, next: links[String(name?.value)] } : [])
    let [filled, end] = [text, open.length]
    for (const { offset, length, next } of edits.reverse()) {
      const written = typeof next === 'string' ? style(next, origin) : JSON.stringify(next)
      filled = filled.slice(0, offset) + written + filled.slice(offset + length)
      if (offset < open.length) end += written.length - length
    }
    return { open: localise(filled.slice(0, end), origin), separator, close: localise(filled.slice(end), origin) }
  }
}

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

/** Returns a function that writes a link as JSON with the escapes of recorded links, relative where those are. */
function styleOf (responses: readonly RecordedResponse[]): (link: string, origin: string) => string {
  const literals = responses.flatMap(({ body = [] }) => isList({ body }) ? [body[0], body.at(-1)] : []).join('')
  const [, slash = '/'] = /"next"\s*:\s*"[^"]*?(\\?\/|\\u002f)/i.exec(literals) ?? []
  const ampersand = /\\u0026/i.exec(literals)?.[0] ?? '&'
  const isRelative = /"(?:next|previous)"\s*:\s*"(?!http)/.test(literals)
  return (link, origin) => JSON.stringify(isRelative ? link.replace(origin, '') : link).replaceAll('/', slash).replaceAll('&', ampersand)
}
