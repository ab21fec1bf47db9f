import { html } from 'ghtml'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { writeOrdering } from '../lists/ordering.ts'
import { defaultPageSize, type PagePlace } from '../lists/page.ts'
import type { Question } from '../lists/question.ts'
import type { PageContent } from '../lists/representation.ts'
import type { Resource } from '../lists/resources.ts'
import type { Settings } from '../settings/settings.ts'
import { listBody } from './body.ts'
import { controls } from './controls.ts'
import { exchange, inJson } from './exchange.ts'
import { count } from './figures.ts'
import { layout, listsNavigation, type PageSettings } from './layout.ts'
import type { trials } from './simulation.ts'
import { tokenInUse } from './tokens.ts'
import { views } from './views.ts'

/** Returns the browsable page of a list: its exchange, controls, simulations to try, records and their JSON. */
export function browsableList (content: PageContent, settings: PageSettings & Pick<Settings, 'paginate'>, tried?: typeof trials): string {
  const { question, catalogue, place, envelope, headers, count: total } = content
  const { resource, origin, target } = question
  const needsToken = resource.access === 'token'
  const start = place?.start ?? 0
  const end = Math.min(total, start + (place?.size ?? defaultPageSize))
  const title = needsToken ? `${resource.name}, version 2.1` : resource.name
  const body = {
    texts: content.texts(start, end),
    total: place === undefined ? total : end - start,
    envelope,
    address: needsToken ? undefined : inJson(target)
  }

  const main = html`!${listsNavigation(resource.path)}<div class="head">
<h1>${title}</h1>
<p class="lead">${count(total, 'record')}!${place === undefined ? '' : html` in ${count(place.last, 'page')}`}. ${resource.about}</p>
!${needsToken ? tokenInUse : ''}
</div>
!${exchange({ method: 'GET', target, origin, status: 200, headers, needsToken, isOpen: false })}
!${controls(content, settings.paginate === 'always')}!${tried?.({ target, origin, needsToken }) ?? ''}
<h2 class="hidden">Records</h2>
!${items(content.records(start, end), resource, catalogue)}
!${place === undefined ? onward(question, end, total) : paging(question, place)}
!${listBody(body)}`
  return layout({ title: `${title} · Bicycle Catalogue`, path: resource.path, main, settings })
}

type Identified = { id: number }

/** Returns the records, each with a link to its JSON: the page of size 1 that holds it. */
function items (shown: readonly object[], { key, path }: Resource, catalogue: Catalogue): string {
  if (shown.length === 0) return '<p class="notice">No record is like that.</p>'
  const { arrangement, item } = views[key]
  const pageOf = ({ id }: Identified) => catalogue[key].findIndex(record => record.id === id) + 1
  return html`<ol class="${arrangement}">!${(shown as readonly Identified[]).map(record => item(
    record as never, catalogue, html`<a href="${path}?format=api&page=${pageOf(record)}&page_size=1#json">JSON</a>`
  ))}</ol>`
}

/** Links from page to page. */
function paging (question: Question, { number, last, size }: PagePlace): string {
  if (last === 1) return ''
  const step = (page: number, rel: string, text: string) =>
    html`<a class="button" rel="${rel}" href="${pageAddress(question, page, size)}">${text}</a>`
  const back = number === 1 ? '' : step(number - 1, 'prev', '← Previous')
  const on = number === last ? '' : step(number + 1, 'next', 'Next →')
  return html`<nav class="pages" aria-label="Pages">
<p>Page ${number} of ${last}</p>
<form action="${question.resource.path}" method="get">
<input type="hidden" name="format" value="api">
!${selection(question).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`)}<input type="hidden" name="page_size" value="${size}">
<label for="page">Go to page</label>
<input id="page" name="page" type="number" min="1" max="${last}" value="${number}" required>
<button>Go</button>
</form>
<span class="buttons">!${back}!${on}</span>
</nav>
`
}

/** Links from a plain list, of which only the records before `end` are shown, to its pages. */
function onward (question: Question, end: number, total: number): string {
  if (end === total) return ''
  return html`<nav class="pages" aria-label="Pages">
<p>The first ${end} of the ${total} records in this answer</p>
<a class="button" rel="next" href="${pageAddress(question, 2, defaultPageSize)}">Next ${Math.min(defaultPageSize, total - end)} &rarr;</a>
</nav>
`
}

/** Returns the parameters that select and order the records of a list; links do not repeat ignored ones. */
function selection ({ terms, filters }: Question): readonly (readonly [name: string, text: string])[] {
  return terms.length === 0 ? filters : [['ordering', writeOrdering(terms)], ...filters]
}

/** Returns the URL of a page of the same records. */
function pageAddress (question: Question, page: number, size: number): string {
  const parameters = new URLSearchParams({ format: 'api' })
  for (const [name, text] of selection(question)) parameters.append(name, text)
  return `${question.resource.path}?${parameters}&page=${page}&page_size=${size}`
}
