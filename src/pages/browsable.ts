import { html } from 'ghtml'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Browsed } from '../lists/representation.ts'
import { defaultPageSize } from '../lists/page.ts'
import type { Resource } from '../lists/resources.ts'
import { listBody } from './body.ts'
import { controls } from './controls.ts'
import { exchange, inJson } from './exchange.ts'
import { count } from './figures.ts'
import { layout, listsNavigation } from './layout.ts'
import { placeOf, type JsonLink } from './links.ts'
import { paging } from './paging.ts'
import { tokenInUse } from './tokens.ts'
import type { trials } from './trials.ts'
import { views } from './views.ts'

/** The browsable page of a list: its exchange, its controls, what can be tried where answers are simulated, its records and their JSON. */
export function browsableList (browsed: Browsed, hasTokenForm: boolean, tried?: typeof trials): string {
  const { asked, catalogue, place, envelope, headers, count: total } = browsed
  const { resource, origin, target } = asked
  const needsToken = resource.access === 'token'
  const start = place?.start ?? 0
  const end = Math.min(total, start + (place?.size ?? defaultPageSize))
  const records = browsed.records(start, end)
  const { arrangement, items } = views[resource.key]
  const body = {
    texts: browsed.texts(start, end),
    total: place === undefined ? total : end - start,
    envelope,
    address: needsToken ? undefined : inJson(target)
  }

  const main = html`!${listsNavigation(resource.path)}<div class="head">
<h1>${resource.name}</h1>
<p class="lead">${count(total, 'record')}!${place === undefined ? '' : html` in ${count(place.last, 'page')}`}. ${resource.about}</p>
!${needsToken ? tokenInUse : ''}
</div>
!${exchange({ method: 'GET', target, origin, status: 200, headers, needsToken, isOpen: false })}
!${controls(browsed)}!${tried?.({ target, origin, needsToken }) ?? ''}
<h2 class="hidden">Records</h2>
!${records.length === 0
? '<p class="notice">No record is like that.</p>'
: html`<ol class="${arrangement}">!${items(records as never[], catalogue, jsonLinks(resource, catalogue))}</ol>`}
!${paging(asked, place, { start, end, count: total })}
!${listBody(body)}`
  return layout({ title: `${resource.name} · Bicycle Catalogue`, path: resource.path, main, hasTokenForm })
}

/** What writes the link to the JSON of a record: the page of size 1 that holds it, in the order without a query. */
function jsonLinks ({ path, records }: Resource, catalogue: Catalogue): JsonLink {
  const all = records(catalogue) as { id: number }[]
  return ({ id }) => html`<a href="${path}?format=api&page=${placeOf(all, id) + 1}&page_size=1#json">JSON</a>`
}
