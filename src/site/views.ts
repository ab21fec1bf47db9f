import { html } from 'ghtml'
import type { ListKey } from '../../schemas/lists.ts'
import type { ServedRecord } from '../catalogue/catalogue.ts'
import { contractOf } from '../catalogue/recorded/fitness.ts'
import { lookupsOf } from '../lists/lookups.ts'
import { count, factList, grouped, nameOf, numberAt, otherFields, image, recordLinks, textAt, type Noun, type Shown } from './record.ts'

/** The HTML of a record, and of its last line. */
type Parts = readonly [content: string, last: string]

type View = { shape: 'card' | 'row' | 'tile', noun: Noun, partsOf: (record: ServedRecord, shown: Shown) => Parts }

const cards: View = { shape: 'card', noun: 'bike', partsOf: bikeParts }

const views: Readonly<Record<ListKey, View>> = {
  bikes: cards,
  featured: cards,
  wheels: rows('wheel', {
    facts: {
      Brake: ['brake_type'], 'Rim depth': ['rimdepth'], 'Rim width in, out': ['internal_rim_width', 'external_rim_width'],
      Spokes: ['spokecount', 'spoke_material'], 'Axle front, rear': ['axlesizeF', 'axlesizeR'], Weight: weight
    },
    text: 'description', inBikes: 'wheels.id'
  }),
  tyres: rows('tyre', {
    facts: {
      Width: ['width'], Colour: ['colour'], Tread: ['tread_pattern'], 'Puncture protection': ['puncture_resistance'], Weight: weight
    },
    text: 'description', inBikes: 'tyre.id'
  }),
  chains: rows('chain', {
    facts: {
      Speeds: ['speed_compatibility'],
      Links: chain => numberAt(chain, 'links_count') === 0 ? 'none: a belt' : String(numberAt(chain, 'links_count') ?? ''),
      Colour: ['colour']
    },
    text: '', inBikes: 'groupset.chain.id'
  }),
  groupsets: rows('groupset', {
    facts: {
      Speed: ['speed'],
      Shifting: groupset => new Map<unknown, string>([[true, 'Electronic'], [false, 'Mechanical']]).get(groupset['is_electronic']) ?? '',
      Chainrings: ['Chainring_sizes', 'chainring_other'],
      Rotors: ['rotor_size'],
      Crankset: (groupset, { catalogue }) => {
        const crankset = catalogue.cranksets[lookupsOf(catalogue).positionOf('cranksets', groupset['crankset_ref']) ?? -1]
        return crankset === undefined ? '' : nameOf(crankset)
      },
      Weight: weight
    },
    text: 'other', link: ['Chain', 'chain', 'chain.id'], inBikes: 'groupset.id'
  }),
  brakes: tiles('brake'),
  saddles: tiles('saddle'),
  handlebars: tiles('handlebar'),
  bikesV2: cards
}

/** Returns records, each with its fields beyond the contract, and a link to its JSON unless it is an example. */
export function recordList (records: readonly ServedRecord[], key: ListKey, shown: Shown, addressOf: (index: number) => string): string {
  const { shape, noun, partsOf } = views[key]
  const { items: contract } = contractOf(key, shown.catalogue.fitnessName)
  const { has: isOwn } = lookupsOf(shown.catalogue)
  return html`<ol class="${shape}s">!${records.map((record, index) => {
    const [content, last] = partsOf(record, shown)
    return html`<li class="${shape}" id="${noun}-${record.id}">
!${image(record, noun, shown.catalogue)}
<div>
!${content}
!${otherFields(contract, record)}<p class="last">!${last}
!${isOwn(key, record) ? jsonLink(record, addressOf(index)) : ''}</p>
</div>
</li>
`
  })}</ol>`
}

const jsonLink = (record: ServedRecord, address: string) =>
  html`<a href="${address}">JSON<span class="hidden"> of ${nameOf(record)}</span></a>`

function bikeParts (bike: ServedRecord, shown: Shown): Parts {
  const traits = ['category.name', 'frame_material', 'colour', 'frame_size'].map(path => textAt(bike, path)).filter(Boolean)
  const interest = [counted(bike, 'view_count', 'view'), counted(bike, 'favorites_count', 'favourite')].filter(Boolean)
  return [html`<h3 dir="auto">${nameOf(bike)}</h3>
!${dotted(traits.map(trait => html`${trait}`), 'muted small')}
!${dotted(figures(bike).filter(Boolean), 'small')}
<dl>!${relatedTo(bike, shown)}</dl>`, dotted(interest)]
}

/** Joins pieces of HTML, with a dot between those on the same line. */
function dotted (texts: readonly string[], looks = ''): string {
  const items = texts.map(text => html`<bdi>!${text}</bdi>
`)
  return items.length === 0 ? '' : html`<span class="dotted ${looks}">!${items}</span>`
}

function counted (record: ServedRecord, path: string, noun: string): string {
  const number = numberAt(record, path)
  return number === null ? '' : count(number, noun)
}

/** Returns price, weight and rating (version 2.1 only) as HTML; empty ones are unknown. */
function figures (bike: ServedRecord): string[] {
  const [price, weight, rating] = [textAt(bike, 'price'), numberAt(bike, 'weight_kg'), numberAt(bike, 'rating')]
  const reviews = counted(bike, 'review_count', 'review')
  return [
    price && html`<span class="price">${grouped(price.replace(/^0+(?=\d)/, ''))}</span>`,
    weight === null ? '' : `${weight.toFixed(1)} kg`,
    rating === null ? '' : `&#9733; ${rating.toFixed(1)}${reviews && ` from ${reviews}`}`
  ]
}

/** The most links from a card to similar bikes, and from a row to bikes with the part. */
const [similarBikes, namedBikes] = [6, 2]

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

/** A fact about a part: the fields to join, or a function. */
type Fact = readonly string[] | ((part: ServedRecord, shown: Shown) => string)

/** The facts about a part by name, its field with prose, a link to another part, and the path of its id in bikes. */
type Summary = { facts: Record<string, Fact>, text: string, link?: [name: string, noun: Noun, path: string], inBikes: string }

/** Shows parts in rows, with the bikes that have them. */
function rows (noun: Noun, { facts, text, link, inBikes }: Summary): View {
  return { shape: 'row', noun, partsOf }

  function partsOf (part: ServedRecord, shown: Shown): Parts {
    const bikes = lookupsOf(shown.catalogue).bikesWith(inBikes, part.id)
    const links = [
      [link?.[0], link === undefined ? [] : recordLinks(shown, link[1], [numberAt(part, link[2])], 1)] as const,
      ['Fitted to', recordLinks(shown, 'bike', bikes, namedBikes)] as const
    ].filter(([, links]) => links.length > 0)
    return [html`<h3 dir="auto">${nameOf(part)}</h3>
<p class="muted" dir="auto">${textAt(part, text)}</p>
!${factList(Object.entries(facts).map(([name, fact]) => [name, html`${factOf(part, fact, shown)}`]))}
`, dotted(links.map(([name, links]) => `${name}: ${links.join(', ')}`))]
  }
}

/** Joins the known, distinct values of fields. */
const factOf = (part: ServedRecord, fact: Fact, shown: Shown) =>
  typeof fact === 'function' ? fact(part, shown) : [...new Set(fact.map(field => textAt(part, field)))].filter(Boolean).join(' · ')

/** Formats the weight of a part; 0 means unknown. */
function weight (part: ServedRecord): string {
  const grammes = numberAt(part, 'weight_grams')
  return grammes ? `${grouped(grammes)} g` : ''
}

/** Shows records that have only brand and model as tiles. */
function tiles (noun: Noun): View {
  return { shape: 'tile', noun, partsOf }

  function partsOf (record: ServedRecord): Parts {
    const model = textAt(record, 'model').trim()
    return [html`<p class="muted small" dir="auto">${model && textAt(record, 'brand')}</p>
<h3 dir="auto">${model || nameOf(record)}</h3>`, '']
  }
}
