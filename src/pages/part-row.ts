import { html } from 'ghtml'
import type { Bike } from '../../schemas/v1/bike.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { recordLink, type JsonLink, type Noun } from './links.ts'
import type { Summary } from './part-summary.ts'
import { picture } from './picture.ts'

/** What all parts with a row have. */
export type PartRecord = { id: number, brand_name: string, model_name: string, image_url: string | null, images: string | null }

/** Bikes that a row names of those that have the part. */
const namedBikes = 3

/** The rows of parts of one kind, each with the bikes that have it. */
export function partRows<T extends PartRecord> (
  noun: Noun, records: readonly T[], catalogue: Catalogue, jsonLink: JsonLink, summarise: (record: T, catalogue: Catalogue) => Summary
): string[] {
  const fittings = findFittings(noun, records, catalogue)
  return records.map(record => {
    const { links = [], ...summary } = summarise(record, catalogue)
    const ways = [...links, ...fittedTo(fittings.get(record.id), catalogue)]
    return partRow(noun, record, { ...summary, links: ways }, catalogue, jsonLink(record))
  })
}

function partRow (noun: Noun, record: PartRecord, summary: Required<Summary>, catalogue: Catalogue, jsonLink: string): string {
  const { facts, text, links } = summary
  const { id, brand_name: brand, model_name: model } = record
  const name = `${brand} ${model}`
  const known = Object.entries(facts).filter(([, fact]) => fact !== '')
  return html`<li class="row" id="${noun}-${id}">
!${picture(record, `${noun}s`, `Drawing of the ${name}`, catalogue)}
<div>
<h3>${name}</h3>
!${text === '' ? '' : html`<p class="muted">${text}</p>`}
<dl class="facts">!${known.map(([name, fact]) => html`<div><dt>${name}</dt><dd>${fact}</dd></div>
`)}</dl>
<p class="links">!${links.map(([name, links]) => html`<span>${name}: !${links}</span> `)}<span>!${jsonLink}</span></p>
</div>
</li>
`
}

/** The part that a bike has of each kind that bikes name in full. */
const partOf: Partial<Record<Noun, (bike: Bike) => { id: number } | null>> = {
  wheel: bike => bike.wheels,
  tyre: bike => bike.tyre,
  groupset: bike => bike.groupset
}

/** The first bikes that have a part, and how many have it. */
type Fitting = { named: Bike[], count: number }

/** Finds the bikes of each of some parts in one pass over all bikes, of which there may be very many. */
function findFittings (noun: Noun, parts: readonly PartRecord[], { bikes }: Catalogue): ReadonlyMap<number, Fitting> {
  const fittings = new Map(parts.map(({ id }): [number, Fitting] => [id, { named: [], count: 0 }]))
  const own = partOf[noun]
  if (own === undefined) return fittings
  for (const bike of bikes) {
    const fitting = fittings.get(own(bike)?.id ?? NaN)
    if (fitting === undefined) continue
    if (fitting.count < namedBikes) fitting.named.push(bike)
    fitting.count++
  }
  return fittings
}

function fittedTo (fitting: Fitting | undefined, catalogue: Catalogue): [name: string, links: string][] {
  if (fitting === undefined || fitting.count === 0) return []
  const links = fitting.named.map(bike => recordLink(catalogue, 'bike', bike.id, bike.title)).join(', ')
  const rest = fitting.count - fitting.named.length
  return [['Fitted to', rest === 0 ? links : html`!${links} and ${rest} more`]]
}
