import { resources } from '../lists/resources.ts'
import type { Value } from '../lists/table.ts'
import { byAccess, expect, type Found, type Row } from './check.ts'
import { isListed, shown, type Collected, type Series, type Session } from './exchange.ts'
import { filterYear, hasTooMany, maxPages } from './requests.ts'

/** The series of a list, none where it needs a token, the plain one among them, and the one of the bikes. */
export type Related = Session & { own: Collected, plain: Series, bikes: Series | undefined }

export type Verdict = readonly Found[] | string

/** A claim about several responses, perhaps to requests of its own. Returns the reason if they can't be compared. */
export type Relation = Row & { needs?: 'probe-writes', relate: (related: Related) => Verdict | Promise<Verdict> }

type Compare = (a: string, b: string) => number

const byCodeUnit: Compare = (a, b) => Number(a > b) - Number(a < b)

/** Languages that sort some letters without accents, or digraphs, differently. */
const languages = ['en', 'cs', 'cy', 'da', 'es-u-co-trad', 'et', 'hr', 'hu', 'lt', 'sq', 'sv']

/** Every order that a database may call alphabetical, ignoring case. */
const collations: readonly Compare[] = [
  (a, b) => byCodeUnit(a.toLowerCase(), b.toLowerCase()), (a, b) => byCodeUnit(a.toUpperCase(), b.toUpperCase()),
  ...languages.flatMap(language => [{}, { numeric: true }, { ignorePunctuation: true }, { numeric: true, ignorePunctuation: true }]
    .map(options => new Intl.Collator(language, options).compare))
]

/** Returns the first neighbours in the wrong order by every collation, titles also by case-sensitive ones. Nulls may be at either end. */
function misplacedIn (values: readonly Value[], ordering: string): Value[] | undefined {
  const sign = ordering.startsWith('-') ? -1 : 1
  const all = ordering.endsWith('title') ? [...collations, byCodeUnit] : collations
  const isWrong = (before: Value, after: Value) => typeof before === 'string' && typeof after === 'string'
    ? before !== after && all.every(compare => sign * compare(before, after) > 0)
    : sign * (Number(before) - Number(after)) > 0
  const known = values.filter(value => value !== null)
  const index = known.findIndex((after, index) => index > 0 && isWrong(known[index - 1] as Value, after))
  return index === -1 ? undefined : known.slice(index - 1, index + 1)
}

const unreadPages = `needs every page of the list, at most ${maxPages}`

const inOrder = (ids: readonly string[]) => [...ids].sort().join()
const haveSameIds = (a: readonly string[], b: readonly string[]) => a.length === b.length && inOrder(a) === inOrder(b)

const firstOf = ({ ids, sizes: [size = 0] }: Series) => ids.slice(0, size)

const valuesIn = ({ values }: Series, field: string) => values[field] as Value[]

const summary = ({ ids }: Pick<Series, 'ids'>) => `${ids.length} records, ${shown(ids.join())}`

/** Returns whether a list comes in the same order when it is requested again. */
const isStable = ({ own, plain }: Related) => firstOf(plain).join() === firstOf(own.get('again') as Series).join()

/** Returns a judge of requests that must have the records of the plain one: all of an array, or the first page. */
const sameRecords = (...names: string[]): Relation['relate'] => related => {
  const { own, plain, resource: { path } } = related
  return names.flatMap(name => own.get(name) ?? []).flatMap(other => {
    const { request, status, asked: { name, open } } = other
    if (!isListed(other)) return expect(open === undefined, '200 with a list', String(status), { request }) // others have failed
    const [wanted, got] = [plain, other].map(firstOf) as [string[], string[]]
    const isLoose = plain.form === 'page' && (name === 'again' || !isStable(related))
    const isSame = isLoose ? wanted.length === got.length : haveSameIds(wanted, got)
    return expect(isSame, `the records of ${path}`, summary(other), { request })
  })
}

/** Judges the pages of each request: whether links lead to every page once, to as many records as `count`, and to all of the list. */
function relateWalk (related: Related): Verdict {
  const { own, plain } = related
  const paged = [...own.values()].filter(({ form }) => form === 'page')
  const found = paged.flatMap(series => {
    const { counts, ids, sizes, isWhole, request } = series
    const got = `${ids.length} records on ${sizes.length} pages, and count ${shown(counts[0])}`
    const count = counts.find(count => isWhole && typeof count === 'number' && count !== ids.length)
    return [
      ...expect(!hasTooMany(series), 'next links that lead to every page once', got, { request }),
      ...expect(count === undefined, 'count of all records', `count ${count}, ${ids.length} records`, { request })
    ]
  })
  if (paged.length === 0) return 'needs a list in pages'
  if (found.length > 0) return found
  const series = ['plain', 'page', 'again', 'again/page'].map(name => own.get(name)).filter(series => series?.form === 'page') as Series[]
  if (!series.some(({ isWhole }) => isWhole)) return unreadPages
  const all = new Set(plain.ids)
  const wrong = series.find(({ ids, isWhole }) =>
    new Set(ids).size < ids.length || !ids.every(id => all.has(id)) || (isWhole && ids.length < all.size))
  if (wrong === undefined || !isStable(related)) return [] // without an ordering, pages may repeat a record
  return expect(false, summary({ ids: [...all] }), `${summary(wrong)}, on ${wrong.sizes.length} pages`, { request: wrong.request })
}

/** Judges an ordering such as `title` or `-title`: of the list, and of its pages on request. For version 2.1, one stands for all. */
const orderingOf = (term: string): Relation => ({
  id: `ordering/${term}`, claim: `sorts by ${term}`,
  clause: ({ key, access }) => access === 'token' ? 'D38' : `S13, ${key === 'bikes' ? 'S14' : 'S15'}`,
  of: ({ sortable, access }) => sortable.includes(term.replace('-', '')) && (access === 'public' || term === 'title'),
  relate: ({ own, plain }) => {
    const [first = 'needs a list', ...others] = [...own.values()]
      .filter(series => series.asked.ordering === term && isListed(series)).map(series => relateOrdering(plain, series, term))
    return typeof first === 'string' ? first : [first, ...others].filter(result => typeof result !== 'string').flat()
  }
})

function relateOrdering (plain: Series, series: Series, term: string): Verdict {
  const { ids, isWhole, form, request } = series
  const field = term.replace('-', '')
  const [own, all] = [valuesIn(series, field), valuesIn(plain, field)] as const
  const misplaced = misplacedIn(own, term)?.map(shown).join(' before ')
  const isDefault = ids.join() === plain.ids.slice(0, ids.length).join()
  const expected = `${field} ${term.startsWith('-') ? 'descending' : 'ascending'}, ignoring case`
  if (misplaced !== undefined) return expect(false, expected, isDefault ? 'the default order' : misplaced, { request })
  if (!isWhole) return unreadPages
  // Across pages, records with equal values may repeat or be missing.
  const isSame = form === 'page' ? inOrder(own.map(shown)) === inOrder(all.map(shown)) : haveSameIds(ids, plain.ids)
  const got = `${ids.length} records instead of ${plain.ids.length}, or others`
  return expect(isSame || !plain.isWhole, 'the same records in another order', got, { request })
}

/** Judges a filter of version 2.1, which stands for all of them. */
function relateFilter ({ own, plain }: Related): Verdict {
  const filtered = own.get('filter') as Series
  const { request, status } = filtered
  if (!isListed(filtered)) return expect(false, '200 with a list', String(status), { request })
  if (!plain.isWhole || !filtered.isWhole) return unreadPages
  const [years, got] = [plain, filtered].map(series => valuesIn(series, 'year').map(Number).sort()) as [number[], number[]]
  const wanted = years.filter(year => year >= filterYear)
  return expect(wanted.join() === got.join(), `${wanted.length} records with year__gte=${filterYear}`, summary(filtered), { request })
}

const terms = [...new Set(resources.filter(({ access }) => access === 'public').flatMap(({ sortable }) => sortable))]
  .flatMap(field => [field, `-${field}`])

/** Every relation, in the order of a list's report. */
export const relations: readonly Relation[] = [
  { id: 'again', claim: 'gives the same records when asked again', clause: 'S3', relate: sameRecords('again', 'usual') },
  {
    id: 'default-order', claim: 'comes in ascending id order', clause: ({ key }) => key === 'chains' ? 'S16' : 'D5',
    relate: ({ own }) => [...own.values()].filter(({ asked }) => asked.ordering === undefined).flatMap(series => {
      const misplaced = misplacedIn(valuesIn(series, 'id'), 'id')?.map(shown).join(' before ')
      return expect(misplaced === undefined, 'id ascending', String(misplaced), { request: series.request })
    })
  },
  ...terms.map(orderingOf),
  { id: 'ordering/unknown', claim: 'ignores an invalid ordering', clause: 'F9', relate: sameRecords('ordering=nonsense') },
  {
    id: 'paged', claim: 'gives a page for ?page=1', clause: 'D1',
    relate: ({ own }) => {
      const { form, request, status } = own.get('page') as Series
      const got = form === 'array' ? 'a plain array' : String(status)
      return expect(form === 'page', 'count, next, previous, results', got, { request })
    }
  },
  { id: 'walk', claim: 'has every record once along its next links', clause: byAccess('D1', 'S10'), relate: relateWalk },
  {
    id: 'numbers', claim: 'has no page 999999', clause: byAccess('D1', 'F15'),
    relate: ({ own }) => {
      const [beyond, page] = [own.get('beyond'), own.get('page')]
      if (beyond === undefined || page === undefined) return 'needs a list in pages'
      if (beyond.ids.length > 0 && firstOf(beyond).join() === firstOf(page).join()) return 'needs pages with numbers'
      return expect(beyond.status === 404, '404', String(beyond.status), { request: beyond.request })
    }
  },
  { id: 'format-json', claim: 'gives JSON with format=json', clause: 'F3', relate: sameRecords('format=json') },
  { id: 'query/unknown', claim: 'ignores unknown parameters', clause: 'F19', relate: sameRecords('unknown=1') },
  {
    id: 'token/public', claim: 'ignores a token', clause: 'D26', of: ({ access }) => access === 'public',
    relate: sameRecords('token', 'token/own')
  },
  {
    id: 'superset', claim: 'has the bikes of version 1', clause: 'D33', of: ({ access }) => access === 'token',
    relate: ({ plain: { isWhole, ids, request }, bikes }) => bikes !== undefined && isListed(bikes) && isWhole
      ? expect(haveSameIds(ids, bikes.ids), 'the records of /api/v1/bikes/', summary({ ids }), { request })
      : unreadPages
  },
  { id: 'filters', claim: 'filters by year', clause: 'D36', of: ({ access }) => access === 'token', relate: relateFilter }
]
