import { html } from 'ghtml'
import type { ServedRecord } from '../catalogue/catalogue.ts'
import { writeOrdering } from '../lists/ordering.ts'
import { findPage, type ListPage } from '../lists/page.ts'
import type { ListRequest } from '../lists/request.ts'
import type { PageContent } from '../lists/renderer.ts'
import type { Settings } from '../settings/settings.ts'
import { controls } from './controls.ts'
import { exchange, inJson, listBody, ownAddress, withQuery } from './exchange.ts'
import { layout, type PageSettings } from './layout.ts'
import { count, grouped } from './record.ts'
import type { tryItPanel } from './simulation.ts'
import { tokenInUse } from './tokens.ts'
import { recordList } from './views.ts'

type ListSettings = PageSettings & Pick<Settings, 'pageSize'>

/** Returns the browsable page of a list: its exchange, controls, simulations to try, records and their JSON. */
export function browsableList (content: PageContent, settings: ListSettings, tried?: typeof tryItPanel): string {
  const { listRequest, catalogue, page, envelope, headers, count: total } = content
  const { resource, origin, target, note } = listRequest
  const needsToken = resource.access === 'token'
  const shown = page ?? findPage(total, '1', undefined, resource.pageSize) as ListPage
  const { start, number, last } = shown
  const end = Math.min(total, start + shown.size)
  const recordAddress = (position: number) => `${pageAddress(listRequest, position + 1, 1)}#json`
  const records = content.records(start, end) as ServedRecord[]
  const document = catalogue.recorded[resource.key]?.document
  const extent = page === undefined ? `The first ${end} of the ${total} records in this response` : `Page ${number} of ${last}`
  const body = {
    target: ownAddress(withQuery(target, note?.query ?? '')),
    texts: content.texts(start, end),
    total: page === undefined ? total : end - start,
    envelope,
    onward: (shown: number) => !needsToken
      ? html`<a href="${inJson(withQuery(target, note?.query ?? ''))}">open the whole response</a>`
      : start + shown < total ? html`<a href="${recordAddress(start + shown)}">see the next record</a>` : ''
  }

  const main = html`<div class="head">
<h1>${resource.shortName}</h1>
<p class="lead">${count(total, 'record')}!${page === undefined ? '' : html` in ${count(last, 'page')}`}. ${resource.about}</p>
!${needsToken ? tokenInUse : ''}
</div>
!${exchange({ method: 'GET', target, origin, status: 200, headers, needsToken, note, isOpen: false })}
!${controls(content)}!${tried?.({ target, origin, needsToken }) ?? ''}
<h2 class="hidden">Records</h2>
!${chosen(listRequest)}
!${total === 0
  ? nothing(listRequest, document)
  : recordList(records, resource.key, { catalogue, settings }, index => recordAddress(start + index))}
!${paging(listRequest, shown, extent)}
!${document === undefined ? listBody(body) : html`<section id="json"><pre tabindex="0">${document}</pre></section>`}`
  return layout({ title: `${resource.shortName} · Bicycle Catalogue`, path: resource.path, main, settings })
}

/** Describes the ordering and the filters, each with a link that removes it. */
function chosen (listRequest: ListRequest): string {
  const all = selection(listRequest)
  if (all.length === 0) return ''
  const address = (removed: number) => {
    const parameters = new URLSearchParams({ format: 'api' })
    for (const [name, text] of all.filter((_, index) => index !== removed)) parameters.append(name, text)
    return `${listRequest.resource.path}?${parameters}`
  }
  return html`<nav aria-label="Chosen"><ul class="chosen">
!${all.map(([name, text], index) => html`<li>
<a href="${address(index)}"><span class="hidden">Remove </span><bdi>${inWords(name, text)}</bdi></a></li>
`)}</ul></nav>
`
}

function inWords (name: string, text: string): string {
  const terms = text.split(',').map(term => term.replace(/^-(.*)/, '$1, descending').replaceAll('_', ' '))
  if (name === 'ordering') return `sorted by ${terms.join(', then ')}`
  const field = name.replace(/__[gl]te$/, '')
  const relation = name === field ? ':' : name.endsWith('__gte') ? ' at least' : ' up to'
  return `${field.replaceAll('_', ' ')}${relation} ${field !== 'year' && /^\d+$/.test(text) ? grouped(text) : text.replaceAll(',', ' or ')}`
}

function nothing ({ filters, resource }: ListRequest, document?: string): string {
  if (document !== undefined) return '<p class="notice">The service responds with one document, whatever the query.</p>'
  if (filters.length === 0) return '<p class="notice">This list has no records.</p>'
  return html`<p class="notice">No record matches. <a href="${resource.path}?format=api">Show all records</a></p>`
}

/** Links pages; the visible records of a plain list are the first page. */
function paging (listRequest: ListRequest, { number, last, size }: ListPage, text: string): string {
  if (last === 1) return ''
  const step = (page: number, rel: string, text: string) =>
    html`<a class="button" rel="${rel}" href="${pageAddress(listRequest, page, size)}">${text}</a>`
  const back = number === 1 ? '' : step(number - 1, 'prev', '← Previous')
  const on = number === last ? '' : step(number + 1, 'next', 'Next →')
  return html`<nav class="pages" aria-label="Pages">
<p>${text}</p>
<form action="${listRequest.resource.path}" method="get">
<input type="hidden" name="format" value="api">
!${selection(listRequest).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`)}<input type="hidden" name="page_size" value="${size}">
<label for="page">Go to page</label>
<input id="page" name="page" type="number" min="1" max="${last}" value="${number}" required>
<button type="submit">Go</button>
</form>
<span class="buttons">!${back}!${on}</span>
</nav>
`
}

/** Returns the parameters that select and order the records of a list; links do not repeat ignored ones. */
function selection ({ terms, filters }: ListRequest): readonly (readonly [name: string, text: string])[] {
  return terms.length === 0 ? filters : [['ordering', writeOrdering(terms)], ...filters]
}

function pageAddress (listRequest: ListRequest, page: number, size: number): string {
  const parameters = new URLSearchParams({ format: 'api' })
  for (const [name, text] of selection(listRequest)) parameters.append(name, text)
  return `${listRequest.resource.path}?${parameters}&page=${page}&page_size=${size}`
}
