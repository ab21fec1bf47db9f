import { html } from 'ghtml'
import type { TSchema } from '@sinclair/typebox'
import { Chain } from '../../schemas/v1/chain.ts'
import { Groupset } from '../../schemas/v1/groupset.ts'
import { Brake } from '../../schemas/v1/make.ts'
import { Tyre } from '../../schemas/v1/tyre.ts'
import { Wheel } from '../../schemas/v1/wheel.ts'
import { DetailedBike } from '../../schemas/v2/bike.ts'
import type { ListKey, ServedRecord } from '../catalogue/catalogue.ts'
import { number } from '../lists/fields.ts'
import { readDecimal } from '../lists/filter.ts'
import { fit, textOf, type Fitted } from './fit.ts'
import { count, grouped, nameOf, picture, recordLinks, type Noun, type Shown } from './record.ts'
import { chainSummary, groupsetSummary, tyreSummary, wheelSummary, type Summary } from './summaries.ts'

/** The HTML of a list's records. */
type View = {
  arrangement: 'cards' | 'rows' | 'tiles'
  /** Returns the HTML of a record, with a table of other fields and the link to its JSON. */
  item: (record: ServedRecord, shown: Shown, others: string, jsonLink: string) => string
}

const cards: View = { arrangement: 'cards', item: bikeCard }

export const views: Readonly<Record<ListKey, View>> = {
  bikes: cards,
  featured: cards,
  wheels: rows('wheel', Wheel, wheelSummary, 'wheels.id'),
  tyres: rows('tyre', Tyre, tyreSummary, 'tyre.id'),
  chains: rows('chain', Chain, chainSummary, 'groupset.chain.id'),
  groupsets: rows('groupset', Groupset, groupsetSummary, 'groupset.id'),
  brakes: tiles('brake'),
  saddles: tiles('saddle'),
  handlebars: tiles('handlebar'),
  bikesV2: cards
}

/** Returns the card of a bike of either version, with links to its parts. */
function bikeCard (record: ServedRecord, shown: Shown, others: string, jsonLink: string): string {
  const bike = fit(DetailedBike, record)
  const traits = [bike.category.name, bike.frame_material, bike.colour, bike.frame_size].filter(Boolean)
  const interest = [known(bike.view_count, 'view'), known(bike.favorites_count, 'favourite')].filter(Boolean)
  return html`<li class="card" id="bike-${record.id}">
!${picture(record, 'bike', shown.catalogue)}
<div>
<h3>${nameOf(record)}</h3>
<p class="muted small">${traits.map(trait => trait.replaceAll(' ', '\u00a0')).join(' · ')}</p>
!${figures(bike)}
<dl>!${relatedTo(bike, shown)}</dl>
!${others}<p class="last"><span>${interest.join(' · ')}</span> !${jsonLink}</p>
</div>
</li>
`
}

const known = (number: number | null, noun: string) => number === null ? '' : count(number, noun)

/** Returns the facts that only version 2.1 has: price, weight and rating. */
function figures ({ price, weight_kg: weight, rating, review_count: reviews }: Fitted<DetailedBike>): string {
  const texts = [
    price !== '' && html`<span class="price">${grouped(price.replace(/^0+(?=\d)/, ''))}</span>`,
    !Number.isNaN(readDecimal(weight)) && `${Number(weight).toFixed(1)} kg`,
    rating !== null && `&#9733; ${rating.toFixed(1)}${reviews === null ? '' : ` from ${count(reviews, 'review')}`}`
  ].filter(text => text !== false)
  if (texts.length === 0) return ''
  return html`<p class="small">!${texts.map(text => html`<span class="unbroken">!${text}</span>`).join(' · ')}</p>`
}

/** The most links of a card to similar bikes, and of a row to the bikes that have the part. */
const [similarBikes, namedBikes] = [6, 3]

/** Returns links to the parts of a bike, and to similar bikes. */
function relatedTo ({ wheels, tyre, groupset, saddle, handlebars, similar_bikes: similar }: Fitted<DetailedBike>, shown: Shown): string {
  const related = [
    ['Wheels', 'wheel', [wheels?.id ?? null]],
    ['Tyre', 'tyre', [tyre?.id ?? null]],
    ['Groupset', 'groupset', [groupset?.id ?? null]],
    ['Saddle', 'saddle', [saddle]],
    ['Bars', 'handlebar', [handlebars]],
    ['Similar', 'bike', similar]
  ] as const
  return related.map(([name, noun, ids]) => {
    const links = recordLinks(shown, noun, ids, similarBikes)
    return links.length === 0 ? '' : html`<dt>${name}</dt>!${links.map(link => html`<dd>!${link}</dd>`)}`
  }).join('')
}

/** Views parts in rows, with the bikes that have them at a path. */
function rows<S extends TSchema> (
  noun: Noun, schema: S, summarise: (part: Fitted<S['static']>, shown: Shown) => Summary, path: string
): View {
  const idIn = number(path)
  return { arrangement: 'rows', item: row }

  function row (record: ServedRecord, shown: Shown, others: string, jsonLink: string): string {
    const { facts, text, links = [] } = summarise(fit(schema, record), shown)
    const bikes = shown.catalogue.bikes.filter(bike => idIn(bike) === record.id).map(({ id }) => id)
    const fitted = recordLinks(shown, 'bike', bikes, namedBikes).join(', ')
    const allLinks = fitted === '' ? links : [...links, ['Fitted to', fitted] as const]
    return html`<li class="row" id="${noun}-${record.id}">
!${picture(record, noun, shown.catalogue)}
<div>
<h3>${nameOf(record)}</h3>
!${text === '' ? '' : html`<p class="muted">${text}</p>`}
!${factList(Object.entries(facts).filter(([, fact]) => fact !== '').map(([name, fact]) => [name, html`${fact}`]))}
!${others}<p class="links">!${allLinks.map(([name, links]) => html`<span>${name}: !${links}</span> `)}<span>!${jsonLink}</span></p>
</div>
</li>
`
  }
}

/** Views records that have only brand and model in tiles. */
function tiles (noun: Noun): View {
  return { arrangement: 'tiles', item: tile }

  function tile (record: ServedRecord, { catalogue }: Shown, others: string, jsonLink: string): string {
    const { brand, model } = fit(Brake, record)
    return html`<li class="tile" id="${noun}-${record.id}">
!${picture(record, noun, catalogue)}
<div>
!${model.trim() === '' ? '' : html`<p class="muted small">${brand}</p>`}
<h3>${model.trim() || nameOf(record)}</h3>
!${others}<p class="small">!${jsonLink}</p>
</div>
</li>
`
  }
}

/** Returns names with values, which are HTML. */
function factList (facts: readonly (readonly [name: string, value: string])[]): string {
  return html`<dl class="facts">!${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>!${value}</dd></div>
`)}</dl>`
}

/** The most fields that the contract lacks and a record shows, and the most that are shown unfolded. */
const [maxOthers, unfolded] = [20, 6]

/** Returns a table of values that the contract lacks or types otherwise. */
export function otherFields (others: readonly [path: string, value: unknown][]): string {
  if (others.length === 0) return ''
  const rest = others.length - maxOthers
  return html`<details class="beyond"!${others.length > unfolded ? '' : ' open'}>
<summary>${count(others.length, 'field')} beyond the contract</summary>
!${factList(others.slice(0, maxOthers).map(([path, value]) => [path || '""', valueOf(value)]))}
!${rest > 0 ? html`<p class="small muted">${rest} more in the JSON</p>` : ''}</details>
`
}

function valueOf (value: unknown): string {
  if (typeof value === 'object' && value !== null) return html`<code>${textOf(JSON.stringify(value))}</code>`
  return typeof value === 'boolean' ? String(value) : html`${textOf(value) || '—'}`
}
