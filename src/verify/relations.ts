import type { ListKey } from '../../schemas/lists.ts'
import type { JsonObject } from '../base/json.ts'
import { neutralName } from '../catalogue/recorded/fitness.ts'
import { resources, type Resource } from '../lists/resources.ts'
import type { Value } from '../lists/table.ts'
import { byAccess, expect, type Found, type Row } from './check.ts'
import { named, shown, type Context } from './exchange.ts'
import { misplacedIn } from './orders.ts'
import { isPaged, type Collected, type Series } from './requests.ts'

export type Related = {
  resource: Resource
  /** The series of the list; `earlier` are those of the first time, where the list was requested again. */
  own: Collected
  earlier: Collected | undefined
  /** The series of the lists before it. */
  lists: ReadonlyMap<ListKey, Collected>
  context: Context
}

/** What is true of several responses. The judge returns why they can't be compared instead of differences. */
export type Relation = Row & { relate: (related: Related) => readonly Found[] | string }

const unreadPages = 'needs every page of the list'
const changingOrder = 'needs a list with the same order each time'

const inOrder = (ids: readonly string[]) => [...ids].sort().join()
const haveSameIds = (a: readonly string[], b: readonly string[]) => a.length === b.length && inOrder(a) === inOrder(b)

/** Returns the ids of the first page. */
const firstOf = ({ ids, sizes: [size = 0] }: Series) => ids.slice(0, size)

/** Returns the values of the id or of a sortable field. */
const valuesIn = ({ values }: Series, field: string) => values[field] as Value[]

const areListed = (...series: (Series | undefined)[]) => series.every(one => one !== undefined && ['array', 'page'].includes(one.form))

const summary = ({ ids }: Series) => `${ids.length} records, ${shown(ids.join())}`

/** Returns whether a list came in the same order when it was requested again. */
function isStable ({ own, earlier }: Related, name = 'plain'): boolean {
  const [one, again, before] = [own.get(name), own.get('again'), earlier?.get(name)]
  const isSame = name !== 'plain' || again === undefined || one === undefined || firstOf(one).join() === firstOf(again).join()
  return isSame && (before === undefined || before.ids.join() === one?.ids.join())
}

/** Returns a judge of a request that must have the records of the plain one: all of an array, or the first page. */
const sameRecords = (name: string): Relation['relate'] => related => {
  const [plain, other] = [related.own.get('plain'), related.own.get(name)]
  if (other === undefined || plain === undefined) return 'needs a list'
  if (!areListed(other)) return expect(false, '200 with a list', String(other.response.status), { request: other.response.request })
  const [wanted, got] = [plain, other].map(firstOf) as [string[], string[]]
  const isSame = plain.form === 'page' && (name === 'again' || !isStable(related)) ? wanted.length === got.length : haveSameIds(wanted, got)
  return expect(isSame, `the records of ${related.resource.path}`, summary(other), { request: other.response.request })
}

/** Returns a judge of a request that must have the order of another one; records with equal values may be in any order (contract S17). */
const sameOrder = (name: string, reference: 'plain' | 'ordering'): Relation['relate'] => related => {
  const { own, resource: { sortable, path } } = related
  const [field = ''] = reference === 'plain' ? ['id'] : sortable
  const [other, wanted] = [own.get(name), own.get(reference === 'plain' ? 'plain' : `ordering/${field}`)]
  if (other === undefined || wanted === undefined || !areListed(wanted)) return 'needs a list'
  if (!areListed(other)) return expect(false, '200 with a list', String(other.response.status), { request: other.response.request })
  if (!isStable(related)) return changingOrder
  const valuesOf = (series: Series) => valuesIn(series, field).slice(0, series.sizes[0]).map(shown).join()
  const expected = `the order of ${path}${wanted.asked.query}`
  return expect(valuesOf(other) === valuesOf(wanted), expected, `ids ${shown(firstOf(other).join())}`, { request: other.response.request })
}

/** Judges the pages of each request: whether links lead to every page once, to as many records as `count`, and to all of the list. */
function relateWalk (related: Related): readonly Found[] | string {
  const { own } = related
  const plain = own.get('plain') as Series
  const walked = [...own.values()].filter(({ asked: { isWalked }, form }) => isWalked && form === 'page')
  const whole = walked.filter(({ isWhole }) => isWhole)
  const found = walked.flatMap(({ astray, counts, ids, isWhole, response: { request } }) => {
    const count = counts.find(count => isWhole && typeof count === 'number' && count !== ids.length)
    return [
      ...expect(astray === undefined, 'next links that lead to every page once', String(astray), { request }),
      ...expect(count === undefined, 'count of all records', `count ${count}, ${ids.length} records`, { request })
    ]
  })
  const series = whole.find(({ asked: { name } }) => name === 'plain' || (name === 'page' && plain.form === 'array'))
  if (walked[0] === undefined) return 'needs a list in pages'
  if (series === undefined) return found.length > 0 ? found : walked[0].reason ?? unreadPages
  const { ids, sizes, asked: { name }, response: { request } } = series
  const isSame = plain.form === 'array' ? haveSameIds(ids, plain.ids) : new Set(ids).size === ids.length
  const expected = plain.form === 'array' ? summary(plain) : `${ids.length} records, each once`
  // Without an ordering, pages may repeat a record.
  const isHeld = isSame || !isStable(related, name) || found.length > 0
  return [...found, ...expect(isHeld, expected, `${summary(series)}, on ${sizes.length} pages`, { request })]
}

/** Judges an ordering such as `title` or `-title`: of the list, and of its pages on request. */
const orderingOf = (term: string): Relation => ({
  id: `ordering/${term}`, claim: `sorts by ${term}`, clause: ({ key }) => `S13, ${key === 'bikes' ? 'S14' : 'S15'}`,
  of: ({ sortable, access }) => access === 'public' && sortable.includes(term.replace('-', '')),
  relate: ({ own }) => {
    const plain = own.get('plain') as Series
    const read = [own.get(`ordering/${term}`), own.get(`page/${term}`)].filter(series => series !== undefined && areListed(series))
    const results = (read as Series[]).map(series => relateOrdering(plain, series, term))
    return results.length === 0 || results.every(result => typeof result === 'string')
      ? String(results[0] ?? 'needs a list')
      : results.filter(result => typeof result !== 'string').flat()
  }
})

function relateOrdering (plain: Series, series: Series, term: string): readonly Found[] | string {
  const { ids, isWhole, reason, form, response: { request } } = series
  const field = term.replace('-', '')
  const [own, all] = [valuesIn(series, field), valuesIn(plain, field)] as const
  const isComplete = form === 'array' || isWhole
  // Across pages, records with equal values may repeat or be missing.
  const isSame = form === 'page' ? inOrder(own.map(shown)) === inOrder(all.map(shown)) : haveSameIds(ids, plain.ids)
  const isPlainComplete = plain.form === 'array' || plain.isWhole
  if (isComplete && isPlainComplete && !isSame) {
    const got = `${ids.length} records instead of ${plain.ids.length}, or others`
    return expect(false, 'the same records in another order', got, { request })
  }
  const misplaced = misplacedIn(own, term)
  if (misplaced === undefined) return isComplete ? [] : reason ?? unreadPages
  const [before, after] = misplaced.map(shown) as [string, string]
  const expected = `${field} ${term.startsWith('-') ? 'descending' : 'ascending'}, ignoring case`
  const isDefault = ids.join() === plain.ids.slice(0, ids.length).join()
  return expect(false, expected, isDefault ? 'the default order' : `${before} before ${after}`, { request })
}

/** Matches fields that v1 leaves empty, counters (they may grow between two requests) and fitness fields. */
const changing = /^(?:rating|reviews|weight_kg)$|_(?:count|gear_id|lifetime_distance|last_synced)$/

function relateSuperset ({ own, lists, context: { fitness } }: Related): readonly Found[] | string {
  const [detailed, basic] = [own.get('plain'), lists.get('bikes')?.get('plain')]
  if (detailed === undefined || basic === undefined || !areListed(detailed, basic)) return 'needs a list'
  const { response: { request }, form, isWhole, ids } = detailed
  const path = '/api/v1/bikes/'
  const [v1 = neutralName, v2 = v1] = [fitness.v1, fitness.v2]
  const names = expect(v1 === v2, `${v1}_gear_id as in ${path}`, `${v2}_gear_id`, { request })
  if (form === 'page' && !isWhole) return names.length > 0 ? names : unreadPages
  const missing = basic.ids.find(id => !ids.includes(id) && id !== 'nothing')
  const others = new Map(detailed.sample.map(record => [shown(record['id']), record]))
  const different = basic.sample.flatMap(bike => {
    const other = others.get(shown(bike['id']))
    const isSame = (field: string) => changing.test(field) || JSON.stringify(bike[field]) === JSON.stringify(other?.[field])
    const fields = Object.keys(bike).filter(field => !isSame(field))
    return other === undefined || fields.length === 0 ? [] : { bike, fields, other }
  })[0]
  const { bike = {}, fields = [], other = {} as JsonObject } = different ?? {}
  const got = shown(Object.fromEntries(fields.map(field => [field, other[field]])))
  return [
    ...names,
    ...expect(different === undefined, `${fields.join(', ')} of ${named(bike)} as in ${path}`, got, { request, record: other }),
    ...expect(missing === undefined, `the record ${missing} of ${path}`, 'none', { request }),
    ...expect(ids.length === basic.ids.length, `${basic.ids.length} bikes as in ${path}`, String(ids.length), { request })
  ]
}

function relateFeatured ({ own, lists }: Related): readonly Found[] | string {
  const [featured, bikes] = [own.get('plain'), lists.get('bikes')?.get('plain')]
  if (featured === undefined || bikes === undefined || !areListed(featured, bikes)) return 'needs a list'
  if (featured.form === 'page' && !featured.isWhole) return unreadPages
  const missing = bikes.sample.find(bike => bike['is_featured'] === true && !featured.ids.includes(shown(bike['id'])))
  const { request } = featured.response
  return expect(missing === undefined, 'every bike whose is_featured is true', `not ${named(missing ?? {})}`, { request })
}

const terms = [...new Set(resources.filter(({ access }) => access === 'public').flatMap(({ sortable }) => sortable))]
  .flatMap(field => [field, `-${field}`])

/** Every relation, in the order of a list's report. */
export const relations: readonly Relation[] = [
  { id: 'again', claim: 'gives the same records when asked again', clause: 'S3', relate: sameRecords('again') },
  {
    id: 'default-order', claim: 'comes in ascending id order', clause: ({ key }) => key === 'chains' ? 'S16' : 'D5',
    relate: ({ own }) => ['plain', 'again', 'page', 'again/page', 'json', 'unknown'].flatMap(name => {
      const series = own.get(name) ?? own.get('plain') as Series
      const [before, after] = misplacedIn(valuesIn(series, 'id'), 'id') ?? []
      const { request } = series.response
      return expect(before === undefined, 'id ascending', `${shown(before)} before ${shown(after)}`, { request })
    })
  },
  ...terms.map(orderingOf),
  { id: 'ordering/unknown', claim: 'ignores an invalid ordering', clause: 'F9', relate: sameOrder('nonsense', 'plain') },
  {
    id: 'ordering/ignored', claim: 'ignores ordering by title', clause: 'D6', of: ({ key }) => key === 'featured',
    relate: sameOrder('ignored', 'plain')
  },
  {
    id: 'ordering/last', claim: 'takes the last of several orderings', clause: 'F9', of: ({ sortable }) => sortable.length > 0,
    relate: sameOrder('last', 'ordering')
  },
  {
    id: 'paged', claim: 'gives a page for ?page=1', clause: 'D1',
    relate: ({ own }) => {
      const { form, response: { request, status } } = own.get('page') ?? own.get('plain') as Series
      const got = form === 'array' ? 'a plain array' : String(status)
      return expect(form === 'page', 'count, next, previous, results', got, { request })
    }
  },
  { id: 'walk', claim: 'has every record once along its next links', clause: byAccess('D1', 'S10'), relate: relateWalk },
  {
    id: 'numbers', claim: 'has a page "last", and no page 999999', clause: byAccess('D1', 'F15'),
    relate: ({ own }) => {
      const [last, beyond, page] = ['last page', 'beyond', 'page'].map(name => own.get(name))
      if (last === undefined || beyond === undefined || page === undefined || !isPaged(own)) return 'needs a list in pages'
      if (beyond.ids.length > 0 && firstOf(beyond).join() === firstOf(page).join()) return 'needs pages with numbers'
      return [
        ...expect(last.form === 'page', '200 and a page', String(last.response.status), { request: last.response.request }),
        ...expect(beyond.response.status === 404, '404', String(beyond.response.status), { request: beyond.response.request })
      ]
    }
  },
  {
    id: 'page-size', claim: 'has pages of page_size records', clause: 'D3',
    relate: ({ own }) => {
      const [small, page] = [own.get('small'), own.get('page')]
      if (small === undefined || page?.form !== 'page') return 'needs a list in pages'
      const got = small.form === 'page' ? String(firstOf(small).length) : `no page, ${small.response.status}`
      const wanted = String(Math.min(1, firstOf(page).length))
      return expect(got === wanted, '1 record with page_size=1', got, { request: small.response.request })
    }
  },
  { id: 'format-json', claim: 'gives JSON with format=json', clause: 'F3', relate: sameRecords('json') },
  { id: 'query/unknown', claim: 'ignores unknown parameters', clause: 'F19', relate: sameRecords('unknown') },
  {
    id: 'token/public', claim: 'ignores a token', clause: 'D26', of: ({ access }) => access === 'public', relate: sameRecords('token')
  },
  {
    id: 'all', claim: 'has every bike whose is_featured is true', clause: 'D51', of: ({ key }) => key === 'featured',
    relate: relateFeatured
  },
  {
    id: 'superset', claim: 'has every v1 bike, and more of it', clause: 'D33', of: ({ access }) => access === 'token',
    relate: relateSuperset
  }
]
