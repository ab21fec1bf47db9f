import { html } from 'ghtml'
import type { Saddle } from '../../schemas/v1/make.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { keptFor } from './kept.ts'

/** Records that a page shows of a long list, and the page size that its links ask for. */
export const shownSize = 12

/** A plain list shows at least so many records, whatever the settings are. */
const firstRecords = 10

type Identified = { readonly id: number }

/** The lists whose records other records lead to, by the word in their anchors. */
const linked = {
  bike: { path: '/api/v1/bikes/', records: ({ bikes }: Catalogue) => bikes },
  wheel: { path: '/api/v1/wheels/', records: ({ wheels }: Catalogue) => wheels },
  tyre: { path: '/api/v1/tyres/', records: ({ tyres }: Catalogue) => tyres },
  chain: { path: '/api/v1/chains/', records: ({ chains }: Catalogue) => chains },
  groupset: { path: '/api/v1/groupsets/', records: ({ groupsets }: Catalogue) => groupsets },
  saddle: { path: '/api/v1/saddles/', records: ({ saddles }: Catalogue) => saddles },
  handlebar: { path: '/api/v1/handlebars/', records: ({ handlebars }: Catalogue) => handlebars }
} satisfies Record<string, { path: string, records: (catalogue: Catalogue) => readonly Identified[] }>

/** What a link can lead to. */
export type Noun = keyof typeof linked

/** Gives the place of each record of a list, by id. */
const placesOf = keptFor((records: readonly Identified[]) => new Map(records.map(({ id }, place) => [id, place])))

/** Gives brand and model of a record, whose id is known to exist. */
export function makeOf (records: readonly Saddle[], id: number): string {
  const { brand, model } = records[placesOf(records).get(id) as number] as Saddle
  return `${brand} ${model}`
}

/** Gives the address of a record on the browsable page of its list; the page that it is on has its anchor. */
export function recordAddress (catalogue: Catalogue, noun: Noun, id: number): string {
  const { path, records } = linked[noun]
  const place = placesOf(records(catalogue)).get(id) as number
  const page = place < firstRecords ? '' : `&page=${Math.floor(place / shownSize) + 1}&page_size=${shownSize}`
  return `${path}?format=api${page}#${noun}-${id}`
}

/** Gives a link to a record. */
export function recordLink (catalogue: Catalogue, noun: Noun, id: number, text: string): string {
  return html`<a href="!${recordAddress(catalogue, noun, id)}">${text}</a>`
}
