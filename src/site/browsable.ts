import { html } from 'ghtml'
import { counted } from '../base/text.ts'
import type { ServedRecord } from '../catalogue/catalogue.ts'
import { findPage, type ListPage } from '../lists/page.ts'
import { lastValue } from '../http/target.ts'
import type { ListRequest } from '../lists/request.ts'
import type { PageContent } from '../lists/renderer.ts'
import type { Settings } from '../settings/settings.ts'
import { addressOf, controls, selection, tokenInUse } from './controls.ts'
import { exchange, inJson } from './exchange.ts'
import { jsonSection, listJson } from './json.ts'
import { layout, simulatedNotice, type PageSettings } from './layout.ts'
import { fieldTable, recordTable } from './table.ts'
import { image, imagesOf, nameOf } from './value.ts'

type ListSettings = PageSettings & Pick<Settings, 'pageSize'>

/** Returns the browsable page of a list: a table of its records, or with `page_size=1` a table of the fields of one record. */
export function browsableList (content: PageContent, settings: ListSettings): string {
  const { listRequest, headers } = content
  const { resource, origin, target } = listRequest
  const shown = shownPage(content)
  const records = content.records(shown.start, Math.min(content.count, shown.start + shown.size)) as ServedRecord[]
  const [record] = isRecord(content) ? records : []
  const panel = exchange({ method: 'GET', target, origin, status: 200, headers, needsToken: resource.access === 'token', isOpen: false })
  const parts = { content, shown, records, panel }
  const main = record === undefined ? listMain(parts) : recordMain(parts, record)
  const title = record === undefined ? resource.shortName : `${nameOf(record)} · ${resource.shortName}`
  return layout({ title, path: resource.path, main, settings })
}

const isRecord = ({ query }: PageContent) => lastValue(query, 'page_size') === '1'

/** Finds the page of records that is shown. A record has a page of its own, and a whole list has pages, even if the service has none. */
function shownPage (content: PageContent): ListPage {
  const { query, page, count, listRequest: { resource: { pageSize } } } = content
  const own = page === undefined || isRecord(content)
    ? findPage(count, lastValue(query, 'page') || '1', isRecord(content) ? '1' : undefined, pageSize)
    : page
  return own ?? page ?? findPage(count, '1', undefined, pageSize) as ListPage
}

type Parts = { content: PageContent, shown: ListPage, records: readonly ServedRecord[], panel: string }

function listMain ({ content, shown, records, panel }: Parts): string {
  const { listRequest, catalogue, page, envelope, count: total } = content
  const { resource, target } = listRequest
  const { start, number, last } = shown
  const end = start + records.length
  const document = catalogue.forms[resource.key].document
  const extent = page === undefined ? `Records ${start + 1} to ${end} of the ${total} in this response` : `Page ${number} of ${last}`
  const ofRecord = (index: number) => pageAddress(listRequest, start + index + 1, 1)
  const body = { texts: content.texts(start, end), total: page === undefined ? total : records.length, envelope }
  return html`!${simulatedNotice(content.simulated)}<div class="head">
<h1>${resource.shortName}</h1>
<p class="lead">${counted(total, 'record')}!${page === undefined ? '' : html` in ${counted(last, 'page')}`}. ${resource.about}</p>
!${resource.access === 'token' ? tokenInUse : ''}
</div>
!${panel}!${controls(content)}
<h2 class="hidden">Records</h2>
!${records.length > 0 ? recordTable(content, records, { ofRecord, ofOrdering }) : nothing(listRequest, document)}
!${paging(listRequest, shown, extent)}
!${document === undefined ? listJson(body, inJson(target)) : jsonSection('JSON', document)}`

  function ofOrdering (ordering: string): string {
    const others = page === undefined ? '' : `&page=1${shown.size === resource.pageSize ? '' : `&page_size=${shown.size}`}`
    return addressOf(listRequest, selection(listRequest, ordering)) + others
  }
}

function recordMain ({ content, shown, panel }: Parts, record: ServedRecord): string {
  const { listRequest, catalogue } = content
  const { resource } = listRequest
  const [json = ''] = content.texts(shown.start, shown.start + 1)
  const images = imagesOf(record, resource.key, catalogue).slice(0, 3)
  const name = nameOf(record)
  const imagesHtml = html`<div class="images">
!${images.map((address, index) => image(address, catalogue, { alt: index === 0 ? name : '', isLarge: index === 0 }))}</div>`
  return html`!${simulatedNotice(content.simulated)}<div class="head">
<p class="small"><a href="${addressOf(listRequest, selection(listRequest))}">${resource.shortName}</a></p>
<h1><bdi>${name}</bdi></h1>
!${resource.access === 'token' ? tokenInUse : ''}
</div>
!${panel}
!${paging(listRequest, shown, `Record ${shown.number} of ${shown.last}`)}
!${images.length > 0 ? imagesHtml : ''}
<h2 class="hidden">Fields</h2>
!${fieldTable(content, json)}
!${jsonSection(html`JSON of <bdi>${name}</bdi>`, json)}`
}

function nothing ({ filters, resource }: ListRequest, document?: string): string {
  if (document !== undefined) return '<p class="notice">The service responds with one document, whatever the query.</p>'
  if (filters.length === 0) return '<p class="notice">This list has no records.</p>'
  return html`<p class="notice">No record matches. <a href="${resource.path}?format=api">Show all records</a></p>`
}

/** Links pages; the visible records of a plain list are its first page. */
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
<label for="page">Go to</label>
<input id="page" name="page" type="number" min="1" max="${last}" value="${number}" required>
<button type="submit">Go</button>
</form>
<span class="buttons">!${back}!${on}</span>
</nav>
`
}

const pageAddress = (listRequest: ListRequest, page: number, size: number) =>
  `${addressOf(listRequest, selection(listRequest))}&page=${page}&page_size=${size}`
