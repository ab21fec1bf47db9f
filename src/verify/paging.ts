import { urlOf } from '../client/client.ts'
import { defaultPageSize } from '../lists/page.ts'
import { resources, type Resource } from '../lists/resources.ts'
import { Untried, type Probe } from './check.ts'
import {
  byAccess, checkList, detailOf, get, haveSameOrder, idsOf, jsonOf, listIn, pageOf, readList, readPages, shown, statusAndBody,
  type Envelope, type ListCheck
} from './read.ts'

/** Pages of v2 are this project's decision. */
const of = (clauses: string) => byAccess('D1', clauses)
const fields = 'count, next, previous, results'

/** The checks of lists in pages; a server that has plain lists only may ignore `page`. */
const checks: readonly ListCheck[] = [
  ['envelope', `gives ?page=1 as ${fields}`, of('S10, F14, D1, D2'), async (probe, resource) => {
    const { records } = await readList(probe, resource)
    const response = await get(probe, resource, '?page=1')
    const page = pageOf(response)
    // The specification contradicts itself here: a plain array is as good.
    if (!probe.may(response, page !== undefined || listIn(response) === undefined, fields, 'a plain array')) return
    const keys = page === undefined ? statusAndBody(response) : Object.keys(page).join(', ')
    if (!probe.must(response, keys === fields, fields, keys)) return
    const { count, previous, results } = page as Envelope
    const size = Math.min(defaultPageSize, records.length)
    probe.may(response, results.length === size, `${defaultPageSize} records a page`, `${results.length} of ${records.length}`)
    probe.must(response, count === records.length, `count ${records.length}`, `count ${shown(count)}`)
    probe.must(response, previous === null, 'previous null on the first page', shown(previous))
  }],
  ['walk', 'has every record once along its next links', of('F14'), async (probe, resource) => {
    const { response, page } = await firstPage(probe, resource)
    const pages = await readPages(probe, resource, page)
    const [found, { records }] = [pages.flatMap(({ results }) => results), await readList(probe, resource)]
    const got = `${shown(idsOf(found).join())} on ${pages.length} pages`
    probe.must(response, haveSameOrder(found, records), `ids ${shown(idsOf(records).join())} over all pages`, got)
  }],
  ['links', 'has links to its own pages at the address of the request', of('S19, F14'), async (probe, resource) => {
    const { response, page: { next } } = await firstPage(probe, resource)
    if (next === null) throw new Untried('needs a second page')
    const path = probe.pathOf(resource.path)
    const url = urlOf(next)
    const holds = url?.pathname === path && url.searchParams.get('page') === '2'
    if (!probe.must(response, holds, `an absolute URL of ${path} with page=2`, shown(next))) return
    probe.may(response, url?.origin === probe.base.origin, `links that begin with ${probe.base.origin}`, shown(next))
    const second = await get(probe, resource, url?.search)
    const page = pageOf(second)
    const back = urlOf(page?.previous)
    const got = page === undefined ? statusAndBody(second) : shown(page.previous)
    const leadsBack = back?.pathname === path && !back.searchParams.has('page')
    probe.must(second, leadsBack, 'previous of page 2 without page, as the link to the first page', got)
  }],
  ['invalid-page', 'has no page 999999', of('F15'), async (probe, resource) => {
    const response = await getPage(probe, resource, '999999')
    if (!probe.must(response, response.status === 404, '404', statusAndBody(response))) return
    probe.may(response, detailOf(response) === 'Invalid page.', '404, {"detail":"Invalid page."}', statusAndBody(response))
  }],
  ['last-page', 'has a page "last"', of('F15'), async (probe, resource) => {
    const response = await getPage(probe, resource, 'last')
    const isLast = response.status === 200 && pageOf(response)?.next === null
    probe.must(response, isLast, '200 and no next page', statusAndBody(response))
  }],
  ['page-size', 'has pages of page_size records', () => 'D3', async (probe, resource) => {
    const { page: { results } } = await firstPage(probe, resource)
    if (results.length < 2) throw new Untried('needs two records')
    const response = await get(probe, resource, '?page=1&page_size=1')
    probe.must(response, pageOf(response)?.results.length === 1, '1 record with page_size=1', statusAndBody(response))
  }]
]

export const pagingChecks = resources.flatMap(resource => checks.map(check => checkList(resource, ...check)))

/** Requests a page; throws Untried where it is the first of several, as from a server whose pages have no numbers (contract S19). */
async function getPage (probe: Probe, resource: Resource, number: string) {
  const { page: first } = await firstPage(probe, resource)
  const response = await get(probe, resource, `?page=${number}`)
  const { results, next } = pageOf(response) ?? { results: [], next: null }
  const isFirst = results.length > 0 && haveSameOrder(results, first.results)
  if (isFirst && (number !== 'last' || next !== null)) throw new Untried('needs pages with numbers')
  return response
}

/** Returns the first page; throws Untried where the server gives none. */
async function firstPage (probe: Probe, resource: Resource) {
  const response = await get(probe, resource, '?page=1')
  const page = pageOf(response)
  if (page !== undefined) return { response, page }
  throw new Untried(Array.isArray(jsonOf(response)) ? 'needs a list in pages' : `needs a list, which ${resource.path}?page=1 does not give`)
}
