import { html } from 'ghtml'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { writeOrdering } from '../lists/ordering.ts'
import { defaultPageSize, type PagePlace } from '../lists/page.ts'
import type { Asked } from '../lists/question.ts'
import type { Browsed } from '../lists/representation.ts'
import type { Resource } from '../lists/resources.ts'
import { listBody } from './body.ts'
import { controls } from './controls.ts'
import { exchange, inJson } from './exchange.ts'
import { count } from './figures.ts'
import { layout, listsNavigation } from './layout.ts'
import { placeOf, type JsonLink } from './record.ts'
import { tokenInUse } from './tokens.ts'
import type { trials } from './simulation.ts'
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

  const title = needsToken ? `${resource.name}, version 2.1` : resource.name

  const main = html`!${listsNavigation(resource.path)}<div class="head">
<h1>${title}</h1>
<p class="lead">${count(total, 'record')}!${place === undefined ? '' : html` in ${count(place.last, 'page')}`}. ${resource.about}</p>
!${needsToken ? tokenInUse : ''}
</div>
!${exchange({ method: 'GET', target, origin, status: 200, headers, needsToken, isOpen: false })}
!${controls(browsed)}!${tried?.({ target, origin, needsToken }) ?? ''}
<h2 class="hidden">Records</h2>
!${records.length === 0
? '<p class="notice">No record is like that.</p>'
: html`<ol class="${arrangement}">!${items(records as never[], catalogue, jsonLinks(resource, catalogue))}</ol>`}
!${paging(asked, place, end, total)}
!${listBody(body)}`
  return layout({ title: `${title} · Bicycle Catalogue`, path: resource.path, main, hasTokenForm })
}

/** What writes the link to the JSON of a record: the page of size 1 that holds it, in the order without a query. */
function jsonLinks ({ path, records }: Resource, catalogue: Catalogue): JsonLink {
  const all = records(catalogue) as { id: number }[]
  return ({ id }) => html`<a href="${path}?format=api&page=${placeOf(all, id) + 1}&page_size=1#json">JSON</a>`
}

/** The way from page to page; of a plain list, of which only the records before `end` are shown, the way to its pages. */
function paging (asked: Asked, place: PagePlace | undefined, end: number, total: number): string {
  if (place === undefined) return onward(asked, end, total)
  const { number, last, size } = place
  if (last === 1) return ''
  const step = (page: number, rel: string, text: string) =>
    html`<a class="button" rel="${rel}" href="${pageAddress(asked, page, size)}">${text}</a>`
  const back = number === 1 ? '' : step(number - 1, 'prev', '← Previous')
  const on = number === last ? '' : step(number + 1, 'next', 'Next →')
  return html`<nav class="pages" aria-label="Pages">
<p>Page ${number} of ${last}</p>
<form action="${asked.resource.path}" method="get">
<input type="hidden" name="format" value="api">
!${selection(asked).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`)}<input type="hidden" name="page_size" value="${size}">
<label for="page">Go to page</label>
<input id="page" name="page" type="number" min="1" max="${last}" value="${number}" required>
<button>Go</button>
</form>
<span class="buttons">!${back}!${on}</span>
</nav>
`
}

function onward (asked: Asked, end: number, total: number): string {
  if (end === total) return ''
  return html`<nav class="pages" aria-label="Pages">
<p>The first ${end} of the ${total} records in this answer</p>
<a class="button" rel="next" href="${pageAddress(asked, 2, defaultPageSize)}">Next ${Math.min(defaultPageSize, total - end)} &rarr;</a>
</nav>
`
}

/** The parameters that say which records a list has and in what order; what the list ignores is not repeated in links. */
function selection ({ terms, filters }: Asked): (readonly [name: string, text: string])[] {
  return terms.length === 0 ? [...filters] : [['ordering', writeOrdering(terms)], ...filters]
}

/** The address of a page of the same records. */
function pageAddress (asked: Asked, page: number, size: number): string {
  const parameters = [['format', 'api'], ...selection(asked), ['page', String(page)], ['page_size', String(size)]]
  return `${asked.resource.path}?${new URLSearchParams(parameters as [string, string][])}`
}
