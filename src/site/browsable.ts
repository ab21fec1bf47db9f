import { html } from 'ghtml'
import { readInteger } from '../base/python.ts'
import type { ServedRecord } from '../catalogue/catalogue.ts'
import { lastValue } from '../http/target.ts'
import { findPage } from '../lists/page.ts'
import type { ListRequest } from '../lists/request.ts'
import type { PageContent } from '../lists/renderer.ts'
import { firstPageAddress, hiddenInput, listAddress, requestBar, selection, type ListParameter } from './controls.ts'
import { inJson, responseTabs, type ShownResponse } from './exchange.ts'
import { jsonPanel, listJson } from './json.ts'
import { layout, simulatedNotice, type PageSettings } from './layout.ts'
import type { ShownRequest } from './snippets.ts'
import { fieldTable, recordTable } from './table.ts'
import { imagesOf, recordImage, recordName } from './value.ts'

/**
 * The rows that a page shows of the records of a list: from `start`, at most `size`; and the record of a page of its
 * own.
 */
type View = { start: number, size: number, records: readonly ServedRecord[], record: ServedRecord | undefined }

/**
 * Returns the browsable page of a list: a table of its records, or with `page_size=1` a table of the fields of one
 * record.
 */
export function browsableList (content: PageContent, settings: PageSettings): string {
  const { resource, origin, target } = content.listRequest
  const view = viewOf(content)
  const name = view.record && recordName(view.record)
  const request: ShownRequest = { method: 'GET', target, origin, needsToken: resource.access === 'token' }
  const heading = name === undefined ? listHeading(content) : recordHeading(content, name)
  const notice = simulatedNotice(content.simulated)
  const bar = requestBar(content, request, name === undefined ? 'list' : 'record')
  const response = responseTabs(request, shownResponse(content, view))
  const main = heading + notice + bar + response
  const title = name === undefined ? resource.shortName : `${name} · ${resource.shortName}`
  return layout({ title, path: resource.path, main, settings })
}

/** Finds the records to show. An unpaged list is shown in parts, by `rows`, which no service knows. */
function viewOf (content: PageContent): View {
  const isOne = isRecord(content)
  const { start, size } = isOne ? recordPart(content) : content.page ?? rowsPart(content)
  const end = Math.min(content.count, start + size)
  const records = content.records(start, end) as ServedRecord[]
  return { start, size, records, record: isOne ? records[0] : undefined }
}

type Part = { start: number, size: number }

const isRecord = ({ query }: PageContent) => lastValue(query, 'page_size') === '1'

/** A record has a page of its own, even if the service has larger pages or none. */
function recordPart ({ query, page, count }: PageContent): Part {
  return findPage(count, lastValue(query, 'page') ?? '1', '1', 1) ?? page ?? { start: 0, size: 1 }
}

function rowsPart ({ query, count, listRequest }: PageContent): Part {
  const text = lastValue(query, 'rows') ?? ''
  const row = readInteger(text) ?? 1
  const existing = Math.max(1, Math.min(row, count))
  return { start: existing - 1, size: listRequest.resource.pageSize }
}

function listHeading ({ listRequest: { resource } }: PageContent): string {
  return html`<div class="head">
<h1>${resource.shortName}</h1>
<p class="lead">${resource.about}</p>
</div>
`
}

function recordHeading ({ listRequest }: PageContent, name: string): string {
  return html`<div class="head">
<p class="small"><a href="${firstPageAddress(listRequest, undefined)}">${listRequest.resource.shortName}</a></p>
<h1><bdi>${name}</bdi></h1>
</div>
`
}

function shownResponse (content: PageContent, view: View): ShownResponse {
  const { status, headers, listRequest, document } = content
  const json = document === undefined ? listJson(listBody(content), inJson(listRequest.target)) : jsonPanel(document)
  const table = view.record === undefined ? recordsPanel(content, view) : fieldsPanel(content, view, view.record)
  return {
    status,
    summary: responseSummary(content, view),
    headers,
    panels: [
      { id: 'table', name: 'Table', content: table + paging(content, view) },
      { id: 'json', name: 'JSON', content: json }
    ]
  }
}

/** Returns what the response is, and which of its records are shown: `an array of 48; rows 1–10`. */
function responseSummary (content: PageContent, { start, records, record }: View): string {
  const { page, count, document } = content
  if (document !== undefined) return 'one document'
  if (page === undefined) {
    const array = `an array of ${count}`
    if (record !== undefined) return `${array}; row ${start + 1}`
    return records.length === count ? array : `${array}; ${partText('row', start, records.length)}`
  }
  const response = page.size === 1 ? 'a page of one record' : `page ${page.number} of ${page.last}`
  if (record !== undefined) return `${response}; record ${start + 1} of ${count}`
  return `${response}; ${partText('record', start, records.length)} of ${count}`
}

/** Names a part of a list: `rows 11–20`. */
function partText (noun: string, start: number, length: number): string {
  const first = start + 1
  if (length === 0) return `0 ${noun}s`
  return length === 1 ? `${noun} ${first}` : `${noun}s ${first}–${start + length}`
}

/** Returns the records of the whole response. */
function listBody ({ page, count, envelope, texts }: PageContent) {
  const start = page?.start ?? 0
  const end = page === undefined ? count : Math.min(count, start + page.size)
  return { texts: texts(start, end), total: end - start, envelope }
}

function recordsPanel (content: PageContent, { start, records }: View): string {
  const { listRequest, page } = content
  if (records.length === 0) return nothing(content)
  return recordTable(content, records, {
    ofRecord: index => pageAddress(listRequest, start + index + 1, 1),
    ofOrdering: ordering => firstPageAddress(listRequest, page?.size, ordering)
  })
}

function nothing ({ listRequest, catalogue, document }: PageContent): string {
  const { filters, resource } = listRequest
  if (catalogue.forms[resource.key].isDocument) {
    return '<p class="notice">The service responds with one document, whatever the query.</p>\n'
  }
  if (document !== undefined) return '<p class="notice">The recorded response to this request is no list.</p>\n'
  if (filters.length === 0) return '<p class="notice">This list has no records.</p>\n'
  return html`<p class="notice">No record matches. <a href="${resource.path}?format=api">Show all records</a></p>
`
}

function fieldsPanel (content: PageContent, { start }: View, record: ServedRecord): string {
  const { catalogue, listRequest } = content
  const [json = ''] = content.texts(start, start + 1)
  const name = recordName(record)
  const addresses = imagesOf(record, listRequest.resource.key, catalogue).slice(0, 3)
  const images = addresses.map((address, index) => {
    const isFirst = index === 0
    return recordImage(address, catalogue, { alt: isFirst ? name : '', isLarge: isFirst })
  })
  const gallery = html`<div class="images">
!${images}</div>
`
  return html`<div class="of-record">
!${images.length > 0 ? gallery : ''}!${fieldTable(content, json)}</div>
`
}

/** A neighbouring part of a list, and its URL. */
type Step = { text: string, address: string }

/** Links the parts of a list: further rows of the same response, or other pages, which are other requests. */
function paging (content: PageContent, view: View): string {
  const { start, size } = view
  const { count } = content
  if (count <= size) return ''
  const back = start === 0 ? '' : stepLink(stepTo(content, view, Math.max(0, start - size)), 'prev')
  const on = start + size >= count ? '' : stepLink(stepTo(content, view, start + size), 'next')
  return html`<nav class="pages" aria-label="Parts of the list">
!${goTo(content, view)}<span class="buttons">!${back}!${on}</span>
</nav>
`
}

function stepLink ({ text, address }: Step, rel: 'prev' | 'next'): string {
  const label = rel === 'prev' ? `← ${text}` : `${text} →`
  return html`<a class="button" rel="${rel}" href="${address}">${label}</a>
`
}

/** Returns a link to the part that begins at a position: of an array, further rows; of a page, another page. */
function stepTo (content: PageContent, view: View, start: number): Step {
  const { listRequest, count } = content
  const { size, record } = view
  const number = Math.floor(start / size) + firstNumber(content, view)
  if (isOfPages(content, view)) {
    const noun = record === undefined ? 'Page' : 'Record'
    return { text: `${noun} ${number}`, address: pageAddress(listRequest, number, size) }
  }
  const rows = partText('Row', start, Math.min(size, count - start))
  const rowsFrom: ListParameter = ['rows', String(start + 1)]
  return { text: rows, address: listAddress(listRequest, [...selection(listRequest), rowsFrom]) }
}

/** Returns whether the parts of a list are pages, of one record for its own page; otherwise they are rows. */
const isOfPages = ({ page }: PageContent, { record }: View) => page !== undefined || record !== undefined

/** Returns the number of the first record or page; some services count their pages from 0. */
function firstNumber ({ page }: PageContent, { record }: View): number {
  return record === undefined && page !== undefined ? page.first : 1
}

/** Returns the form that goes to a record, a page or a row by its number. */
function goTo (content: PageContent, view: View): string {
  if (!isOfPages(content, view)) {
    return goToForm(content, { name: 'rows', noun: 'row', number: view.start + 1, first: 1, last: content.count })
  }
  const { start, size, record } = view
  const first = firstNumber(content, view)
  return goToForm(content, {
    name: 'page',
    noun: record === undefined ? 'page' : 'record',
    number: Math.floor(start / size) + first,
    first,
    last: Math.ceil(content.count / size) + first - 1,
    size
  })
}

/** The field of a form: its parameter and noun, its value, the bounds of that, and the size of the pages. */
type GoTo = { name: string, noun: string, number: number, first: number, last: number, size?: number }

function goToForm ({ listRequest }: PageContent, field: GoTo): string {
  const { name, noun, number, size } = field
  const parameters: ListParameter[] = [['format', 'api'], ...selection(listRequest)]
  if (size !== undefined) parameters.push(['page_size', String(size)])
  return html`<form action="${listRequest.resource.path}" method="get">
!${parameters.map(hiddenInput)}<label for="part">Go to ${noun}</label>
<input id="part" name="${name}" type="number" min="${field.first}" max="${field.last}" value="${number}" required>
<button type="submit">Go</button>
</form>
`
}

function pageAddress (listRequest: ListRequest, number: number, size: number): string {
  const page: ListParameter = ['page', String(number)]
  const pageSize: ListParameter = ['page_size', String(size)]
  return listAddress(listRequest, [...selection(listRequest), page, pageSize])
}
