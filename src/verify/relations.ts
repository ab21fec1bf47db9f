import {
  invalidOrdering, keyOf, looseAccepts, pageBeyond, queryOf, unsortableField, yearFilter, type Choice, type Dimension
} from '../service/plan.ts'
import { isListed } from '../service/read.ts'
import { resources, type Resource } from '../lists/resources.ts'
import type { Value } from '../lists/table.ts'
import { byAccess, difference, expect, type CheckRow, type Found } from './check.ts'
import { findMisplaced, type Misplaced } from './collations.ts'
import {
  idsIn, isForJson, shown, valuesIn, type Reading, type Series, type Session
} from './exchange.ts'
import { hasTooMany, maxPages } from './requests.ts'

/** A list, with what its relations compare it with. */
export type Related = Session & {
  /** The series of the plain request. */
  plain: Series
  /** The bikes of version 1; undefined if none of their checks is run. */
  bikes: Session | undefined
  /** The lists that were judged before this one, by `contentKey`. */
  listsByContent: ReadonlyMap<string, Resource>
}

/** The differences from a claim; a string is the reason why it can't be judged. */
export type Verdict = readonly Found[] | string

/** A claim that relates several responses to one another, perhaps to requests of its own. */
export type Relation = CheckRow & {
  needs?: 'probe-writes'
  /** Whether it is judged once: another response to the same request does not excuse the first. */
  isFinal?: true
  relate: (related: Related) => Verdict | Promise<Verdict>
}

const unreadPages = `needs every page of the list, at most ${maxPages}`

const needsBikes = 'needs /api/v1/bikes/'

const inOrder = (ids: readonly string[]) => [...ids].sort().join()
const haveSameIds = (a: readonly string[], b: readonly string[]) => a.length === b.length && inOrder(a) === inOrder(b)

const summary = (ids: readonly string[]) => `${ids.length} records, ${shown(ids.join())}`

const seriesOf = ({ seriesByChoice }: Session, choice: Choice) => seriesByChoice.get(keyOf(choice))

/** Returns the lists among the series. */
function listsIn ({ seriesByChoice }: Session): Series[] {
  return [...seriesByChoice.values()].filter(({ first }) => isForJson(first) && isListed(first))
}

/** Returns whether a list comes in the same order in all responses to the plain request. */
function isStable (related: Related): boolean {
  const { form, ids } = related.plain.first
  for (const { choice, first } of listsIn(related)) {
    const isPlain = queryOf(choice) === '' && choice.token === undefined && first.form === form
    if (isPlain && first.ids.join() !== ids.join()) return false
  }
  return true
}

/** The checks that compare records with those of the plain list, by the dimension that must not change them. */
type SameAs = 'token' | 'ordering' | 'unknown' | 'format' | 'size' | 'again'

/** Returns the check that compares the records of a request; undefined where others judge them. */
function claimOf (choice: Choice): SameAs | undefined {
  if (isSelection(choice) || looseAccepts.includes(choice.accept ?? '')) return undefined
  if (choice.token !== undefined) return 'token'
  if (choice.ordering === invalidOrdering) return 'ordering'
  const claims = ['unknown', 'format', 'size'] as const
  return claims.find(claim => claim in choice) ?? 'again'
}

/** Returns whether a request selects some of the records. */
const isSelection = (choice: Choice) => 'filter' in choice || 'range' in choice

/** Returns a judge of requests that must have the records of the plain one: all of an array, or the same page. */
const sameRecords = (claim: SameAs): Relation['relate'] => related => judgeSame(related, claim)

function judgeSame (related: Related, claim: SameAs): readonly Found[] {
  const found: Found[] = []
  for (const { choice, first } of related.seriesByChoice.values()) {
    if (!isForJson(first) || claimOf(choice) !== claim) continue
    const { status, request } = first
    if (isListed(first)) found.push(...judgeRecords(related, first))
    else if (claim !== 'again' && Object.keys(choice).length === 1) {
      found.push(...difference('200 with a list', String(status), { request }))
    }
  }
  return found
}

/** Returns the ordering of a request; undefined without one, and for an invalid one, which is ignored. */
const validOrdering = ({ ordering }: Choice) => ordering === invalidOrdering ? undefined : ordering

/** Returns the same query with no other headers, unknown parameter or format. */
export function plainestOf (choice: Choice): Choice {
  const { page, size } = choice
  const ordering = validOrdering(choice)
  const plainest: Partial<Record<Dimension, string>> = {}
  if (ordering !== undefined) plainest.ordering = ordering
  if (page !== undefined) plainest.page = page
  if (size !== undefined) plainest.size = size
  return plainest
}

/** Judges the records of a list by those of the same query in its plainest form, or else by its place in the list. */
function judgeRecords (related: Related, reading: Reading): readonly Found[] {
  const { resource, facts, plain } = related
  const { choice, form, ids, request } = reading
  const isBeyond = 'page' in choice && choice.page === pageBeyond(facts)
  if (isBeyond) return []
  const plainest = seriesOf(related, plainestOf(choice))?.first
  if (plainest === reading) return judgeSize(related, reading)
  const isOfPage = 'page' in choice || 'size' in choice
  const plainForm = plain.first.form
  if (!isOfPage && form !== plainForm) return difference(`the form "${plainForm}"`, `"${form}"`, { request })
  if (plainest?.form !== form) return judgeSlice(related, reading)
  if (isSameSelection(related, reading, plainest)) return judgeUnknownOrder(related, reading)
  const expected = `the records of ${resource.path}${queryOf(plainest.choice)}`
  return difference(expected, summary(ids), { request })
}

/** Returns whether two responses have the same records: only as many if the order of their pages is not determined. */
function isSameSelection (related: Related, reading: Reading, plainest: Reading): boolean {
  const { choice, form, ids } = reading
  // In a page, records may be others if the list has no order, or equal values of an ordering.
  const isLoose = form === 'page' && (choice.ordering !== undefined || !isStable(related))
  if (isLoose) return plainest.ids.length === ids.length
  return haveSameIds(plainest.ids, ids)
}

/** Judges the number of records for a `page_size`: as many as it says, or at least as many as without it. */
function judgeSize (related: Related, reading: Reading): readonly Found[] {
  const { choice, ids, request } = reading
  const { page, size } = choice
  const usual = seriesOf(related, page === undefined ? {} : { page })?.first.size
  const whole = wholeOf(related)
  if (size === undefined || usual === undefined || whole === undefined) return []
  const isObeyed = ids.length === Math.min(Number(size), whole.length)
  const expected = `${size} records, or ${usual} as without page_size`
  const found = expect(isObeyed || ids.length >= usual, expected, `${ids.length} records`, { request })
  return [...found, ...judgeSlice(related, reading)]
}

/** Judges an order by a field that the list does not know: it is the same, however else the request is sent. */
function judgeUnknownOrder (related: Related, reading: Reading): readonly Found[] {
  const { choice, form, ids, request } = reading
  const { ordering = '', page, size } = choice
  if (ordering === '' || related.resource.sortable.includes(ordering.replace('-', ''))) return []
  const others = judgeKnown(related, reading)
  const other = seriesOf(related, page === undefined ? { ordering } : { ordering, page })?.first
  if (others.length > 0 || size !== undefined || other?.form !== form || !isStable(related)) return others
  const isSame = other.ids.join() === ids.join()
  return expect(isSame, `the order of ${other.request.target}`, summary(ids), { request })
}

/** Judges whether all records are those of the list. */
function judgeKnown (related: Related, { ids, request }: Reading): readonly Found[] {
  const whole = wholeOf(related)
  const all = new Set(whole)
  if (whole === undefined || all.size < whole.length || !isStable(related)) return []
  const other = ids.find(id => !all.has(id))
  return expect(other === undefined, `records of ${related.resource.path}`, `record ${other}`, { request })
}

/** Judges a page of which only the position is known: its records are neighbours in the list, or at least in it. */
function judgeSlice (related: Related, reading: Reading): readonly Found[] {
  const { resource: { path }, facts } = related
  const { choice, ids, request } = reading
  const whole = wholeOf(related)
  const others = judgeKnown(related, reading)
  if (whole === undefined || others.length > 0 || !isStable(related)) return others
  if (ids.length === 0 || validOrdering(choice) !== undefined) return []
  const { page } = choice
  const isFirst = page === undefined || facts.pages.indexOf(page) <= 0
  return expect(isSlice(ids, whole, isFirst), `page ${page ?? 1} of ${path}`, summary(ids), { request })
}

/** Returns whether records of a list are neighbours in it: from its start for the first page, after it for another. */
function isSlice (ids: readonly string[], whole: readonly string[], isFirst: boolean): boolean {
  const start = whole.indexOf(String(ids[0]))
  if ((start === 0) !== isFirst) return false
  const slice = whole.slice(start, start + ids.length)
  return slice.join() === ids.join()
}

/** Returns all ids in their default order; undefined if they were not all read. */
function wholeOf (related: Related): readonly string[] | undefined {
  const series = [related.plain, seriesOf(related, { page: '1' })].find(series => series?.isWhole)
  return series && idsIn(series)
}

/** Judges whether the links of each request lead to every page once, to `count` records, and to all of the list. */
function relateWalk (related: Related): Verdict {
  const paged = listsIn(related).filter(({ first }) => first.form === 'page' && first.choice.token === undefined)
  if (paged.length === 0) return 'needs a list in pages'
  const found = paged.flatMap(judgePages)
  if (found.length > 0) return found
  const walks = paged.filter(isPlainWalk)
  if (!walks.some(({ isWhole }) => isWhole)) return unreadPages
  const all = new Set(walks.flatMap(idsIn))
  const wrong = walks.find(series => isWrongWalk(series, all.size))
  // In a list without an order, pages may repeat a record.
  const isRight = wrong === undefined || !isStable(related)
  if (isRight) return judgeCounts(related, walks.flatMap(({ pages }) => pages))
  const got = `${summary(idsIn(wrong))}, on ${wrong.pages.length} pages`
  return difference(summary([...all]), got, { request: wrong.first.request })
}

const isFromFirst = ({ choice: { page } }: Series) => page === undefined || page === '1'

/** Returns whether pages are those of the whole list in its default order and page size. */
function isPlainWalk (series: Series): boolean {
  const { choice } = series
  return isFromFirst(series) && !isSelection(choice) && !('ordering' in choice || 'size' in choice)
}

/** Returns whether pages repeat a record, or lack one of the list. */
function isWrongWalk (series: Series, total: number): boolean {
  const ids = idsIn(series)
  return new Set(ids).size < ids.length || (series.isWhole && ids.length < total)
}

function judgePages (series: Series): readonly Found[] {
  const { pages, isWhole, first: { request } } = series
  const size = idsIn(series).length
  const counts = pages.map(({ page }) => page?.['count'])
  if (hasTooMany(pages)) {
    const got = `${size} records on ${pages.length} pages, and count ${shown(counts[0])}`
    return difference('next links that lead to every page once', got, { request })
  }
  const wrong = counts.find(count => isWhole && typeof count === 'number' && count !== size)
  return expect(wrong === undefined, 'count of all records', `count ${wrong}, ${size} records`, { request })
}

/** Judges the pages that were requested alone. */
function judgeCounts (related: Related, known: readonly Reading[]): readonly Found[] {
  const whole = wholeOf(related)
  if (whole === undefined) return []
  const found: Found[] = []
  for (const { first } of listsIn(related)) {
    const isOther = isSelection(first.choice) || first.choice.token !== undefined
    if (!isOther && !known.includes(first)) found.push(...judgeCount(related, first, whole.length))
  }
  return found
}

/** Judges the count of a page, and whether it has a next one if records are left. */
function judgeCount (related: Related, reading: Reading, total: number): readonly Found[] {
  const { page, request } = reading
  if (page === undefined) return []
  const { count, next } = page
  const isRight = typeof count !== 'number' || count === total
  const left = recordsAfter(related, reading, total)
  const isCut = left > 0 && typeof next !== 'string'
  return [
    ...expect(isRight, `count ${total}`, `count ${shown(count)}`, { request }),
    ...expect(!isCut, 'a next link', `${shown(next)}, ${left} records are left`, { request })
  ]
}

/** Returns the number of records after a page; 0 where its position is not known. */
function recordsAfter (related: Related, { choice, size }: Reading, total: number): number {
  const { pages, pageSize } = related.facts
  const index = choice.page === undefined ? 0 : pages.indexOf(choice.page)
  if (index < 0) return 0
  const first = 'size' in choice ? seriesOf(related, { page: '1', size: choice.size })?.first : undefined
  const before = index * (first?.size ?? pageSize)
  return total - before - size
}

/** Judges an ordering such as `title` or `-title`, and its pages. For version 2.1, one field stands for all. */
const orderingOf = (term: string): Relation => ({
  id: `ordering/${term}`,
  claim: `sorts by ${term}`,
  clause: ({ key, access }) => access === 'token' ? 'D38' : `S13, ${key === 'bikes' ? 'S14' : 'S15'}`,
  of: ({ sortable, access }) => sortable.includes(term.replace('-', '')) && (access === 'public' || term === 'title'),
  relate: related => relateOrdering(related, term)
})

function relateOrdering (related: Related, term: string): Verdict {
  const { resource, plain } = related
  const field = term.replace('-', '')
  const terms = resource.access === 'token' ? [field, `-${field}`] : [term]
  const isOfTerms = ({ ordering = '', token }: Choice) => token === undefined && terms.includes(ordering)
  const lists = listsIn(related).filter(({ choice }) => isOfTerms(choice))
  if (lists.length === 0) return 'needs a list'
  const orders = lists.map(series => {
    const isDescending = series.choice.ordering !== field
    return { values: valuesIn(series, field), isDescending }
  })
  const wrong = findMisplaced(orders, field === 'title')
  if (wrong !== undefined) return misplaced(plain, lists[wrong.index] as Series, wrong)
  const walked = lists.filter(isOrderedWalk)
  if (!walked.some(({ isWhole }) => isWhole)) return unreadPages
  return walked.flatMap(series => judgeOrdered(plain, series, field))
}

/** Returns whether a series has all pages of an ordering, and no other dimension. */
function isOrderedWalk (series: Series): boolean {
  const names = Object.keys(series.choice)
  return isFromFirst(series) && names.every(name => ['ordering', 'page', 'repetition'].includes(name))
}

function misplaced (plain: Series, series: Series, { values, isConsistent }: Misplaced): readonly Found[] {
  const { choice: { ordering = '' }, first: { request } } = series
  const field = ordering.replace('-', '')
  const direction = field === ordering ? 'ascending' : 'descending'
  const ids = idsIn(series)
  const defaultIds = idsIn(plain).slice(0, ids.length)
  const isDefault = ids.join() === defaultIds.join()
  const got = isDefault ? 'the default order' : values.map(shown).join(' before ')
  const found = difference(`${field} ${direction}, ignoring case`, got, { request })
  return isConsistent && !isDefault ? found.map(one => ({ ...one, isDoubtful: true })) : found
}

/** Judges whether an ordering has the records of the list. Pages may repeat or lack records with equal values. */
function judgeOrdered (plain: Series, series: Series, field: string): readonly Found[] {
  const { isWhole, first: { request, form } } = series
  if (!isWhole || !plain.isWhole) return []
  const ids = idsIn(series)
  const idsOfPlain = idsIn(plain)
  const values = (one: Series) => inOrder(valuesIn(one, field).map(shown))
  const isSame = form === 'page' ? values(series) === values(plain) : haveSameIds(ids, idsOfPlain)
  const missing = idsOfPlain.filter(id => !ids.includes(id))
  const added = ids.filter(id => !idsOfPlain.includes(id))
  const got = `${ids.length} records, missing: ${shown(missing.join())}, added: ${shown(added.join())}`
  return expect(isSame, `the same ${idsOfPlain.length} records in another order`, got, { request })
}

/** Judges a filter of version 2.1, which stands for all of them. */
function relateFilter (related: Related): Verdict {
  const { plain } = related
  const filtered = seriesOf(related, { filter: yearFilter })
  if (filtered === undefined) return 'needs a list'
  const { request, status } = filtered.first
  if (!isListed(filtered.first)) return difference('200 with a list', String(status), { request })
  if (!plain.isWhole || !filtered.isWhole) return unreadPages
  const yearsOf = (series: Series) => valuesIn(series, 'year').map(Number).sort()
  const firstYear = Number(yearFilter.split('=')[1])
  const wanted = yearsOf(plain).filter(year => year >= firstYear)
  const isSame = wanted.join() === yearsOf(filtered).join()
  return expect(isSame, `${wanted.length} records with ${yearFilter}`, summary(idsIn(filtered)), { request })
}

/** Judges the order of the ids, where no ordering is sent. */
function relateDefaultOrder (related: Related): Verdict {
  const isDefault = ({ choice }: Series) => choice.ordering === undefined && choice.token === undefined
  return listsIn(related).filter(isDefault).flatMap(judgeIds)
}

function judgeIds (series: Series): readonly Found[] {
  const ids = valuesIn(series, 'id')
  const isLower = (id: Value, index: number) => index > 0 && Number(ids[index - 1]) > Number(id)
  const index = ids.findIndex(isLower)
  const before = shown(ids[index - 1])
  const got = `${before} before ${shown(ids[index])}`
  return expect(index < 0, 'id ascending', got, { request: series.first.request })
}

/** Judges whether an invalid ordering is ignored; another order than the default one is no failure. */
function relateInvalidOrdering (related: Related): Verdict {
  const found = [...judgeSame(related, 'ordering')]
  const unsortable = seriesOf(related, { ordering: unsortableField(related.resource) })?.first
  if (unsortable !== undefined && !isListed(unsortable)) {
    const { request, status } = unsortable
    found.push(...difference('200 with a list', String(status), { request }))
  }
  const series = seriesOf(related, { ordering: invalidOrdering })
  const isOrdered = judgeIds(related.plain).length === 0
  return found.length > 0 || series === undefined || !isOrdered ? found : judgeIds(series)
}

/** Judges the page after the last one. */
function relateNumbers (related: Related): Verdict {
  const { facts } = related
  const page = pageBeyond(facts)
  const beyond = page === undefined ? undefined : seriesOf(related, { page })?.first
  if (beyond === undefined) return 'needs a list in pages'
  if (wholeOf(related) === undefined) return unreadPages
  const { size, status, ids, request } = beyond
  const got = size === 0 ? String(status) : `${status}, ${summary(ids)}`
  return expect(status === 404, `404 for page ${page}`, got, { request })
}

/** Returns the series of all bikes of version 1; undefined if it was not read. */
const plainBikes = ({ bikes }: Related) => bikes?.seriesByChoice.get(keyOf({}))

/** Judges whether the featured list has every featured bike. */
function relateFeatured (related: Related): Verdict {
  const { plain, resource: { path } } = related
  const all = plainBikes(related)
  const sample = related.bikes?.sample
  if (all === undefined) return needsBikes
  if (!plain.isWhole || sample === undefined || !all.isWhole) return unreadPages
  if (sample.size < idsIn(all).length) return unreadPages
  const listed = new Set(idsIn(plain))
  const missing: string[] = []
  for (const [id, bike] of sample) {
    if (bike['is_featured'] === true && !listed.has(id)) missing.push(id)
  }
  const { request } = plain.first
  return expect(missing.length === 0, `every featured bike in ${path}`, `none of ${shown(missing.join())}`, { request })
}

/** Returns the records of a list as a key that another list has only if it is a copy. */
export const contentKey = ({ sample }: Pick<Session, 'sample'>) => JSON.stringify([...sample.values()])

const isOfBikes = ({ key }: Resource) => ['bikes', 'featured', 'bikesV2'].includes(key)

/** Judges whether another list has the same records. */
function relateCopies (related: Related): Verdict {
  const { size, request } = related.plain.first
  const original = related.listsByContent.get(contentKey(related)) ?? related.resource
  const isCopy = size > 0 && original !== related.resource
  return expect(!isCopy, 'records of its own', `those of ${original.path}`, { request })
}

function relateSuperset (related: Related): Verdict {
  const { plain } = related
  const bikes = plainBikes(related)
  if (bikes === undefined) return needsBikes
  if (!isListed(bikes.first) || !plain.isWhole) return unreadPages
  const ids = idsIn(plain)
  const { request } = plain.first
  return expect(haveSameIds(ids, idsIn(bikes)), 'the records of /api/v1/bikes/', summary(ids), { request })
}

const isOfV2 = ({ access }: Resource) => access === 'token'

const sortedFields = new Set(resources.filter(resource => !isOfV2(resource)).flatMap(({ sortable }) => sortable))
const terms = [...sortedFields].flatMap(field => [field, `-${field}`])

/** Every relation, in the order of a list's report. */
export const relations: readonly Relation[] = [
  { id: 'again', claim: 'gives the same records when asked again', clause: 'S3', relate: sameRecords('again') },
  {
    id: 'default-order', claim: 'comes in ascending id order', clause: ({ key }) => key === 'chains' ? 'S16' : 'D5',
    relate: relateDefaultOrder
  },
  ...terms.map(orderingOf),
  { id: 'ordering/unknown', claim: 'ignores an invalid ordering', clause: 'F9', relate: relateInvalidOrdering },
  {
    id: 'paged', claim: 'gives a page for ?page=1', clause: 'D1',
    relate: related => {
      const { form, request, status } = (seriesOf(related, { page: '1' }) as Series).first
      const got = form === 'array' ? 'a plain array' : String(status)
      return expect(form === 'page', 'count, next, previous, results', got, { request })
    }
  },
  {
    id: 'walk', claim: 'has every record once along its next links', clause: byAccess('D1', 'S10'),
    relate: relateWalk
  },
  {
    id: 'numbers', claim: 'has no page after the last', clause: byAccess('D1', 'F15'),
    relate: relateNumbers
  },
  { id: 'page-size', claim: 'obeys page_size, or ignores it', clause: 'D3', relate: sameRecords('size') },
  { id: 'format-json', claim: 'gives JSON with format=json', clause: 'F3', relate: sameRecords('format') },
  { id: 'query/unknown', claim: 'ignores unknown parameters', clause: 'F19', relate: sameRecords('unknown') },
  {
    id: 'token/public', claim: 'ignores a token', clause: 'D26',
    of: resource => !isOfV2(resource),
    relate: sameRecords('token')
  },
  {
    id: 'complete', claim: 'has every bike whose is_featured is true', clause: 'D51',
    of: ({ key }) => key === 'featured',
    relate: relateFeatured
  },
  {
    id: 'copy', claim: 'is no copy of another list', clause: 'D51',
    of: resource => !isOfBikes(resource),
    relate: relateCopies
  },
  { id: 'superset', claim: 'has the bikes of version 1', clause: 'D33', of: isOfV2, relate: relateSuperset },
  { id: 'filters', claim: 'filters by year', clause: 'D36', of: isOfV2, relate: relateFilter }
]
