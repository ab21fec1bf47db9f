import { urlOf, type HttpResponse } from '../client/client.ts'
import { defaultPageSize } from '../lists/page.ts'
import { resources, type Resource } from '../lists/resources.ts'
import { Untried, type Probe } from './check.ts'
import {
  byAccess, checkList, get, haveSameIds, haveSameOrder, idsOf, jsonOf, listIn, pageOf, readList, readPages, shown, statusAndBody,
  type ListCheck, type Page
} from './read.ts'

/** The specification states pages for v1 only. */
const of = (clauses: string) => byAccess('D1', clauses)
const fields = ['count', 'next', 'previous', 'results']

/** Returns whether a request was rejected; that is no failure unless the contract states that it works. */
const isRefused = ({ status }: HttpResponse) => status >= 400 && status < 500

/** Checks of pages; a server with plain lists only may ignore `page`. */
const checks: readonly ListCheck[] = [
  // The specification contradicts itself here: a plain array is also valid, and may reject `page`.
  ['paged', 'gives a page for ?page=1', 'D1', async (probe, resource, plain) => {
    const response = await get(probe, resource, '?page=1')
    const got = isRefused(response) ? String(response.status) : 'a plain array'
    probe.expect(response, !Array.isArray(jsonOf(isRefused(response) ? plain : response)), fields.join(', '), got)
  }],
  ['envelope', `gives ?page=1 as ${fields.join(', ')}`, of('S10'), async (probe, resource, plain) => {
    const response = await get(probe, resource, '?page=1')
    const page = pageOf(response)
    if (page === undefined) {
      const holds = listIn(response) !== undefined || (isRefused(response) && Array.isArray(jsonOf(plain)))
      probe.expect(response, holds, fields.join(', '), statusAndBody(response))
      return
    }
    const { results, isWhole } = await readList(probe, resource)
    for (const { response, next, previous, count } of await readPages(probe, resource, page)) {
      const names = Object.keys(jsonOf(response) as object)
      const odd = [next, previous].find(link => link !== null && urlOf(link) === undefined)
      const holds = probe.expect(response, fields.every(field => names.includes(field)), fields.join(', '), names.join(', ')) &&
        probe.expect(response, odd === undefined, 'a URL or null as next and previous', shown(odd)) &&
        probe.expect(response, !isWhole || count === results.length, `count ${results.length}`, `count ${shown(count)}`)
      if (!holds) return
    }
    probe.expect(response, page.previous === null, 'previous null on the first page', shown(page.previous))
  }],
  ['walk', 'has every record once along its next links', of('S10'), async (probe, resource) => {
    const first = await firstPage(probe, resource)
    const pages = await readPages(probe, resource, first)
    const [found, { response, results }] = [pages.flatMap(({ results }) => results), await readList(probe, resource)]
    const idsIn = (records: readonly unknown[]) => `${records.length} records, ${shown(idsOf(records).join())}`
    // Without an ordering, pages may repeat a record.
    const holds = Array.isArray(jsonOf(response)) ? haveSameIds(found, results) : found.length === results.length
    probe.expect(first.response, holds, idsIn(results), `${idsIn(found)}, on ${pages.length} pages`)
  }],
  ['links', 'has next links with the number of a page', of('S19'), async (probe, resource) => {
    const { response, next } = await firstPage(probe, resource)
    if (next === null) throw new Untried('needs a second page')
    const [path, url] = [probe.pathOf(resource.path), urlOf(next)]
    const holds = url?.pathname === path && url.searchParams.get('page') === '2'
    probe.expect(response, holds, `an absolute URL of ${path} with page=2`, shown(next))
  }],
  ['pages', 'has pages as the framework', of('F14'), async (probe, resource) => {
    const [first, second] = await readPages(probe, resource, await firstPage(probe, resource)) as [Page, Page?]
    const names = Object.keys(jsonOf(first.response) as object).join(', ')
    probe.expect(first.response, names === fields.join(', '), fields.join(', '), names)
    if (second === undefined) return
    const { origin } = probe.base
    probe.expect(first.response, urlOf(first.next)?.origin === origin, `links that begin with ${origin}`, shown(first.next))
    const hasNumber = urlOf(second.previous, probe.base)?.searchParams.has('page') === true
    probe.expect(second.response, !hasNumber, 'previous of page 2 without page', shown(second.previous))
  }],
  ['previous', 'leads from each page to the one before', of('S10'), async (probe, resource) => {
    const pages = await readPages(probe, resource, await firstPage(probe, resource))
    if (pages.length < 2) throw new Untried('needs a second page')
    const hasNumbers = urlOf(pages[0]?.next, probe.base)?.searchParams.get('page') === '2'
    for (const [index, { response, previous }] of pages.slice(1, 3).entries()) {
      const url = urlOf(previous, probe.base)
      const { results: before } = pages[index] as Page
      const leadsBack = async ({ search, searchParams }: URL) => hasNumbers
        ? (searchParams.get('page') ?? '1') === String(index + 1)
        : haveSameOrder(listIn(await get(probe, resource, search))?.results.slice(0, before.length) ?? [], before)
      const holds = url?.pathname === probe.pathOf(resource.path) && await leadsBack(url)
      probe.expect(response, holds, `previous of page ${index + 2} that leads to page ${index + 1}`, shown(previous))
    }
  }],
  ['numbers', 'has a page "last", and no page 999999', of('F15'), async (probe, resource) => {
    const first = await firstPage(probe, resource)
    const [last, invalid] = [await get(probe, resource, '?page=last'), await get(probe, resource, '?page=999999')]
    const results = pageOf(invalid)?.results ?? []
    if (results.length > 0 && haveSameOrder(results, first.results)) throw new Untried('needs pages with numbers')
    probe.expect(last, last.status === 200 && pageOf(last)?.next === null, '200 and no next page', statusAndBody(last))
    probe.expect(invalid, invalid.status === 404, '404', statusAndBody(invalid))
  }],
  ['page-size', `has pages of ${defaultPageSize} or page_size records`, 'D2, D3', async (probe, resource) => {
    const { response, results } = await firstPage(probe, resource)
    const size = Math.min(defaultPageSize, (await readList(probe, resource)).records.length)
    probe.expect(response, results.length === size, `${size} records`, String(results.length))
    const small = await get(probe, resource, '?page=1&page_size=1')
    const got = pageOf(small)?.results.length
    probe.expect(small, got === Math.min(1, size), '1 record with page_size=1', String(got ?? `no page, ${small.status}`))
  }]
]

export const pagingChecks = resources.flatMap(resource => checks.map(check => checkList(resource, ...check)))

/** Returns the first page. @throws {Untried} if the server sends none */
async function firstPage (probe: Probe, resource: Resource) {
  const response = await get(probe, resource, '?page=1')
  const page = pageOf(response)
  if (page !== undefined) return page
  throw new Untried(Array.isArray(jsonOf(response)) ? 'needs a list in pages' : `needs a list, which ${resource.path}?page=1 does not give`)
}
