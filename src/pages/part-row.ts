import { html } from 'ghtml'
import type { Bike } from '../../schemas/v1/bike.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { keptFor } from './kept.ts'
import { recordLink, type Noun } from './links.ts'
import { picture } from './picture.ts'

/** What the row of a part says: facts by their names (an empty one is left out), a text, and links that are HTML. */
export type Part = { facts: Readonly<Record<string, string>>, text: string, links?: [name: string, link: string][] }

/** What all parts with a row have. */
export type PartRecord = { id: number, brand_name: string, model_name: string, image_url: string | null, images: string | null }

/** Bikes that a row names of those that have the part. */
const namedBikes = 3

/** Gives the row of a part. */
export function partRow (noun: Noun, record: PartRecord, { facts, text, links = [] }: Part, catalogue: Catalogue, json: string): string {
  const { id, brand_name: brand, model_name: model } = record
  const name = `${brand} ${model}`
  const known = Object.entries(facts).filter(([, fact]) => fact !== '')
  const ways = [...links, ...fittedTo(catalogue, noun, id)]
  return html`<li class="row" id="${noun}-${id}">
!${picture(record, `${noun}s`, `Drawing of the ${name}`, catalogue)}
<div>
<h3>${name}</h3>
!${text === '' ? '' : html`<p class="muted">${text}</p>`}
<dl class="facts">!${known.map(([name, fact]) => html`<div><dt>${name}</dt><dd>${fact}</dd></div>
`)}</dl>
<p class="links">!${ways.map(([name, links]) => html`${name}: !${links} · `)}!${json}</p>
</div>
</li>
`
}

/** The part that a bike has of each kind. */
const fitted: Partial<Record<Noun, (bike: Bike) => { id: number } | null>> = {
  wheel: bike => bike.wheels,
  tyre: bike => bike.tyre,
  groupset: bike => bike.groupset
}

/** Gives the bikes that have each part. */
const indexOf = keptFor((bikes: readonly Bike[]) => {
  const index = new Map<string, Bike[]>()
  for (const bike of bikes) {
    for (const [noun, part] of Object.entries(fitted)) {
      const key = `${noun} ${part(bike)?.id}`
      const others = index.get(key)
      if (others === undefined) index.set(key, [bike])
      else others.push(bike)
    }
  }
  return index
})

function fittedTo (catalogue: Catalogue, noun: Noun, id: number): [name: string, links: string][] {
  const bikes = indexOf(catalogue.bikes).get(`${noun} ${id}`) ?? []
  if (bikes.length === 0) return []
  const links = bikes.slice(0, namedBikes).map(bike => recordLink(catalogue, 'bike', bike.id, bike.title)).join(', ')
  const rest = bikes.length - namedBikes
  return [['Fitted to', rest > 0 ? html`!${links} and ${rest} more` : links]]
}
