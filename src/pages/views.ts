import { html } from 'ghtml'
import type { Bike } from '../../schemas/v1/bike.ts'
import type { Brake } from '../../schemas/v1/make.ts'
import type { DetailedBike } from '../../schemas/v2/bike.ts'
import type { Catalogue, ListKey } from '../catalogue/catalogue.ts'
import { count, price } from './figures.ts'
import { nameOf, picture, recordLink, type Noun } from './record.ts'
import { chainSummary, groupsetSummary, tyreSummary, wheelSummary, type Summary } from './summaries.ts'

/** The HTML of a list's records. */
type View = {
  arrangement: 'cards' | 'rows' | 'tiles'
  /** Returns the HTML of a record, with the link to its JSON. */
  item: (record: never, catalogue: Catalogue, jsonLink: string) => string
}

const cards: View = { arrangement: 'cards', item: bikeCard }

export const views: Readonly<Record<ListKey, View>> = {
  bikes: cards,
  featured: cards,
  wheels: rows('wheel', wheelSummary),
  tyres: rows('tyre', tyreSummary),
  chains: rows('chain', chainSummary),
  groupsets: rows('groupset', groupsetSummary),
  brakes: tiles('brake'),
  saddles: tiles('saddle'),
  handlebars: tiles('handlebar'),
  bikesV2: cards
}

/** A bike of either version. */
type AnyBike = Bike | DetailedBike

/** Returns the card of a bike, with links to its parts. */
function bikeCard (bike: AnyBike, catalogue: Catalogue, jsonLink: string): string {
  const { id, title, category, colour, frame_material: material, frame_size: size } = bike
  const traits = [category.name, material, colour, size].filter(Boolean).map(trait => trait.replaceAll(' ', '\u00a0')).join(' · ')
  return html`<li class="card" id="bike-${id}">
!${picture(bike, 'bike', catalogue)}
<div>
<h3>${title}</h3>
<p class="muted small">${traits}</p>
!${figures(bike)}
<dl>
!${relatedTo(bike, catalogue)}</dl>
<p class="last"><span>${count(bike.view_count, 'view')} &middot; ${count(bike.favorites_count, 'favourite')}</span> !${jsonLink}</p>
</div>
</li>
`
}

/** Returns the facts that only version 2.1 has: price, weight and rating. */
function figures (bike: AnyBike): string {
  const known = [
    'price' in bike && bike.price !== null && html`<span class="price">${price(bike.price)}</span>`,
    bike.weight_kg !== null && html`${Number(bike.weight_kg).toFixed(1)} kg`,
    bike.rating !== null && html`&#9733; ${bike.rating.toFixed(1)} from ${count(bike.review_count, 'review')}`
  ].filter(text => text !== false)
  if (known.length === 0) return ''
  return html`<p class="small">!${known.map(text => html`<span class="unbroken">!${text}</span>`).join(' · ')}</p>`
}

/** Returns links to the parts of a bike, and to similar bikes. */
function relatedTo ({ wheels, tyre, groupset, saddle, handlebars, similar_bikes: similar }: AnyBike, catalogue: Catalogue): string {
  const related = [
    ['Wheels', 'wheel', [wheels?.id]],
    ['Tyre', 'tyre', [tyre?.id]],
    ['Groupset', 'groupset', [groupset?.id]],
    ['Saddle', 'saddle', [saddle]],
    ['Bars', 'handlebar', [handlebars]],
    ['Similar', 'bike', similar]
  ] as const
  return related.map(([name, noun, ids]) => {
    const links = ids.filter(id => typeof id === 'number').map(id => html`<dd>!${recordLink(catalogue, noun, id)}</dd>`)
    return links.length === 0 ? '' : html`<dt>${name}</dt>!${links}`
  }).join('')
}

/** Views parts in rows, with the bikes that have them. */
function rows<T extends Part> (noun: Noun, summarise: (part: T, catalogue: Catalogue) => Summary): View {
  return { arrangement: 'rows', item: row }

  function row (part: T, catalogue: Catalogue, jsonLink: string): string {
    const { facts, text, links = [] } = summarise(part, catalogue)
    const known = Object.entries(facts).filter(([, fact]) => fact !== '')
    const allLinks = [...links, ...fittedTo(part, catalogue)]
    return html`<li class="row" id="${noun}-${part.id}">
!${picture(part, noun, catalogue)}
<div>
<h3>${nameOf(part)}</h3>
!${text === '' ? '' : html`<p class="muted">${text}</p>`}
<dl class="facts">!${known.map(([name, fact]) => html`<div><dt>${name}</dt><dd>${fact}</dd></div>
`)}</dl>
<p class="links">!${allLinks.map(([name, links]) => html`<span>${name}: !${links}</span> `)}<span>!${jsonLink}</span></p>
</div>
</li>
`
  }
}

/** Views records that have only brand and model in tiles. */
function tiles (noun: Noun): View {
  return { arrangement: 'tiles', item: tile }

  function tile (record: Brake, catalogue: Catalogue, jsonLink: string): string {
    return html`<li class="tile" id="${noun}-${record.id}">
!${picture(record, noun, catalogue)}
<div>
<p class="muted small">${record.brand}</p>
<h3>${record.model}</h3>
<p class="small">!${jsonLink}</p>
</div>
</li>
`
  }
}

type Part = { id: number, brand_name: string, model_name: string, image_url: string | null, images: string | null }

/** The most bikes that a row names. */
const namedBikes = 3

function fittedTo (part: Part, catalogue: Catalogue): [name: string, links: string][] {
  const all = catalogue.bikes as readonly Bike[]
  // Bikes share the records of their parts.
  const bikes = all.filter(({ wheels, tyre, groupset }) => [wheels, tyre, groupset].some(own => own === part))
  if (bikes.length === 0) return []
  const links = bikes.slice(0, namedBikes).map(({ id }) => recordLink(catalogue, 'bike', id)).join(', ')
  return [['Fitted to', bikes.length > namedBikes ? html`!${links} and ${bikes.length - namedBikes} more` : links]]
}
