import { html } from 'ghtml'
import { readExactly, writeExactly } from '../base/json-text.ts'
import type { JsonObject } from '../base/json.ts'
import { readInteger } from '../base/python.ts'
import type { ServedRecord } from '../catalogue/catalogue.ts'
import { lastValue } from '../http/target.ts'
import { findPage } from '../lists/page.ts'
import type { PageContent } from '../lists/renderer.ts'
import { firstPageAddress, hiddenInput, listAddress, listBar, selection, type ListParameter } from './controls.ts'
import { exchangePage, inJson } from './exchange.ts'
import { jsonPanel, listJson } from './json.ts'
import { simulatedNotice, type PageSettings } from './layout.ts'
import { fieldTable, recordTable } from './table.ts'
import { recordName } from './value.ts'

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
  const { listRequest, count, page, document, status, headers, envelope } = content
  const { resource, origin, target } = listRequest
  const view = viewOf(content)
  const { record } = view
  let title = resource.shortName
  let head = html`<h1>${title}</h1>
<p class="lead">${resource.about}</p>`
  let table: string
  if (record === undefined) table = recordsPanel(content, view)
  else {
    const name = recordName(record)
    title = `${name} · ${resource.shortName}`
    head = html`<p class="small"><a href="${firstPageAddress(listRequest, undefined)}">${resource.shortName}</a></p>
<h1><bdi>${name}</bdi></h1>`
    const [json = ''] = content.texts(view.start, view.start + 1)
    table = fieldTable(content, record, json)
  }

  const start = page?.start ?? 0
  const end = page === undefined ? count : Math.min(count, start + page.size)
  const body = { texts: content.texts(start, end), total: end - start, envelope }
  const json = document === undefined ? listJson(body, inJson(target)) : jsonPanel(document, inJson(target))
  return exchangePage({
    title,
    path: resource.path,
    head,
    notice: simulatedNotice(content.simulated),
    request: { method: 'GET', target, origin, needsToken: resource.access === 'token' },
    bar: listBar(content, record === undefined ? 'list' : 'record'),
    status,
    summary: responseSummary(content, view),
    headers,
    panels: [
      { id: 'table', name: 'Table', content: table + paging(content, view) },
      { id: 'json', name: 'JSON', content: json }
    ],
    settings
  })
}

/**
 * Finds the records to show. A record has a page of its own, even if the service has larger pages or none; an unpaged
 * list is shown in parts, by `rows`, which no service knows. An id that JavaScript rounds becomes a string.
 */
function viewOf ({ query, page, count, listRequest, records, texts }: PageContent): View {
  const isRecord = lastValue(query, 'page_size') === '1'
  let part = page as Pick<View, 'start' | 'size'> | undefined
  if (isRecord) part = findPage(count, lastValue(query, 'page') ?? '1', '1', 1) ?? page ?? { start: 0, size: 1 }
  if (part === undefined) {
    const row = readInteger(lastValue(query, 'rows') ?? '') ?? 1
    part = { start: Math.max(1, Math.min(row, count)) - 1, size: listRequest.resource.pageSize }
  }
  const { start, size } = part
  const shown = records(start, Math.min(count, start + size)) as ServedRecord[]
  for (const [index, record] of shown.entries()) {
    const isRounded = typeof record.id === 'number' && !Number.isSafeInteger(record.id)
    if (!isRounded) continue
    const [text = ''] = texts(start + index, start + index + 1)
    const { id } = readExactly(text) as JsonObject
    shown[index] = { ...record, id: writeExactly(id) } as unknown as ServedRecord
  }
  return { start, size, records: shown, record: isRecord ? shown[0] : undefined }
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

function recordsPanel ({ listRequest, page, catalogue, document }: PageContent, { start, records }: View): string {
  const { filters, resource } = listRequest
  if (records.length > 0) {
    return recordTable({ listRequest, catalogue }, records, {
      ofRecord (index) {
        const page: ListParameter[] = [['page', String(start + index + 1)], ['page_size', '1']]
        return listAddress(listRequest, [...selection(listRequest), ...page])
      },
      ofOrdering: ordering => firstPageAddress(listRequest, page?.size, ordering)
    })
  }
  if (document !== undefined) return '<p class="notice">The recorded response to this request is no list.</p>\n'
  if (filters.length === 0) return '<p class="notice">This list has no records.</p>\n'
  return html`<p class="notice">No record matches. <a href="${resource.path}?format=api">Show all records</a></p>
`
}

/** Links the parts of a list: further rows of an array, or other pages, which are other requests. */
function paging (content: PageContent, { start, size, record }: View): string {
  const { listRequest, count, page } = content
  if (count <= size) return ''
  const isOfRows = page === undefined && record === undefined
  const name = isOfRows ? 'rows' : 'page'
  const noun = record === undefined ? name.replace('rows', 'row') : 'record'
  const numberAt = (position: number) => isOfRows ? position + 1 : Math.floor(position / size) + 1
  const selected = selection(listRequest)
  const pageSize: ListParameter[] = isOfRows ? [] : [['page_size', String(size)]]

  const link = (position: number, rel: 'prev' | 'next') => {
    const number = numberAt(position)
    const length = isOfRows ? Math.min(size, count - position) : 1
    const text = partText(noun, number - 1, length).replace(/^./, letter => letter.toUpperCase())
    const address = listAddress(listRequest, [...selected, [name, String(number)], ...pageSize])
    return html`<a class="button" rel="${rel}" href="${address}">${rel === 'prev' ? `← ${text}` : `${text} →`}</a>
`
  }
  const back = start === 0 ? '' : link(Math.max(0, start - size), 'prev')
  const on = start + size >= count ? '' : link(start + size, 'next')
  const hidden: ListParameter[] = [['format', 'api'], ...selected, ...pageSize]
  return html`<nav class="pages" aria-label="Parts of the list">
<form action="${listRequest.resource.path}" method="get">
!${hidden.map(hiddenInput)}<label for="part">Go to ${noun}</label>
<input id="part" name="${name}" type="number" min="1" max="${numberAt(count - 1)}" value="${numberAt(start)}" required>
<button type="submit">Go</button>
</form>
<span class="buttons">!${back}!${on}</span>
</nav>
`
}
