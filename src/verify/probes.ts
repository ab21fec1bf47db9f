import type { ServedRecord } from '../catalogue/catalogue.ts'
import { isPlainObject } from '../base/json.ts'
import { counted } from '../base/text.ts'
import { urlOf } from '../client/client.ts'
import { filterPositions, presentFilters, readFilters, type Condition, type Filter } from '../lists/filter.ts'
import { readerOf } from '../lists/readers.ts'
import { createTable } from '../lists/table.ts'
import { expect, type Found } from './check.ts'
import { jsonOf, parse, readListed, shown, statusAndBody, type Series } from './exchange.ts'
import { misplacedIn } from './orders.ts'
import { has } from './records.ts'
import type { Related, Relation, Verdict } from './relations.ts'

const isV2: Relation['of'] = ({ access }) => access === 'token'

/** One filter of each kind and comparison. */
const filters = ['search', 'category', 'brand', 'is_featured', 'year', 'year__gte', 'year__lte', 'price__gte', 'date_added__lte']

/** One field of each type, in either direction. */
const orderings = ['title', '-title', 'price', '-rating', '-date_added']

/** Judges each item, and skips those that can't be tried; if none can, returns the reason. */
const forEach = (items: readonly string[], judge: (related: Related, item: string) => Promise<Verdict>): Relation['relate'] =>
  async related => {
    const results: Verdict[] = []
    for (const item of items) results.push(await judge(related, item))
    const judged = results.filter(result => typeof result !== 'string')
    return judged.length === 0 ? results[0] as Verdict : judged.flat()
  }

/** Relations of a list that send requests of their own. */
export const probes: readonly Relation[] = [
  {
    id: 'etag', claim: 'responds with 304 to its ETag', clause: 'F23, D19',
    relate: async ({ get }) => {
      const { headers: { etag }, request } = await get('')
      if (etag === undefined) return expect(false, 'an ETag', 'none', { request })
      let same = await get('', { 'if-none-match': etag })
      const { etag: changed = etag } = same.headers
      if (same.status === 200 && changed !== etag) same = await get('', { 'if-none-match': changed })
      const { status, body, headers: { etag: sent = 'none' } } = same
      if (status === 200 && ![etag, changed, 'none'].includes(sent)) return 'needs an ETag that stays the same'
      const other = await get('', { 'if-none-match': '"another"' })
      const holds = status === 304 && body.length === 0 && sent === changed
      const got = `${status}, ${body.length} bytes, ETag: ${sent}`
      return [
        ...expect(holds, `304 without a body, ETag: ${changed}`, got, { request: same.request }),
        ...expect(other.status === 200, '200 for another ETag', String(other.status), { request: other.request })
      ]
    }
  },
  {
    id: 'images', claim: 'gives image URLs that can be fetched', clause: 'D12', of: has('url'),
    relate: async ({ own, ask, context: { base } }) => {
      const urls = (own.get('plain') as Series).sample.flatMap(record => [record['image_url'], record['images'], record['featured_image']])
      const url = urls.map(link => urlOf(link)).find(url => url?.origin === base.origin)
      if (url === undefined) return 'needs an image of the server'
      const { request, status, headers: { 'content-type': type = 'no type' } } = await ask(url.pathname + url.search)
      return expect(status === 200 && type.startsWith('image/'), '200 and an image', `${status}, ${type}`, { request })
    }
  },
  {
    id: 'options', claim: 'responds to OPTIONS with its metadata', clause: 'F7',
    relate: async ({ get }) => {
      const response = await get('', {}, 'OPTIONS')
      const value = jsonOf(response)
      const other = Array.isArray(value) ? `${response.status} with a list` : statusAndBody(response)
      const got = isPlainObject(value) ? `${response.status} with ${Object.keys(value).join(', ')}` : other
      const holds = response.status === 200 && isPlainObject(value) && 'renders' in value && 'parses' in value
      return expect(holds, '200 with name, description, renders and parses', got, { request: response.request })
    }
  },
  {
    id: 'redirect', claim: 'is where the path without its slash redirects to', clause: 'F10',
    relate: async ({ path, ask, context: { base } }) => {
      const { status, request, headers: { location = 'none' } } = await ask(path.replace(/\/$/, '?a=1'))
      const url = urlOf(location, base)
      const holds = status === 301 && url?.pathname === path && url.search === '?a=1'
      return expect(holds, `301 to ${path}?a=1`, `${status}, Location: ${location}`, { request })
    }
  },
  {
    id: 'read-only', claim: 'responds to POST with an error', clause: 'S2', needs: 'probe-writes',
    relate: async ({ get }) => {
      const response = await get('', { 'content-length': '0' }, 'POST')
      return expect(response.status >= 300, 'an error', statusAndBody(response), { request: response.request })
    }
  },
  // The specification leaves the orderings and filters of version 2.1 open; the first page of each is judged.
  { id: 'orderings', claim: 'has our orderings', clause: 'D38', of: isV2, relate: forEach(orderings, judgeOrdering) },
  { id: 'filters', claim: 'has our filters', clause: 'D36', of: isV2, relate: forEach(filters, judgeFilter) }
]

/** Requests a list; the differences are those of a response that is none. */
async function read ({ get }: Related, query: string, kind: string) {
  const response = await get(query)
  const { request, status, body } = response
  const text = body.toString()
  const listed = status === 200 ? readListed(text, parse(text)) : undefined
  return { request, listed, differences: expect(listed !== undefined, '200 with a list', statusAndBody(response), { request, kind }) }
}

async function judgeOrdering (related: Related, term: string): Promise<readonly Found[]> {
  const { request, listed, differences } = await read(related, `?ordering=${term}`, term)
  if (listed === undefined) return differences
  const values = (listed.records as ServedRecord[]).map(readerOf(related.resource.record, term.replace('-', '')))
  const misplaced = misplacedIn(values, term)?.map(shown).join(' before ')
  return expect(misplaced === undefined, `the order by ${term}`, String(misplaced), { request })
}

/** Filters by the first value in the list, and compares the result with that of our own filter. */
async function judgeFilter (related: Related, name: string): Promise<Verdict> {
  const { own, resource: { fields: readers, filters: rows } } = related
  const plain = own.get('plain') as Series
  const records = plain.sample as unknown as readonly ServedRecord[]
  if (plain.ids.length > records.length) return 'needs a list of at most 1,000 bikes'
  const table = createTable(records, readers)
  const { kind, fields: [field = ''] } = rows[name] as Filter
  const value = table.values(field).find(value => value !== null && value !== '')
  if (value === undefined) return `needs a bike with ${field}`
  const text = kind === 'date' ? new Date(Number(value) / 1000).toISOString() : String(value).split(' ', 2).join(' ')
  const query = new URLSearchParams({ [name]: text })
  const conditions = readFilters(presentFilters(query, rows), rows) as Condition[]
  const wanted = filterPositions(table, [...records.keys()], conditions).map(position => plain.ids[position] as string)
  if (wanted.length === records.length) return `needs bikes that differ in ${field}`
  const { request, listed, differences } = await read(related, `?${query}`, name)
  if (listed === undefined) return differences
  const { ids, page } = listed
  const first = typeof page?.['next'] === 'string' ? wanted.slice(0, ids.length) : wanted
  const isIgnored = ids.join() === plain.ids.slice(0, ids.length).join() && ids.length > wanted.length
  const got = isIgnored ? 'every record' : `${ids.length}, ${shown(ids.join())}`
  const expected = `${counted(wanted.length, 'record')} with ${name}=${text}`
  return expect([...ids].sort().join() === [...first].sort().join(), expected, got, { request })
}
