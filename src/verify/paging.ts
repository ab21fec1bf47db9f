import { resources, type Resource } from '../lists/resources.ts'
import type { Answer } from './ask.ts'
import { Untried, type Check, type Probe } from './check.ts'
import { answered, checkOf, detailOf, get, isEnvelope, jsonOf, pagesFrom, readList, shown, type Envelope } from './read.ts'

/** The checks of lists in pages; a server that has plain lists only may ignore `page`. */
export const pagingChecks: readonly Check[] = resources.flatMap(resource => {
  const check = checkOf(resource)
  const source = 'reference, "Pagination"'
  return [
    check('envelope', 'gives ?page=1 as count, next, previous, results', 'specification, "Ordering rules", response envelope', envelope),
    check('walk', 'has every record once along its next links', source, walk),
    check('links', 'has links to its own pages at the address that was asked', source, links),
    check('invalid-page', 'has no page 999999', source, invalidPage)
  ]
})

/**
 * The first page.
 * @throws {Untried} where the server gives none
 */
async function firstPage (probe: Probe, resource: Resource): Promise<{ answer: Answer, page: Envelope }> {
  const answer = await get(probe, resource, '?page=1')
  const page = jsonOf(answer)
  if (isEnvelope(page)) return { answer, page }
  throw new Untried(Array.isArray(page) ? 'needs a list in pages' : `needs a list, which ${resource.path}?page=1 does not give`)
}

async function envelope (probe: Probe, resource: Resource): Promise<void> {
  const { records } = await readList(probe, resource)
  const answer = await get(probe, resource, '?page=1')
  const page = jsonOf(answer)
  // The specification contradicts itself here: a plain array is as good.
  if (answer.status === 200 && Array.isArray(page)) {
    probe.may(answer, false, 'count, next, previous, results', 'a plain array')
    return
  }
  const keys = isEnvelope(page) ? Object.keys(page).join(', ') : answered(answer)
  if (!probe.must(answer, keys === 'count, next, previous, results', 'count, next, previous, results', keys)) return
  const { count, previous } = page as Envelope
  probe.must(answer, count === records.length, `count ${records.length}`, `count ${shown(count)}`)
  probe.must(answer, previous === null, 'previous null on the first page', shown(previous))
}

async function walk (probe: Probe, resource: Resource): Promise<void> {
  const { answer, page } = await firstPage(probe, resource)
  const pages = await pagesFrom(probe, resource, page)
  const ids = pages.flatMap(({ results }) => results).map(record => (record as { id?: unknown } | null)?.id)
  const { records } = await readList(probe, resource)
  const wanted = records.map(({ id }) => id).join()
  probe.must(answer, ids.join() === wanted, `ids ${shown(wanted)} over all pages`, `${shown(ids.join())} on ${pages.length} pages`)
}

async function links (probe: Probe, resource: Resource): Promise<void> {
  const { answer, page: { next } } = await firstPage(probe, resource)
  if (next === null) throw new Untried('needs a second page')
  const url = typeof next === 'string' && URL.canParse(next) ? new URL(next) : undefined
  const path = probe.pathOf(resource.path)
  const holds = url !== undefined && url.pathname === path && url.searchParams.get('page') === '2'
  if (!probe.must(answer, holds, `an absolute URL of ${path} with page=2`, shown(next))) return
  probe.may(answer, url?.origin === probe.base.origin, `links that begin with ${probe.base.origin}`, shown(next))
  const second = await get(probe, resource, url?.search)
  const value = jsonOf(second)
  const previous = isEnvelope(value) ? value.previous : undefined
  const back = typeof previous === 'string' && URL.canParse(previous) ? new URL(previous) : undefined
  const leadsBack = back?.pathname === path && !back.searchParams.has('page')
  const got = isEnvelope(value) ? shown(previous) : answered(second)
  probe.must(second, leadsBack, 'previous of page 2 without page, as the link to the first page', got)
}

async function invalidPage (probe: Probe, resource: Resource): Promise<void> {
  await firstPage(probe, resource)
  const answer = await get(probe, resource, '?page=999999')
  const holds = answer.status === 404 && detailOf(answer) === 'Invalid page.'
  probe.must(answer, holds, '404, {"detail":"Invalid page."}', answered(answer))
}
