import { html } from 'ghtml'
import type { Bike } from '../../schemas/v1/bike.ts'
import type { DetailedBike } from '../../schemas/v2/bike.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { count, price } from './figures.ts'
import { makeOf, picture, recordLink } from './record.ts'

/** A bike of either version. */
export type AnyBike = Bike | DetailedBike

export function bikeCard (bike: AnyBike, catalogue: Catalogue, jsonLink: string): string {
  const { id, title, category, colour, frame_material: material, frame_size: size } = bike
  const traits = [category.name, material, colour, size].filter(Boolean).map(trait => trait.replaceAll(' ', '\u00a0')).join(' · ')
  return html`<li class="card" id="bike-${id}">
!${picture(bike, 'bikes', `Drawing of the ${title}`, catalogue)}
<div>
<h3>${title}</h3>
<p class="muted small">${traits}</p>
!${figures(bike)}
<dl>
!${partsOf(bike, catalogue).map(([name, link]) => html`<dt>${name}</dt><dd>!${link}</dd>
`)}!${similarTo(bike, catalogue)}</dl>
<p class="last"><span>${count(bike.view_count, 'view')} &middot; ${count(bike.favorites_count, 'favourite')}</span> !${jsonLink}</p>
</div>
</li>
`
}

/** What version 2.1 knows more of: price, weight and rating. */
function figures (bike: AnyBike): string {
  const known = [
    'price' in bike && bike.price !== null && html`<span class="price">${price(bike.price)}</span>`,
    bike.weight_kg !== null && html`${Number(bike.weight_kg).toFixed(1)} kg`,
    bike.rating !== null && html`&#9733; ${bike.rating.toFixed(1)} from ${count(bike.review_count, 'review')}`
  ]
  const shown = known.filter(text => text !== false)
  const unbroken = shown.map(text => html`<span class="unbroken">!${text}</span>`)
  return shown.length === 0 ? '' : html`<p class="small">!${unbroken.join(' · ')}</p>`
}

function partsOf (bike: AnyBike, catalogue: Catalogue): [name: string, link: string][] {
  const { wheels, tyre, groupset, saddle, handlebars } = bike
  const named = (part: { brand_name: string, model_name: string }) => `${part.brand_name} ${part.model_name}`
  return [
    wheels !== null && ['Wheels', recordLink(catalogue, 'wheel', wheels.id, named(wheels))],
    tyre !== null && ['Tyre', recordLink(catalogue, 'tyre', tyre.id, named(tyre))],
    groupset !== null && ['Groupset', recordLink(catalogue, 'groupset', groupset.id, named(groupset))],
    saddle !== null && ['Saddle', recordLink(catalogue, 'saddle', saddle, makeOf(catalogue.saddles, saddle))],
    handlebars !== null && ['Bars', recordLink(catalogue, 'handlebar', handlebars, makeOf(catalogue.handlebars, handlebars))]
  ].filter(part => part !== false) as [string, string][]
}

function similarTo ({ similar_bikes: ids }: AnyBike, catalogue: Catalogue): string {
  const links = ids.map(id => recordLink(catalogue, 'bike', id, (catalogue.bikesById.get(id) as Bike).title))
  return links.length === 0 ? '' : html`<dt>Similar</dt>!${links.map(link => html`<dd>!${link}</dd>`)}`
}
