import { html } from 'ghtml'
import type { ListKey } from '../../schemas/lists.ts'
import type { ServedRecord } from '../catalogue/catalogue.ts'
import { count, grouped, nameOf, numberAt, picture, recordLinks, textAt, textOf, type Noun, type Shown } from './record.ts'
import { summaries, type Fact, type Summary } from './summaries.ts'

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
  wheels: rows('wheel'),
  tyres: rows('tyre'),
  chains: rows('chain'),
  groupsets: rows('groupset'),
  brakes: tiles('brake'),
  saddles: tiles('saddle'),
  handlebars: tiles('handlebar'),
  bikesV2: cards
}

/** Returns the card of a bike of either version, with links to its parts. */
function bikeCard (bike: ServedRecord, shown: Shown, others: string, jsonLink: string): string {
  const traits = ['category.name', 'frame_material', 'colour', 'frame_size'].map(path => textAt(bike, path)).filter(Boolean)
  const interest = [counted(bike, 'view_count', 'view'), counted(bike, 'favorites_count', 'favourite')].filter(Boolean)
  return html`<li class="card" id="bike-${bike.id}">
!${picture(bike, 'bike', shown.catalogue)}
<div>
<h3>${nameOf(bike)}</h3>
<p class="muted small">${traits.map(trait => trait.replaceAll(' ', '\u00a0')).join(' · ')}</p>
<p class="small">!${figures(bike).filter(Boolean).map(text => html`<span class="unbroken">!${text}</span>`).join(' · ')}</p>
<dl>!${relatedTo(bike, shown)}</dl>
!${others}<p class="last"><span>${interest.join(' · ')}</span> !${jsonLink}</p>
</div>
</li>
`
}

function counted (record: ServedRecord, path: string, noun: string): string {
  const number = numberAt(record, path)
  return number === null ? '' : count(number, noun)
}

/** Returns the facts that only version 2.1 has, price, weight and rating, as HTML; empty ones are unknown. */
function figures (bike: ServedRecord): string[] {
  const [price, weight, rating] = [textAt(bike, 'price'), numberAt(bike, 'weight_kg'), numberAt(bike, 'rating')]
  const reviews = counted(bike, 'review_count', 'review')
  return [
    price && html`<span class="price">${grouped(price.replace(/^0+(?=\d)/, ''))}</span>`,
    weight === null ? '' : `${weight.toFixed(1)} kg`,
    rating === null ? '' : `&#9733; ${rating.toFixed(1)}${reviews && ` from ${reviews}`}`
  ]
}

/** The most links of a card to similar bikes, and of a row to the bikes that have the part. */
const [similarBikes, namedBikes] = [6, 2]

/** Returns links to the parts of a bike, and to similar bikes. */
function relatedTo (bike: ServedRecord, shown: Shown): string {
  const similar = [bike['similar_bikes']].flat().filter(id => typeof id === 'number')
  const related: readonly (readonly [name: string, noun: Noun, ids: readonly (number | null)[]])[] = [
    ['Wheels', 'wheel', [numberAt(bike, 'wheels.id')]],
    ['Tyre', 'tyre', [numberAt(bike, 'tyre.id')]],
    ['Groupset', 'groupset', [numberAt(bike, 'groupset.id')]],
    ['Saddle', 'saddle', [numberAt(bike, 'saddle')]],
    ['Bars', 'handlebar', [numberAt(bike, 'handlebars')]],
    ['Similar', 'bike', similar]
  ]
  return related.map(([name, noun, ids]) => {
    const links = recordLinks(shown, noun, ids, similarBikes)
    return links.length === 0 ? '' : html`<dt>${name}</dt>!${links.map(link => html`<dd>!${link}</dd>`)}`
  }).join('')
}

/** Views parts in rows, with the bikes that have them. */
function rows (noun: keyof typeof summaries): View {
  const { facts, text, link, inBikes }: Summary = summaries[noun]
  return { arrangement: 'rows', item: row }

  function row (part: ServedRecord, shown: Shown, others: string, jsonLink: string): string {
    const bikes = shown.catalogue.bikes.filter(bike => numberAt(bike, inBikes) === part.id).map(({ id }) => id)
    const links = [
      [link?.[0], link === undefined ? [] : recordLinks(shown, link[1], [numberAt(part, link[2])], 1)] as const,
      ['Fitted to', recordLinks(shown, 'bike', bikes, namedBikes)] as const
    ].filter(([, links]) => links.length > 0)
    return html`<li class="row" id="${noun}-${part.id}">
!${picture(part, noun, shown.catalogue)}
<div>
<h3>${nameOf(part)}</h3>
<p class="muted">${textAt(part, text)}</p>
!${factList(Object.entries(facts).map(([name, fact]) => [name, html`${factOf(part, fact, shown)}`]))}
!${others}<p class="links">!${links.map(([name, links]) => html`<span>${name}: !${links.join(', ')}</span> `)}<span>!${jsonLink}</span></p>
</div>
</li>
`
  }
}

/** Joins the texts of fields that are known and differ. */
function factOf (part: ServedRecord, fact: Fact, shown: Shown): string {
  return typeof fact === 'function' ? fact(part, shown) : [...new Set(fact.map(field => textAt(part, field)))].filter(Boolean).join(' · ')
}

/** Views records that have only brand and model in tiles. */
function tiles (noun: Noun): View {
  return { arrangement: 'tiles', item: tile }

  function tile (record: ServedRecord, { catalogue }: Shown, others: string, jsonLink: string): string {
    const model = textAt(record, 'model').trim()
    return html`<li class="tile" id="${noun}-${record.id}">
!${picture(record, noun, catalogue)}
<div>
<p class="muted small">${model && textAt(record, 'brand')}</p>
<h3>${model || nameOf(record)}</h3>
!${others}<p class="small">!${jsonLink}</p>
</div>
</li>
`
  }
}

/** Returns names with their values, which are HTML; empty ones are unknown. */
function factList (facts: readonly (readonly [name: string, value: string])[]): string {
  const known = facts.filter(([, value]) => value !== '')
  return html`<dl class="facts">!${known.map(([name, value]) => html`<div><dt>${name}</dt><dd>!${value}</dd></div>
`)}</dl>`
}

/** The most fields that the contract lacks and a record shows, and the most that are shown unfolded. */
const [maxOthers, unfolded] = [20, 6]

/** Returns a table of values that the contract lacks or types otherwise. */
export function otherFields (others: readonly [path: string, value: unknown][]): string {
  if (others.length === 0) return ''
  const rest = others.length - maxOthers
  return html`<details class="beyond"!${others.length > unfolded ? '' : ' open'}>
<summary>${count(others.length, 'field')} ${others.length === 1 ? 'differs' : 'differ'} from the contract</summary>
!${factList(others.slice(0, maxOthers).map(([path, value]) => [path || '""', valueOf(value)]))}
!${rest > 0 ? html`<p class="small muted">${rest} more in the JSON</p>` : ''}</details>
`
}

function valueOf (value: unknown): string {
  if (typeof value === 'object' && value !== null) return html`<code>${textOf(JSON.stringify(value))}</code>`
  return typeof value === 'boolean' ? String(value) : html`${textOf(value) || '—'}`
}
