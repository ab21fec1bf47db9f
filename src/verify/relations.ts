import { invalidOrdering, keyOf, looseAccepts, pageBeyond, queryOf, yearFilter, type Choice } from '../service/plan.ts'
import { isListed } from '../service/read.ts'
import { resources, type Resource } from '../lists/resources.ts'
import type { Value } from '../lists/table.ts'
import { byAccess, expect, type CheckRow, type Found } from './check.ts'
import { judgeOrders } from './collations.ts'
import { idsIn, shown, valuesIn, type Reading, type Series, type Session } from './exchange.ts'
import { hasTooMany, maxPages } from './requests.ts'

/** A list, none where it needs a token, with its plain series, and the lists before it. */
export type Related = Session & {
  plain: Series
  bikes: Session | undefined
  /** The other lists that were read, by their records. */
  copies: ReadonlyMap<string, Resource>
}

export type Verdict = readonly Found[] | string

/** A claim about several responses, perhaps to requests of its own. Returns the reason if they can't be compared. */
export type Relation = CheckRow & {
  needs?: 'probe-writes'
  /** Whether it isn't judged again if it does not hold: another response to the same request does not excuse the first. */
  isFinal?: true
  relate: (related: Related) => Verdict | Promise<Verdict>
}

const unreadPages = `needs every page of the list, at most ${maxPages}`

const inOrder = (ids: readonly string[]) => [...ids].sort().join()
const haveSameIds = (a: readonly string[], b: readonly string[]) => a.length === b.length && inOrder(a) === inOrder(b)

const summary = (ids: readonly string[]) => `${ids.length} records, ${shown(ids.join())}`

const seriesOf = ({ own }: Session, choice: Choice) => own.get(keyOf(choice))

/** Returns the lists among the series. */
const listsIn = ({ own }: Session) => [...own.values()].filter(({ first: { form, choice } }) =>
  (form === 'array' || form === 'page') && choice.method === undefined && choice.format !== 'api')

/** Returns whether a list comes in the same order in all responses to the plain request. */
function isStable (related: Related): boolean {
  const { plain } = related
  const isPlain = ({ choice, first }: Series) => queryOf(choice) === '' && choice.token === undefined && first.form === plain.first.form
  return listsIn(related).filter(isPlain).every(({ first }) => first.ids.join() === plain.first.ids.join())
}

/** The checks that compare the records of requests with those of the plain list, by the dimension that must not change them. */
type SameAs = 'token' | 'ordering' | 'unknown' | 'format' | 'size' | 'again'

/** Returns the check that compares the records of a request; undefined where others judge them. */
function claimOf ({ token, ordering, unknown, format, size, filter, range, accept = '' }: Choice): SameAs | undefined {
  if (filter !== undefined || range !== undefined || looseAccepts.includes(accept)) return undefined
  if (token !== undefined) return 'token'
  if (ordering === invalidOrdering) return 'ordering'
  if (unknown !== undefined) return 'unknown'
  if (format !== undefined) return 'format'
  return size === undefined ? 'again' : 'size'
}

/** Returns a judge of requests that must have the records of the plain one: all of an array, or the same page. */
const sameRecords = (claim: SameAs): Relation['relate'] => related => {
  const found: Found[] = []
  for (const { choice, first } of related.own.values()) {
    if (choice.method !== undefined || choice.format === 'api' || claimOf(choice) !== claim) continue
    if (isListed(first)) found.push(...judgeRecords(related, first))
    else if (claim !== 'again' && Object.keys(choice).length === 1) {
      const { status, request } = first
      found.push(...expect(false, '200 with a list', String(status), { request }))
    }
  }
  return found
}

/** Returns the response to the same query with no other headers, unknown parameter or format. */
function baseOf (related: Related, { ordering, page, size }: Choice): Reading | undefined {
  const query: Record<string, string> = {}
  if (ordering !== undefined && ordering !== invalidOrdering) query['ordering'] = ordering
  if (page !== undefined) query['page'] = page
  if (size !== undefined) query['size'] = size
  return seriesOf(related, query)?.first
}

const isPlainQuery = ({ page, size }: Choice) => page === undefined && size === undefined

function judgeRecords (related: Related, reading: Reading): readonly Found[] {
  const { resource: { path }, facts } = related
  const { choice, ids, request } = reading
  const base = baseOf(related, choice)
  const isBeyond = choice.page !== undefined && choice.page === pageBeyond(facts)
  if (isBeyond) return []
  if (base === reading) return judgeSize(related, reading)
  const { form } = related.plain.first
  if (isPlainQuery(choice) && reading.form !== form) return expect(false, `the form "${form}"`, `"${reading.form}"`, { request })
  if (base?.form !== reading.form) return judgeSlice(related, reading)
  // In a page, records may be others if the list has no order, or equal values of an ordering.
  const isLoose = base.form === 'page' && (choice.ordering !== undefined || !isStable(related))
  const isSame = isLoose ? base.ids.length === ids.length : haveSameIds(base.ids, ids)
  if (!isSame) return expect(false, `the records of ${path}${queryOf(base.choice)}`, summary(ids), { request })
  return [...judgeKnown(related, reading), ...judgeUnknownOrder(related, reading)]
}

/** Judges the number of records for a `page_size`: as many as it says, or at least as many as without it. */
function judgeSize (related: Related, reading: Reading): readonly Found[] {
  const { choice: { page, size }, ids, request } = reading
  const usual = seriesOf(related, page === undefined ? {} : { page })?.first.size
  const whole = wholeOf(related)
  if (size === undefined || usual === undefined || whole === undefined) return []
  const isObeyed = ids.length === Math.min(Number(size), whole.length)
  const expected = `${size} records, or ${usual} as without page_size`
  const found = expect(isObeyed || ids.length >= usual, expected, `${ids.length} records`, { request })
  return [...found, ...judgeSlice(related, reading)]
}

/** Judges the order by a field that the list does not know: it is the same, however else the request is sent. */
function judgeUnknownOrder (related: Related, { choice, form, ids, request }: Reading): readonly Found[] {
  const { ordering = '', page } = choice
  const isKnown = ordering === '' || related.resource.sortable.includes(ordering.replace('-', ''))
  const other = seriesOf(related, page === undefined ? { ordering } : { ordering, page })?.first
  if (isKnown || choice.size !== undefined || other?.form !== form || !isStable(related)) return []
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

/** Judges a page of which nothing but its position is known: its records are neighbours in the list, or at least in the list. */
function judgeSlice (related: Related, reading: Reading): readonly Found[] {
  const { resource: { path }, facts } = related
  const { choice, ids, request } = reading
  const whole = wholeOf(related)
  const others = judgeKnown(related, reading)
  if (whole === undefined || others.length > 0 || !isStable(related)) return others
  if (choice.ordering !== undefined && choice.ordering !== invalidOrdering) return []
  const start = whole.indexOf(ids[0] ?? '')
  const isFirst = facts.pages.indexOf(choice.page ?? '') <= 0
  const isSlice = whole.slice(start, start + ids.length).join() === ids.join() && (isFirst ? start === 0 : start > 0)
  return expect(ids.length === 0 || isSlice, `page ${choice.page ?? 1} of ${path}`, summary(ids), { request })
}

/** Returns all ids in their default order; undefined if they were not all read. */
function wholeOf (related: Related): readonly string[] | undefined {
  const series = [related.plain, seriesOf(related, { page: '1' })].find(series => series?.isWhole)
  return series === undefined ? undefined : idsIn(series)
}

/** Judges the pages of each request: whether links lead to every page once, to as many records as `count`, and to all of the list. */
function relateWalk (related: Related): Verdict {
  const paged = listsIn(related).filter(({ first: { form, choice } }) => form === 'page' && choice.token === undefined)
  if (paged.length === 0) return 'needs a list in pages'
  const found = paged.flatMap(judgePages)
  if (found.length > 0) return found
  const isUnordered = ({ choice: { ordering, size, filter, range } }: Series) =>
    [ordering, size, filter, range].every(value => value === undefined)
  const series = paged.filter(one => isUnordered(one) && isFromFirst(one))
  if (!series.some(({ isWhole }) => isWhole)) return unreadPages
  const all = new Set(series.flatMap(idsIn))
  const pages = [...new Set(series.flatMap(({ pages }) => pages))]
  const wrong = series.find(one => {
    const ids = idsIn(one)
    return new Set(ids).size < ids.length || (one.isWhole && ids.length < all.size)
  })
  if (wrong === undefined || !isStable(related)) return judgeCounts(related, pages) // without an ordering, pages may repeat a record
  const got = `${summary(idsIn(wrong))}, on ${wrong.pages.length} pages`
  return expect(false, summary([...all]), got, { request: wrong.first.request })
}

const isFromFirst = ({ choice: { page } }: Series) => page === undefined || page === '1'

function judgePages (series: Series): readonly Found[] {
  const { pages, isWhole, first: { request } } = series
  const ids = idsIn(series)
  const counts = pages.map(({ page }) => page?.['count'])
  const got = `${ids.length} records on ${pages.length} pages, and count ${shown(counts[0])}`
  if (hasTooMany(pages)) return expect(false, 'next links that lead to every page once', got, { request })
  const count = counts.find(count => isWhole && typeof count === 'number' && count !== ids.length)
  return expect(count === undefined, 'count of all records', `count ${count}, ${ids.length} records`, { request })
}

/** Judges the pages that were requested alone: their count, and whether all but the last one have a next. */
function judgeCounts (related: Related, known: readonly Reading[]): readonly Found[] {
  const whole = wholeOf(related)
  if (whole === undefined) return []
  const found: Found[] = []
  for (const { first } of listsIn(related)) {
    const { choice, page, request } = first
    const isSelected = choice.filter !== undefined || choice.range !== undefined || choice.token !== undefined
    if (page === undefined || isSelected || known.includes(first)) continue
    const { count, next } = page
    const isRight = typeof count !== 'number' || count === whole.length
    found.push(...expect(isRight, `count ${whole.length}`, `count ${shown(count)}`, { request }))
    const left = recordsAfter(related, first, whole.length)
    const isCut = left !== undefined && left > 0 && typeof next !== 'string'
    found.push(...expect(!isCut, 'a next link', `${shown(next)}, ${left} records are left`, { request }))
  }
  return found
}

/** Returns the number of records after a page; undefined where its position is not known. */
function recordsAfter (related: Related, { choice, size }: Reading, count: number): number | undefined {
  const { pages, pageSize } = related.facts
  const index = choice.page === undefined ? 0 : pages.indexOf(choice.page)
  if (index === 0) return count - size
  const first = choice.size === undefined ? undefined : seriesOf(related, { page: '1', size: choice.size })?.first
  return index < 0 ? undefined : count - (index * (first?.size ?? pageSize) + size)
}

/** Judges an ordering such as `title` or `-title`: of the list, and of its pages on request. For version 2.1, one stands for all. */
const orderingOf = (term: string): Relation => ({
  id: `ordering/${term}`, claim: `sorts by ${term}`,
  clause: ({ key, access }) => access === 'token' ? 'D38' : `S13, ${key === 'bikes' ? 'S14' : 'S15'}`,
  of: ({ sortable, access }) => sortable.includes(term.replace('-', '')) && (access === 'public' || term === 'title'),
  relate: related => relateOrdering(related, term)
})

function relateOrdering (related: Related, term: string): Verdict {
  const { resource, ledger } = related
  const field = term.replace('-', '')
  const terms = resource.access === 'token' ? [field, `-${field}`] : [term]
  const lists = listsIn(related).filter(({ choice: { ordering = '', token } }) => token === undefined && terms.includes(ordering))
  if (lists.length === 0) return 'needs a list'
  const sorted = lists.map(series => ({ values: valuesIn(series, field), isDescending: series.choice.ordering !== field }))
  const { wrong, collation } = judgeOrders(sorted, field === 'title')
  if (wrong !== undefined) return misplaced(related, lists[wrong.index] as Series, wrong.values)
  if (collation !== undefined) ledger.note(`${resource.key}/ordering/${term}`, `sorted by ${collation}`)
  const walked = lists.filter(isOrderedWalk)
  if (!walked.some(({ isWhole }) => isWhole)) return unreadPages
  return walked.flatMap(series => judgeOrdered(related.plain, series, field))
}

/** Returns whether a series has all pages of an ordering, and nothing else is asked. */
const isOrderedWalk = (series: Series) =>
  isFromFirst(series) && Object.keys(series.choice).every(name => ['ordering', 'page', 'repetition'].includes(name))

function misplaced ({ plain }: Related, series: Series, values: readonly Value[]): readonly Found[] {
  const { choice: { ordering = '' }, first: { request } } = series
  const ids = idsIn(series)
  const isDefault = ids.join() === idsIn(plain).slice(0, ids.length).join()
  const direction = ordering.startsWith('-') ? 'descending' : 'ascending'
  const expected = `${ordering.replace('-', '')} ${direction}, ignoring case`
  return expect(false, expected, isDefault ? 'the default order' : values.map(shown).join(' before '), { request })
}

/** Judges whether an ordering has the records of the list. Across pages, those with equal values may repeat or be missing. */
function judgeOrdered (plain: Series, series: Series, field: string): readonly Found[] {
  const { isWhole, first: { request, form } } = series
  if (!isWhole || !plain.isWhole) return []
  const ids = idsIn(series)
  const idsOfPlain = idsIn(plain)
  const values = (one: Series) => inOrder(valuesIn(one, field).map(shown))
  const isSame = form === 'page' ? values(series) === values(plain) : haveSameIds(ids, idsOfPlain)
  const got = `${ids.length} records instead of ${idsOfPlain.length}, or others`
  return expect(isSame, 'the same records in another order', got, { request })
}

/** Judges a filter of version 2.1, which stands for all of them. */
function relateFilter (related: Related): Verdict {
  const { plain } = related
  const filtered = seriesOf(related, { filter: yearFilter })
  if (filtered === undefined) return 'needs a list'
  const { request, status } = filtered.first
  if (!isListed(filtered.first)) return expect(false, '200 with a list', String(status), { request })
  if (!plain.isWhole || !filtered.isWhole) return unreadPages
  const yearsOf = (series: Series) => valuesIn(series, 'year').map(Number).sort()
  const wanted = yearsOf(plain).filter(year => year >= Number(yearFilter.split('=')[1]))
  const isSame = wanted.join() === yearsOf(filtered).join()
  return expect(isSame, `${wanted.length} records with ${yearFilter}`, summary(idsIn(filtered)), { request })
}

/** Judges the order of the ids, where no ordering is sent. */
function relateDefaultOrder (related: Related): Verdict {
  const found: Found[] = []
  for (const series of listsIn(related)) {
    const { choice: { ordering, token }, first: { request } } = series
    if (ordering !== undefined || token !== undefined) continue
    found.push(...judgeIds(series, request))
  }
  return found
}

function judgeIds (series: Series, request: Reading['request']): readonly Found[] {
  const ids = valuesIn(series, 'id')
  const index = ids.findIndex((id, index) => index > 0 && Number(ids[index - 1]) > Number(id))
  return expect(index < 0, 'id ascending', `${shown(ids[index - 1])} before ${shown(ids[index])}`, { request })
}

/** Judges whether an invalid ordering is ignored; another order than the default one is no failure. */
async function relateInvalidOrdering (related: Related): Promise<Verdict> {
  const found = await sameRecords('ordering')(related) as readonly Found[]
  const series = seriesOf(related, { ordering: invalidOrdering })
  const isOrdered = judgeIds(related.plain, related.plain.first.request).length === 0
  if (found.length > 0 || series === undefined || !isOrdered) return found
  return judgeIds(series, series.first.request)
}

/** Judges the page after the last one. */
function relateBeyond (related: Related): Verdict {
  const page = pageBeyond(related.facts)
  const beyond = page === undefined ? undefined : seriesOf(related, { page })?.first
  if (page === undefined || beyond === undefined) return 'needs a list in pages'
  if (wholeOf(related) === undefined) return unreadPages
  const got = beyond.size === 0 ? String(beyond.status) : `${beyond.status}, ${summary(beyond.ids)}`
  return expect(beyond.status === 404, `404 for page ${page}`, got, { request: beyond.request })
}

/** Judges whether the featured list has every featured bike. */
function relateFeatured ({ plain, bikes, resource: { path } }: Related): Verdict {
  const all = bikes?.own.get(keyOf({}))
  if (bikes === undefined || all?.isWhole !== true || !plain.isWhole) return unreadPages
  if (bikes.sample.size < idsIn(all).length) return unreadPages
  const ids = new Set(idsIn(plain))
  const missing: string[] = []
  for (const [id, bike] of bikes.sample) {
    if (bike['is_featured'] === true && !ids.has(id)) missing.push(id)
  }
  const { request } = plain.first
  return expect(missing.length === 0, `every featured bike in ${path}`, `none of ${shown(missing.join())}`, { request })
}

/** Returns the records of a list as a key that another list has only if it is a copy. */
export const contentOf = ({ sample }: Pick<Session, 'sample'>) => JSON.stringify([...sample.values()])

const isOfBikes = ({ key }: Resource) => ['bikes', 'featured', 'bikesV2'].includes(key)

/** Judges whether another list has the same records. */
function relateCopies (related: Related): Verdict {
  const { plain, copies, resource } = related
  const other = plain.first.size === 0 ? undefined : copies.get(contentOf(related))
  const isCopy = other !== undefined && other !== resource
  return expect(!isCopy, 'records of its own', `those of ${other?.path}`, { request: plain.first.request })
}

function relateSuperset ({ plain, bikes }: Related): Verdict {
  const ofV1 = bikes?.own.get(keyOf({}))
  if (ofV1 === undefined || !isListed(ofV1.first) || !plain.isWhole) return unreadPages
  const ids = idsIn(plain)
  return expect(haveSameIds(ids, idsIn(ofV1)), 'the records of /api/v1/bikes/', summary(ids), { request: plain.first.request })
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
  { id: 'walk', claim: 'has every record once along its next links', clause: byAccess('D1', 'S10'), relate: relateWalk },
  { id: 'numbers', claim: 'has no page after the last', clause: byAccess('D1', 'F15'), relate: relateBeyond },
  { id: 'page-size', claim: 'obeys page_size, or ignores it', clause: 'D3', relate: sameRecords('size') },
  { id: 'format-json', claim: 'gives JSON with format=json', clause: 'F3', relate: sameRecords('format') },
  { id: 'query/unknown', claim: 'ignores unknown parameters', clause: 'F19', relate: sameRecords('unknown') },
  { id: 'token/public', claim: 'ignores a token', clause: 'D26', of: resource => !isOfV2(resource), relate: sameRecords('token') },
  {
    id: 'complete', claim: 'has every bike whose is_featured is true', clause: 'D51', of: ({ key }) => key === 'featured',
    relate: relateFeatured
  },
  { id: 'copy', claim: 'is no copy of another list', clause: 'D51', of: resource => !isOfBikes(resource), relate: relateCopies },
  { id: 'superset', claim: 'has the bikes of version 1', clause: 'D33', of: isOfV2, relate: relateSuperset },
  { id: 'filters', claim: 'filters by year', clause: 'D36', of: isOfV2, relate: relateFilter }
]
