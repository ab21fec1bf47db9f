import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../base/json.ts'
import { counted } from '../base/text.ts'
import type { ServedRecord } from '../catalogue/catalogue.ts'
import { urlOf } from '../client/client.ts'
import { filterPositions, presentFilters, readFilters } from '../lists/filter.ts'
import { orderPositions, readOrdering } from '../lists/ordering.ts'
import { findPage, maxPageSize, type ListPage } from '../lists/page.ts'
import type { Resource } from '../lists/resources.ts'
import { createTable, memoise, rank, readerOf, type Value } from '../lists/table.ts'
import { lastValue } from '../http/target.ts'
import { keyOf, looseAccepts, queryOf, type Choice } from '../service/plan.ts'
import { isListed, linkIn, listLink } from '../service/read.ts'
import {
  byAccess, checkOf, difference, expect, isOfV2, isStated, type CheckRow, type Found, type Differences
} from './check.ts'
import { findOrder, misplacedBy, type ServedOrder, type Sorted } from './collations.ts'
import { idsIn, isForJson, plainOf, report, shown, wholeOf, type Reading, type Session } from './exchange.ts'
import { isWholeArray } from './requests.ts'

const envelopeFields = ['count', 'next', 'previous', 'results']

/** The orderings that the specification states, which have a check each. */
const statedTerms = ['title', 'brand_name'].flatMap(field => [field, `-${field}`])

/** The checks that compare a response with what is expected of its request, in the order of a list's report. */
export const expectations: readonly CheckRow[] = [
  { id: 'paged', claim: 'gives a page for ?page=1', clause: 'D1' },
  { id: 'again', claim: 'gives the same records when asked again', clause: 'S3' },
  {
    id: 'default-order', claim: 'comes in ascending id order', clause: ({ key }) => key === 'chains' ? 'S16' : 'D5'
  },
  ...statedTerms.map((term): CheckRow => ({
    id: `ordering/${term}`,
    claim: `sorts by ${term}`,
    clause: ({ key }) => `S13, ${key === 'bikes' ? 'S14' : 'S15'}`,
    of: resource => !isOfV2(resource) && resource.sortable.includes(term.replace('-', ''))
  })),
  { id: 'ordering', claim: 'sorts by each of its fields', clause: 'D38', of: isOfV2 },
  { id: 'ordering/unknown', claim: 'ignores an invalid ordering', clause: 'F9' },
  {
    id: 'envelope', claim: `has pages with ${envelopeFields.join(', ')}`, clause: byAccess('D1', 'S10')
  },
  {
    id: 'links', claim: 'has next links to the next page', clause: byAccess('D1', 'S13, S19'),
    lacks: 'needs a second page'
  },
  { id: 'walk', claim: 'has every record once along its next links', clause: byAccess('D1', 'S10') },
  { id: 'count', claim: 'counts its records', clause: byAccess('D1', 'F14') },
  { id: 'previous', claim: 'leads from each page to the one before', clause: byAccess('D1', 'F14') },
  { id: 'pages', claim: 'has links to its own origin', clause: byAccess('D1', 'F14') },
  {
    id: 'numbers', claim: 'has a page "last", and none after it, before the first or for another word',
    clause: byAccess('D1', 'F15')
  },
  { id: 'page-size', claim: 'applies page_size, or ignores it', clause: 'D3' },
  { id: 'format-json', claim: 'gives JSON with format=json', clause: 'F3' },
  { id: 'query/unknown', claim: 'ignores unknown parameters', clause: 'F19' },
  { id: 'token/public', claim: 'ignores a token', clause: 'D26', of: resource => !isOfV2(resource) },
  { id: 'filters', claim: 'filters as stated', clause: 'D36', of: isOfV2 }
]

/** Returns the check that compares the records of a request. */
function claimOf (choice: Choice, { access, sortable }: Resource): string {
  const { authorization, ordering, accept, page = '' } = choice
  if (authorization !== undefined) return 'token/public'
  if ('filter' in choice || 'range' in choice) return 'filters'
  const isOrdered = readOrdering(ordering, sortable).length > 0
  if (isOrdered) return access === 'token' ? 'ordering' : `ordering/${ordering}`
  if (ordering !== undefined) return 'ordering/unknown'
  if ('unknown' in choice) return 'query/unknown'
  if ('format' in choice) return 'format-json'
  if ('size' in choice || page.includes('page_size')) return 'page-size'
  if (accept !== undefined && looseAccepts.includes(accept)) return 'accept'
  if (page === 'last') return 'numbers'
  return page === '' ? 'again' : 'walk'
}

/** The ids that a query selects, in order. Those of the same tie may come in any order. */
type Selected = { ids: readonly string[], ties: readonly string[] }

/** A list as it was read, which says what its other requests must give. */
type Reference = Session & {
  /** The response to the plain request. */
  plain: Reading
  /** The number of the first page. */
  first: number
  /** Returns the records that a query selects, without pages; undefined if that is unknown. */
  select: (query: URLSearchParams) => Selected | undefined
  /** Returns the value of a record's field, by its id. */
  valueOf: (field: string, id: string) => Value
  /** Returns the order in which a service sorts by a field. */
  orderOf: (field: string) => ServedOrder
}

function createReference (session: Session, plain: Reading): Reference {
  const { resource, sample } = session
  const whole = wholeOf(session)
  const ids = whole === undefined ? [] : idsIn(whole)
  const readers = memoise(field => readerOf(resource.record, field))
  const valueOf = (field: string, id: string) => readers(field)(sample.get(id) as ServedRecord)
  const orderOf = memoise(field => {
    const all: Sorted[] = []
    for (const series of session.seriesByChoice.values()) {
      const { ordering } = series.choice
      if (ordering?.replace('-', '') !== field || !isListed(series.first)) continue
      const values = idsIn(series).map(id => valueOf(field, id))
      all.push({ values, isDescending: ordering !== field })
    }
    return findOrder(all, field === 'title')
  })
  const ranks = memoise(field => rank(ids.map(id => valueOf(field, id)), orderOf(field).compare))
  const table = { ...createTable(ids.map(id => sample.get(id) as ServedRecord), readers), ranks }
  const isStable = [...session.readings.values()].every(({ choice, form, ids, index }) => {
    const isPlain = queryOf(choice) === '' && choice.authorization === undefined && index === 0
    return !isPlain || form !== plain.form || ids.join() === plain.ids.join()
  })

  const selectBy = memoise((text): Selected | undefined => {
    if (whole === undefined) return undefined
    const query = new URLSearchParams(text)
    const conditions = readFilters(presentFilters(query, resource.filters), resource.filters)
    if (!Array.isArray(conditions)) return undefined
    const terms = readOrdering(lastValue(query, 'ordering'), resource.sortable)
    const used = [...terms.map(({ field }) => field), ...conditions.flatMap(({ fields }) => fields)]
    if (used.some(field => session.changing.has(field))) return undefined
    const positions = filterPositions(table, orderPositions(table, terms), conditions)
    const tieOf = (position: number) => {
      if (terms.length === 0) return isStable ? String(position) : ''
      return terms.map(({ field }) => ranks(field)[position]).join()
    }
    return { ids: positions.map(position => ids[position] as string), ties: positions.map(tieOf) }
  })
  const select = (query: URLSearchParams) => {
    const own = new URLSearchParams([...query].filter(([name]) => name === 'ordering' || name in resource.filters))
    return selectBy(own.toString())
  }
  const first = Number(session.facts.pages[0] ?? 1)
  return { ...session, plain, first, select, valueOf, orderOf }
}

/**
 * Returns the page that a response should be; undefined if there is none. A `page_size` may be applied, ignored, or
 * cut to a maximum.
 */
function pageOf (
  { first, facts: { pageSize: usual } }: Reference, { query, ids }: Reading, count: number, number: number
): ListPage | undefined {
  const position = String(number - first + 1)
  const size = lastValue(query, 'page_size')
  const pages = [findPage(count, position, size, usual)]
  if (size !== undefined) pages.push(findPage(count, position, undefined, usual))
  const isCut = Number(size) > maxPageSize && position === '1' && ids.length >= usual
  if (isCut) pages.push(findPage(count, position, size, usual, ids.length))
  const hasLength = (page: ListPage | undefined) => page && Math.min(page.size, count - page.start) === ids.length
  return pages.find(hasLength) ?? pages[0]
}

/** Adds differences of a response to the check that reports them. */
type Add = (id: string, differences: Differences) => void

/** Judges the responses of a session by the list that they belong to, if the plain request has one. */
export function judgeReadings (session: Session): void {
  const plain = plainOf(session)?.first
  if (plain === undefined || !isListed(plain)) return
  const reference = createReference(session, plain)
  const wrongAlone = new Set<string>()
  for (const reading of session.readings.values()) {
    const { choice } = reading
    if (!isForJson(reading) || choice.accept?.includes('html')) continue
    const values = Object.entries(choice).map(value => value.join('='))
    // What the specification doesn't state, and is another way alone, is no failure of others.
    const isDoubtful = values.length > 1 && values.some(value => wrongAlone.has(value))
    judgeReading(reference, reading, (id, differences) => {
      const found = isDoubtful ? differences.map(asDoubtful) : differences
      const isFailure = report(session, `${session.resource.key}/${id}`, found, reading)
      const isWrong = found.length > 0 && !isFailure && id === claimOf(choice, session.resource)
      if (isWrong && values.length === 1) wrongAlone.add(values.join())
    })
  }
}

const asDoubtful = (found: Found): Found => ({ ...found, isDoubtful: true })

/** Compares a response with what is expected of its request. */
function judgeReading (reference: Reference, reading: Reading, add: Add): void {
  const { resource, facts, first, plain, select } = reference
  const { choice, form, ids, status, page, query, index } = reading
  const claim = claimOf(choice, resource)
  const row = expectations.find(({ id }) => id === claim)
  const isClaimStated = row === undefined || isStated(checkOf(resource, row).source)
  if (keyOf(choice) === keyOf({ page: '1' })) add('paged', expect(form === 'page', 'a page', `${status}, ${form}`))

  const selected = select(query)
  const text = lastValue(query, 'page') ?? (index === 0 ? String(first) : '')
  // Links may have a cursor, or an offset besides the first page.
  const isOfOther = index > 0 && (text === String(first) || !/^\d+$/.test(text))
  const number = isOfOther ? undefined : Number(text === 'last' ? facts.pages.at(-1) : text)
  const isOfPages = form === 'page' || (query.has('page') && facts.pages.length > 0)
  const isPlaced = isOfPages && selected !== undefined && number !== undefined && facts.pageSize > 0
  const place = isPlaced ? pageOf(reference, reading, selected.ids.length, number) : undefined
  if (isPlaced && place === undefined) {
    const isLinked = index > 0
    const id = isLinked ? 'walk' : 'numbers'
    const expected = isLinked ? 'no records after the last page' : `404 for page ${text}`
    const got = ids.length === 0 ? String(status) : `${status}, ${counted(ids.length, 'record')}`
    const isRight = isLinked ? ids.length === 0 : status === 404
    return add(isClaimStated || claim === 'walk' ? id : claim, expect(isRight, expected, got))
  }

  if (!isListed(reading)) {
    const isAlone = Object.keys(choice).length === 1
    if (isAlone && !isClaimStated) add(claim, difference('200 with a list', String(status)))
    return
  }
  if (choice.ordering === undefined && choice.authorization === undefined) add('default-order', judgeDefaultOrder(ids))
  if (form === 'array' && isOfPages) {
    return add('envelope', difference(envelopeFields.join(', '), 'a plain array'))
  }
  const isPaged = query.has('page') || query.has('page_size')
  if (!isPaged && index === 0 && form !== plain.form) {
    return add(claim, difference(`the form "${plain.form}"`, `"${form}"`))
  }

  const isWhole = form === 'page' ? place !== undefined : isWholeArray(reading)
  let differences: Differences = []
  if (selected !== undefined && isWhole) {
    const { start, size } = place ?? { start: 0, size: selected.ids.length }
    differences = judgeRecords(reference, reading, selected, start, start + size)
    add(claim, differences)
  }

  if (page === undefined) return
  judgeEnvelope(reference, page, add)
  const isRight = differences.length === 0 && envelopeFields.every(field => field in page)
  if (isRight && number !== undefined && choice.authorization === undefined) {
    judgeLinks(reference, reading, page, number, place, add)
  }
}

function judgeDefaultOrder (ids: readonly string[]): Differences {
  let before = -Infinity
  for (const [index, id] of ids.entries()) {
    const number = Number(id.replaceAll('"', ''))
    if (number < before) return difference('id ascending', `${ids[index - 1]} before ${id}`)
    before = number
  }
  return []
}

/** Judges the records of a response by those that its request selects, from `start` to before `end`. */
function judgeRecords (
  reference: Reference, { choice, query, ids }: Reading, selected: Selected, start: number, end: number
): Differences {
  const { resource, plain, orderOf, valueOf } = reference
  const [term] = readOrdering(lastValue(query, 'ordering'), resource.sortable)
  if (term !== undefined) {
    const { field, descending: isDescending } = term
    const values = ids.map(id => valueOf(field, id))
    const { compare, alphabetical } = orderOf(field)
    const [wrong] = misplacedBy(alphabetical, { values, isDescending })
    if (wrong !== undefined) {
      const isDefault = ids.join() === plain.ids.slice(0, ids.length).join()
      const got = isDefault ? 'the default order' : wrong.map(shown).join(' before ')
      const isDoubtful = misplacedBy(compare, { values, isDescending }).length === 0
      return difference(`${field} ${isDescending ? 'descending' : 'ascending'}, ignoring case`, got, { isDoubtful })
    }
  }
  const wanted = selected.ids.slice(start, end)
  if (wanted.join() === ids.join()) return []
  const ties = new Map(selected.ids.map((id, index) => [id, selected.ties[index]]))
  const wrong = ids.findIndex((id, index) => ties.get(id) !== selected.ties[start + index])
  const isRepeated = new Set(ids).size < new Set(wanted).size
  if (wrong < 0 && !isRepeated && ids.length === wanted.length) return []
  const missing = wanted.find(id => !ids.includes(id))
  const added = ids.find(id => !wanted.includes(id))
  const got = [counted(ids.length, 'record')]
  if (missing !== undefined) got.push(`without record ${missing}`)
  if (added !== undefined) got.push(`with record ${added}`)
  if (got.length === 1) got.push(`record ${ids[wrong]} in place of record ${wanted[wrong]}`)
  const expected = `${counted(wanted.length, 'record')} of ${resource.path}${queryOf(choice)}`
  return difference(expected, got.join(', '), { kind: 'records' })
}

/** Judges the fields of a page. */
function judgeEnvelope ({ base, path }: Reference, page: JsonObject, add: Add): void {
  if (!envelopeFields.every(field => field in page)) {
    return add('envelope', difference(envelopeFields.join(', '), Object.keys(page).join(', ')))
  }
  const { next, previous, count } = page
  const links = [next, previous]
  const odd = links.find(link => link !== null && urlOf(link) === undefined)
  // The specification says "string URL", which may be relative.
  const isDoubtful = listLink(odd, path, base) !== undefined
  const foreign = links.find(link => (urlOf(link)?.origin ?? base.origin) !== base.origin)
  const isCount = Number.isInteger(count) && Number(count) >= 0
  add('envelope', expect(odd === undefined, 'a URL or null as next and previous', shown(odd), { isDoubtful }))
  add('envelope', expect(isCount, 'an integer as count', shown(count)))
  add('pages', expect(foreign === undefined, `links that begin with ${base.origin}`, shown(foreign)))
}

/** Judges the links of a page of a number, and its count if its place is known. */
function judgeLinks (
  reference: Reference, reading: Reading, page: JsonObject, number: number, place: ListPage | undefined, add: Add
): void {
  const { next, previous, count } = page
  if (linkIn(next) !== null) add('links', judgeLink(reference, reading, next, number + 1, place))
  if (number <= reference.first) {
    add('previous', expect(previous === null, 'previous null on the first page', shown(previous)))
  } else {
    add('previous', judgeLink(reference, reading, previous, number - 1, place))
  }
  if (place === undefined) return
  const left = place.count - place.start - reading.ids.length
  const isRightCount = typeof count !== 'number' || count === place.count
  add('count', expect(isRightCount, `count ${place.count}`, `count ${shown(count)}`))
  add('walk', expect(left <= 0 || next !== null, 'a next link', `null, ${left} records are left`))
}

/** Judges the link to a page: its path, its number, and whether its other parameters select the same records. */
function judgeLink (
  reference: Reference, { query }: Reading, link: unknown, number: number, place: ListPage | undefined
): Differences {
  const { path, base, first, select, resource } = reference
  const url = listLink(link, path, base)
  const page = url && lastValue(url.searchParams, 'page')
  const isUnnumbered = number === first && page === undefined
  const selectedBy = (query: URLSearchParams) =>
    select(query)?.ids ?? readOrdering(lastValue(query, 'ordering'), resource.sortable)
  const isNeighbour = url !== undefined && (isUnnumbered || Number(page) === number) &&
    isDeepStrictEqual(selectedBy(url.searchParams), selectedBy(query))
  const size = lastValue(query, 'page_size')
  const isSized = place?.size !== Number(size) || url?.searchParams.get('page_size') === size
  const right = new URLSearchParams(query)
  right.set('page', String(number))
  const expected = `an absolute URL such as ${base.origin}${path}?${right.toString()}`
  const found = expect(isNeighbour && isSized, expected, shown(link), { kind: isNeighbour ? 'size' : 'link' })
  return isNeighbour ? found.map(asDoubtful) : found // the specification has no page_size
}
