import type { JsonObject } from '../base/json.ts'
import { counted } from '../base/text.ts'
import { urlOf } from '../client/client.ts'
import { filterPositions, presentFilters, readFilters } from '../lists/filter.ts'
import { orderPositions, readOrdering } from '../lists/ordering.ts'
import { findPage, maxPageSize, type ListPage } from '../lists/page.ts'
import type { Resource } from '../lists/resources.ts'
import { createTable, memoise, rank, type Value } from '../lists/table.ts'
import { lastValue } from '../http/target.ts'
import { keyOf, looseAccepts, queryOf, unstatedDimensions, type Choice } from '../service/plan.ts'
import { isListed, lastOf, listLink } from '../service/read.ts'
import { byAccess, checkOf, difference, expect, isStated, type CheckRow, type Found } from './check.ts'
import { findOrder, misplacedBy, type ServedOrder, type Sorted } from './collations.ts'
import {
  idsIn, isForJson, report, shown, valuesIn, type Reading, type Series, type Session
} from './exchange.ts'
import { isWholeArray } from './requests.ts'

const envelopeFields = ['count', 'next', 'previous', 'results']

const noPages = 'needs a list in pages'

const isOfV2 = ({ access }: Resource) => access === 'token'

/** The orderings that the specification states, which have a check each. */
const statedTerms = ['title', 'brand_name'].flatMap(field => [field, `-${field}`])

/** The checks that compare a response with what is expected of its request, in the order of a list's report. */
export const expectations: readonly CheckRow[] = [
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
    id: 'envelope', claim: `has pages with ${envelopeFields.join(', ')}`, clause: byAccess('D1', 'S10'),
    lacks: noPages
  },
  {
    id: 'links', claim: 'has next links to the next page', clause: byAccess('D1', 'S13, S19'),
    lacks: 'needs a second page'
  },
  {
    id: 'walk', claim: 'has every record once along its next links', clause: byAccess('D1', 'S10'), lacks: noPages
  },
  { id: 'count', claim: 'counts its records', clause: byAccess('D1', 'F14'), lacks: noPages },
  { id: 'previous', claim: 'leads from each page to the one before', clause: byAccess('D1', 'F14'), lacks: noPages },
  { id: 'pages', claim: 'has links to its own origin', clause: byAccess('D1', 'F14'), lacks: noPages },
  {
    id: 'numbers', claim: 'has no page after the last', clause: byAccess('D1', 'F15'),
    lacks: noPages
  },
  { id: 'page-size', claim: 'obeys page_size, or ignores it', clause: 'D3' },
  { id: 'format-json', claim: 'gives JSON with format=json', clause: 'F3' },
  { id: 'query/unknown', claim: 'ignores unknown parameters', clause: 'F19' },
  { id: 'token/public', claim: 'ignores a token', clause: 'D26', of: resource => !isOfV2(resource) },
  { id: 'filters', claim: 'filters as stated', clause: 'D36', of: isOfV2 }
]

/** Returns the check that compares the records of a request. */
function claimOf (choice: Choice, { access, sortable }: Resource): string {
  const { token, ordering, accept } = choice
  if (token !== undefined) return 'token/public'
  if ('filter' in choice || 'range' in choice) return 'filters'
  const isOrdered = readOrdering(ordering, sortable).length > 0
  if (isOrdered) return access === 'token' ? 'ordering' : `ordering/${ordering}`
  if (ordering !== undefined) return 'ordering/unknown'
  if ('unknown' in choice) return 'query/unknown'
  if ('format' in choice) return 'format-json'
  if ('size' in choice) return 'page-size'
  if (accept !== undefined && looseAccepts.includes(accept)) return 'accept'
  return 'page' in choice ? 'walk' : 'again'
}

/** The ids that a query selects, in order. Those of the same rank may come in any order. */
type Selected = { ids: readonly string[], ranks: readonly number[] }

/** A list as it was read, which says what its other requests must give. */
type Reference = Session & {
  /** The response to the plain request. */
  plain: Reading
  /** Whether all records are known. */
  isKnown: boolean
  /** Returns the records that a query selects, without pages; undefined for an invalid filter. */
  select: (query: URLSearchParams) => Selected | undefined
  /** Returns the values of a field by the id of a record. */
  valuesOf: (field: string) => ReadonlyMap<string, Value>
  /** Returns the order in which a service sorts by a field. */
  orderOf: (field: string) => ServedOrder
}

/** Returns the first series of the whole list, as an array or along its links. */
export function wholeOf ({ seriesByChoice }: Pick<Session, 'seriesByChoice'>): Series | undefined {
  const series = [{}, { page: '1' }].map(choice => seriesByChoice.get(keyOf(choice)))
  return series.find(one => one?.isWhole)
}

function createReference (session: Session, plain: Reading): Reference {
  const { resource } = session
  const lists = [...session.readings.values()].filter(reading => isListed(reading) && isForJson(reading))
  const whole = wholeOf(session)
  const ids = whole === undefined ? [] : idsIn(whole)
  const columns = memoise(field => valuesIn(whole as Series, field)) // is only asked of a whole list
  const valuesOf = memoise(field => new Map(ids.map((id, position) => [id, columns(field)[position] as Value])))
  const orderOf = (field: string) => {
    const known = session.orders.get(field)
    if (known !== undefined) return known
    const all: Sorted[] = []
    for (const series of session.seriesByChoice.values()) {
      const { ordering } = series.choice
      if (ordering?.replace('-', '') !== field || !isForJson(series.first) || !isListed(series.first)) continue
      const values = idsIn(series).map(id => valuesOf(field).get(id) ?? null)
      all.push({ values, isDescending: ordering !== field })
    }
    const order = findOrder(all, field === 'title')
    session.orders.set(field, order)
    return order
  }
  const ranks = memoise(field => rank(columns(field), orderOf(field).compare))
  const table = { ...createTable([...ids.keys()], field => position => columns(field)[position] as Value), ranks }
  const isStable = lists.every(({ choice, form, ids, index }) => {
    const isPlain = queryOf(choice) === '' && choice.token === undefined && index === 0 && form === plain.form
    return !isPlain || ids.join() === plain.ids.join()
  })

  const selectBy = memoise((text): Selected | undefined => {
    const query = new URLSearchParams(text)
    const conditions = readFilters(presentFilters(query, resource.filters), resource.filters)
    if (!Array.isArray(conditions)) return undefined
    const terms = readOrdering(lastValue(query, 'ordering'), resource.sortable)
    const used = [...terms.map(({ field }) => field), ...conditions.flatMap(({ fields }) => fields)]
    if (used.some(field => session.changing.has(field))) return undefined
    const positions = filterPositions(table, orderPositions(table, terms), conditions)
    const keyAt = (position: number) =>
      terms.length === 0 ? String(position) : terms.map(({ field }) => ranks(field)[position]).join()
    const ranksOfAll: number[] = []
    let before = ''
    for (const [index, position] of positions.entries()) {
      const key = terms.length > 0 || isStable ? keyAt(position) : ''
      const isTie = index > 0 && key === before
      ranksOfAll.push(isTie ? ranksOfAll[index - 1] as number : index)
      before = key
    }
    return { ids: positions.map(position => ids[position] as string), ranks: ranksOfAll }
  })
  const select = (query: URLSearchParams) => {
    const own = new URLSearchParams([...query].filter(([name]) => name === 'ordering' || name in resource.filters))
    return selectBy(own.toString())
  }
  return { ...session, plain, isKnown: whole !== undefined, select, valuesOf, orderOf }
}

/** Returns whether a query would select other records, or in another order, without a parameter. */
function isObeyed ({ select }: Reference, query: URLSearchParams, name: string): boolean {
  const others = new URLSearchParams(query)
  others.delete(name)
  return select(query)?.ids.join() !== select(others)?.ids.join()
}

/** The number of the first page, as sent. */
const firstOf = ({ facts }: Reference) => facts.pages[0] ?? '1'

/** Returns the number of a page, as sent; undefined for one that a link without its number leads to. */
function numberOf (reference: Reference, { query, index }: Reading): string | undefined {
  const first = firstOf(reference)
  const number = lastValue(query, 'page') ?? (index === 0 ? first : '')
  const isRepeated = index > 0 && number === first // by a link that has an offset, too
  return /^\d+$/.test(number) && !isRepeated ? number : undefined
}

/**
 * Returns the page that a response should be; undefined if there is none. A `page_size` may be obeyed, ignored, or cut
 * to a maximum.
 */
function pageOf (reference: Reference, { query, ids }: Reading, count: number, number: string): ListPage | undefined {
  const usual = reference.facts.pageSize
  const position = String(Number(number) - Number(firstOf(reference)) + 1)
  const size = lastValue(query, 'page_size')
  const pages = [findPage(count, position, size, usual)]
  if (size !== undefined) pages.push(findPage(count, position, undefined, usual))
  const isCut = Number(size) > maxPageSize && position === '1' && ids.length >= usual
  if (isCut) pages.push(findPage(count, position, size, usual, ids.length))
  const hasLength = (page: ListPage | undefined) => page && Math.min(page.size, count - page.start) === ids.length
  return pages.find(hasLength) ?? pages[0]
}

/** A difference, with the check that reports it. */
type Judged = { id: string, differences: readonly Found[] }

/** Judges the responses of a session by the list that they belong to. */
export function judgeReadings (session: Session, plain: Reading): void {
  const reference = createReference(session, plain)
  const wrongAlone = new Set<string>()
  const sizeOf = ({ choice }: Reading) => Object.keys(choice).length
  const all = [...session.readings].sort(([, one], [, other]) => sizeOf(one) - sizeOf(other))
  for (const [key, reading] of all) {
    if (!isForJson(reading) || reading.choice.accept?.includes('html')) continue
    const values = Object.entries(reading.choice).map(value => value.join('='))
    // What the specification doesn't state, and is another way alone, is no failure of others.
    const isDoubtful = values.length > 1 && values.some(value => wrongAlone.has(value))
    for (const { id, differences } of judgeReading(reference, reading)) {
      const isUnstated = unstatedDimensions.some(dimension => dimension in reading.choice)
      if (differences.length > 0 && values.length === 1 && isUnstated) wrongAlone.add(values.join())
      const found = isDoubtful ? differences.map(asDoubtful) : differences
      report(session, `${session.resource.key}/${id}`, found, { ...reading, key })
    }
  }
}

const asDoubtful = (found: Found): Found => ({ ...found, isDoubtful: true })

/** Compares a response with what is expected of its request. */
function judgeReading (reference: Reference, reading: Reading): Judged[] {
  const { resource, facts, plain, select } = reference
  const { choice, form, ids, status, page, query, index } = reading
  const claim = claimOf(choice, resource)
  const row = expectations.find(({ id }) => id === claim)
  const isClaimStated = row === undefined || isStated(checkOf(resource, row).source)
  const isPaged = query.has('page') || query.has('page_size')
  const selected = reference.isKnown ? select(query) : undefined
  const number = numberOf(reference, reading)
  const isOfPages = form === 'page' || (query.has('page') && facts.pages.length > 0)
  const isPlaced = isOfPages && selected !== undefined && number !== undefined && facts.pageSize > 0
  const place = isPlaced ? pageOf(reference, reading, selected.ids.length, number) : undefined
  const isBeyond = isPlaced && place === undefined
  if (isBeyond && index === 0) {
    const got = ids.length === 0 ? String(status) : `${status}, ${ids.length} records`
    const found = expect(status === 404, `404 for page ${number}`, got)
    return [{ id: isClaimStated || claim === 'walk' ? 'numbers' : claim, differences: found }]
  }
  if (!isListed(reading)) {
    if (isClaimStated || Object.keys(choice).length > 1) return []
    return [{ id: claim, differences: difference('200 with a list', String(status)) }]
  }
  const judged: Judged[] = []
  if (choice.ordering === undefined && choice.token === undefined) {
    judged.push({ id: 'default-order', differences: judgeDefaultOrder(ids) })
  }
  if (form === 'array' && isOfPages) {
    return [...judged, { id: 'envelope', differences: difference(envelopeFields.join(', '), 'a plain array') }]
  }
  if (!isPaged && index === 0 && form !== plain.form) {
    return [...judged, { id: claim, differences: difference(`the form "${plain.form}"`, `"${form}"`) }]
  }
  const isWhole = form === 'page' ? place !== undefined : isWholeArray(reading)
  let differences: readonly Found[] = []
  if (isBeyond) {
    const got = `${ids.length} records on page ${number}`
    const id = isClaimStated ? 'walk' : claim
    return [...judged, { id, differences: expect(ids.length === 0, 'no records after the last page', got) }]
  }
  if (selected !== undefined && isWhole) {
    const { start, size } = place ?? { start: 0, size: selected.ids.length }
    differences = judgeRecords(reference, reading, selected, start, start + size)
    judged.push({ id: claim, differences })
  }
  if (page !== undefined) judged.push(...judgePage(reference, reading, page, differences.length === 0, place))
  return judged
}

function judgeDefaultOrder (ids: readonly string[]): readonly Found[] {
  const numbers = ids.map(id => Number(id.replaceAll('"', '')))
  const index = numbers.findIndex((id, index) => index > 0 && Number(numbers[index - 1]) > id)
  return expect(index < 0, 'id ascending', `${ids[index - 1]} before ${ids[index]}`)
}

/** Judges the records of a response by those that its request selects, from `start` to before `end`. */
function judgeRecords (
  reference: Reference, { choice, query, ids }: Reading, selected: Selected, start: number, end: number
): readonly Found[] {
  const { resource, plain, orderOf, valuesOf } = reference
  const [term] = readOrdering(lastValue(query, 'ordering'), resource.sortable)
  if (term !== undefined) {
    const { field, descending: isDescending } = term
    const values = ids.map(id => valuesOf(field).get(id) ?? null)
    const { compare, alphabetical } = orderOf(field)
    const wrong = misplacedBy(alphabetical, { values, isDescending })
    if (wrong !== undefined) {
      const isDefault = ids.join() === plain.ids.slice(0, ids.length).join()
      const got = isDefault ? 'the default order' : wrong.map(shown).join(' before ')
      const isDoubtful = misplacedBy(compare, { values, isDescending }) === undefined
      const direction = isDescending ? 'descending' : 'ascending'
      const found = difference(`${field} ${direction}, ignoring case`, got)
      return isDoubtful ? found.map(asDoubtful) : found
    }
  }
  const wanted = selected.ids.slice(start, end)
  if (wanted.join() === ids.join()) return []
  const left = new Map<string, number>()
  for (const [index, id] of selected.ids.entries()) {
    const key = `${selected.ranks[index]} ${id}`
    left.set(key, (left.get(key) ?? 0) + 1)
  }
  const wrong = ids.findIndex((id, index) => {
    const key = `${selected.ranks[start + index]} ${id}`
    const count = left.get(key) ?? 0
    left.set(key, count - 1)
    return count <= 0
  })
  if (wrong < 0 && ids.length === wanted.length) return []
  const missing = wanted.find(id => !ids.includes(id))
  const added = ids.find(id => !wanted.includes(id))
  const got = [counted(ids.length, 'record')]
  if (missing !== undefined) got.push(`without record ${missing}`)
  if (added !== undefined) got.push(`with record ${added}`)
  if (got.length === 1) got.push(`record ${ids[wrong]} in place of record ${wanted[wrong]}`)
  const expected = `${counted(wanted.length, 'record')} of ${resource.path}${queryOf(choice)}`
  return difference(expected, got.join(', '), { kind: 'records' })
}

/** The number of a page in its URL; that of the last parameter, as services that append one take it. */
function numberIn (url: URL | undefined): number | undefined {
  const text = lastOf(url, 'page') ?? ''
  return /^\d+$/.test(text) ? Number(text) : undefined
}

/** Judges the envelope of a page, and its links if its records are right. */
function judgePage (
  reference: Reference, reading: Reading, page: JsonObject, isRight: boolean, place: ListPage | undefined
): Judged[] {
  const { base, path } = reference
  const { choice, ids } = reading
  const names = Object.keys(page)
  if (!envelopeFields.every(field => names.includes(field))) {
    return [{ id: 'envelope', differences: difference(envelopeFields.join(', '), names.join(', ')) }]
  }
  const { next, previous, count } = page
  const odd = [next, previous].find(link => link !== null && urlOf(link) === undefined)
  // The specification says "string URL", which may be relative.
  const doubt = listLink(odd, path, base) === undefined ? {} : { isDoubtful: true as const }
  const foreign = [next, previous].find(link => (urlOf(link)?.origin ?? base.origin) !== base.origin)
  const envelope = [
    ...expect(odd === undefined, 'a URL or null as next and previous', shown(odd), doubt),
    ...expect(Number.isInteger(count) && Number(count) >= 0, 'an integer as count', shown(count))
  ]
  const judged: Judged[] = [
    { id: 'envelope', differences: envelope },
    { id: 'pages', differences: expect(foreign === undefined, `links that begin with ${base.origin}`, shown(foreign)) }
  ]
  const own = Number(numberOf(reference, reading))
  if (!isRight || Number.isNaN(own) || 'token' in choice) return judged
  if (typeof next === 'string' && next !== '') {
    judged.push({ id: 'links', differences: judgeLink(reference, reading, 'next', own + 1, place) })
  }
  const isFirst = own <= Number(firstOf(reference))
  judged.push({
    id: 'previous',
    differences: isFirst
      ? expect(previous === null, 'previous null on the first page', shown(previous))
      : judgeLink(reference, reading, 'previous', own - 1, place)
  })
  if (place === undefined) return judged
  const left = place.count - place.start - ids.length
  const isRightCount = typeof count !== 'number' || count === place.count
  judged.push(
    { id: 'count', differences: expect(isRightCount, `count ${place.count}`, `count ${shown(count)}`) },
    { id: 'walk', differences: expect(left <= 0 || next !== null, 'a next link', `null, ${left} records are left`) }
  )
  return judged
}

/** Judges the link to a page: its path, its number and the parameters that affect the response. */
function judgeLink (
  reference: Reference, { page, query }: Reading, name: 'next' | 'previous', number: number,
  place: ListPage | undefined
): readonly Found[] {
  const { path, base, isKnown, resource } = reference
  const link = page?.[name]
  const url = listLink(link, path, base)
  const isOfFirst = number === Number(firstOf(reference))
  const isUnnumbered = isOfFirst && lastOf(url, 'page') === undefined
  const isNeighbour = url !== undefined && (isUnnumbered || numberIn(url) === number)
  const kept: string[] = []
  for (const parameter of new Set(query.keys())) {
    if (parameter === 'page') continue
    const sent = lastValue(query, parameter)
    const isSize = parameter === 'page_size' && place?.size === Number(sent)
    const isStatedOrder = parameter === 'ordering' && resource.sortable.includes(String(sent).replace('-', ''))
    if (isSize || (isKnown ? isObeyed(reference, query, parameter) : isStatedOrder)) kept.push(parameter)
  }
  const lost = kept.find(parameter => lastOf(url, parameter) !== lastValue(query, parameter))
  const parameters = kept.map(parameter => ` and ${parameter}=${lastValue(query, parameter)}`)
  const pages = `page=${number}${isOfFirst ? ', or none for the first' : ''}`
  const expected = `an absolute URL of ${path} with ${pages}${parameters.join('')}`
  const kind = lost === undefined ? name : `${name} without ${lost}`
  const found = expect(isNeighbour && lost === undefined, expected, shown(link), { kind })
  return isNeighbour && lost === 'page_size' ? found.map(asDoubtful) : found // the specification has no page_size
}
