import { html } from 'ghtml'
import type { Bike } from '../../schemas/v1/bike.ts'
import type { Chain } from '../../schemas/v1/chain.ts'
import type { Groupset } from '../../schemas/v1/groupset.ts'
import type { Tyre } from '../../schemas/v1/tyre.ts'
import type { Wheel } from '../../schemas/v1/wheel.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { grams } from './figures.ts'
import { makeOf, picture, recordLink, type JsonLink, type Noun } from './record.ts'

/** What all parts with a row have. */
export type PartRecord = { id: number, brand_name: string, model_name: string, image_url: string | null, images: string | null }

/** What the row of a part says: facts by their names (an empty one is left out), a text, and links that are HTML. */
export type Summary = { facts: Readonly<Record<string, string>>, text: string, links?: [name: string, link: string][] }

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

/** What can be said of every part that is weighed; a weight of 0 is none. */
function weighed (grammes: number, facts: Summary['facts'], text: string): Summary {
  return { facts: { ...facts, Weight: grammes === 0 ? '' : grams(grammes) }, text }
}

const pair = (first: string, second: string) => first === second ? first : `${first}, ${second}`

export function wheelSummary (wheel: Wheel): Summary {
  const facts = {
    Brake: wheel.brake_type,
    'Rim depth': wheel.rimdepth,
    'Rim width in, out': pair(wheel.internal_rim_width, wheel.external_rim_width),
    Spokes: `${wheel.spokecount} · ${wheel.spoke_material}`,
    'Axle front, rear': pair(wheel.axlesizeF, wheel.axlesizeR)
  }
  return weighed(wheel.weight_grams, facts, wheel.description)
}

export function tyreSummary (tyre: Tyre): Summary {
  const facts = {
    Width: tyre.width,
    Colour: tyre.colour,
    Tread: tyre.tread_pattern,
    'Puncture protection': tyre.puncture_resistance
  }
  return weighed(tyre.weight_grams, facts, tyre.description)
}

export function chainSummary (chain: Chain): Summary {
  const links = chain.links_count === 0 ? 'none: a belt' : String(chain.links_count)
  return { facts: { Speeds: chain.speed_compatibility, Links: links, Colour: chain.colour }, text: '' }
}

export function groupsetSummary (groupset: Groupset, catalogue: Catalogue): Summary {
  const { chain, crankset_ref: crankset } = groupset
  const facts = {
    Speed: groupset.speed,
    Shifting: groupset.is_electronic ? 'Electronic' : 'Mechanical',
    Chainrings: [groupset.Chainring_sizes, groupset.chainring_other].filter(Boolean).join(' · '),
    Rotors: groupset.rotor_size,
    Crankset: crankset === null ? '' : makeOf(catalogue.cranksets, crankset)
  }
  const chainLink = recordLink(catalogue, 'chain', chain.id, `${chain.brand_name} ${chain.model_name}`)
  return { ...weighed(groupset.weight_grams, facts, groupset.other), links: [['Chain', chainLink]] }
}
