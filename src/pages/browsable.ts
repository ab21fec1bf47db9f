import { html } from 'ghtml'
import type { Browsed } from '../lists/representation.ts'
import { envelope } from '../lists/page.ts'
import { listBody } from './body.ts'
import { controls } from './controls.ts'
import { exchange, inFormat } from './exchange.ts'
import { count } from './figures.ts'
import { layout } from './layout.ts'
import { shownSize } from './links.ts'
import { aboutOf, listsNavigation } from './navigation.ts'
import { addressWith, paging } from './paging.ts'
import { tokenInUse } from './token-form.ts'
import { lookOf } from './views.ts'

/** Gives the browsable page of a list: its exchange, its controls, its records and their JSON. */
export function browsableList (browsed: Browsed): string {
  const { asked, catalogue, place, count: total } = browsed
  const { resource, origin, target } = asked
  const start = place?.start ?? 0
  const end = Math.min(total, start + (place?.size ?? shownSize))
  const records = browsed.records(start, end)
  const { arrangement, item } = lookOf(resource.record)
  const items = records.map((record, index) => item(record as never, catalogue, jsonLink(browsed, start + index)))

  const main = html`!${listsNavigation(resource.path)}<div class="head">
<h1>${resource.name}</h1>
<p class="lead">${count(total, 'record')}!${place === undefined ? '' : html` in ${count(place.last, 'page')}`}. ${aboutOf(resource)}</p>
!${resource.access === 'token' ? tokenInUse : ''}
</div>
!${exchange({ method: 'GET', target, origin, status: 200, headers: browsed.headers, needsToken: resource.access === 'token', isOpen: false })}
!${controls(asked, catalogue, place?.size)}
<h2 class="hidden">Records</h2>
!${items.length === 0 ? nothing : html`<ol class="${arrangement}">!${items}</ol>`}
!${paging(asked, place, { start, end, count: total })}
!${listBody({ texts: browsed.texts(start, end), total: (place === undefined ? total : end - start), envelope: envelopeOf(browsed), address: resource.access === 'token' ? undefined : inFormat(target, 'json') })}`
  return layout({ title: `${resource.name} · Bicycle Catalogue`, path: resource.path, main })
}

const nothing = html`<p class="notice">No record is like that.</p>`

/** Gives what stands before the records of a page, or undefined for a plain list. */
function envelopeOf ({ asked: { origin, resource, query }, place }: Browsed): Record<string, unknown> | undefined {
  if (place === undefined) return undefined
  const { count, next, previous } = envelope<never[]>([], place, origin + resource.path, query)
  return { count, next, previous }
}

/** Gives the link to the JSON of one record: the page of size 1 that holds it. */
function jsonLink ({ asked }: Browsed, place: number): string {
  return html`<a href="${addressWith(asked, { page: String(place + 1), page_size: '1' })}#json">JSON</a>`
}
