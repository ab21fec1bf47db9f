import { html } from 'ghtml'
import type { Saddle } from '../../schemas/v1/make.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { defaultPageSize } from '../lists/page.ts'
import { mark } from './layout.ts'

type Identified = { readonly id: number }

/** The lists whose records other records lead to, by the word in their anchors. */
const lists = {
  bike: 'bikes',
  wheel: 'wheels',
  tyre: 'tyres',
  chain: 'chains',
  groupset: 'groupsets',
  saddle: 'saddles',
  handlebar: 'handlebars'
} as const satisfies Record<string, keyof Catalogue>

/** Writes the link to the JSON of a record. */
export type JsonLink = (record: { id: number }) => string

/** What a link can lead to. */
export type Noun = keyof typeof lists

/** Finds the place of a record, whose id is known to exist, in a list by ascending id. */
export function placeOf (records: readonly Identified[], id: number): number {
  let first = 0
  let last = records.length - 1
  while (first < last) {
    const middle = Math.floor((first + last) / 2)
    if ((records[middle] as Identified).id < id) first = middle + 1
    else last = middle
  }
  return first
}

/** Brand and model of a record, whose id is known to exist. */
export function makeOf (records: readonly Saddle[], id: number): string {
  const { brand, model } = records[placeOf(records, id)] as Saddle
  return `${brand} ${model}`
}

/** The address of a record on the browsable page of its list; the page that it is on has its anchor. */
export function recordAddress (catalogue: Catalogue, noun: Noun, id: number): string {
  const list = lists[noun]
  const page = Math.floor(placeOf(catalogue[list], id) / defaultPageSize) + 1
  return `/api/v1/${list}/?format=api${page === 1 ? '' : `&page=${page}`}#${noun}-${id}`
}

/** A link to a record. */
export function recordLink (catalogue: Catalogue, noun: Noun, id: number, text: string): string {
  return html`<a href="!${recordAddress(catalogue, noun, id)}">${text}</a>`
}

/** A record with the fields in which it may name its picture. */
type Pictured = { id: number, image_url?: string | null, featured_image?: string, images?: string | null }

/** The address of the picture that a record names, or of the one drawn for it, or undefined where there is none. */
function addressOf (record: Pictured, folder: string, { pictures }: Catalogue): string | undefined {
  const drawn = `/media/${folder}/${record.id}.jpg`
  return record.image_url ?? record.featured_image ?? record.images ?? (pictures.has(drawn) ? drawn : undefined)
}

/** The picture of a record with a text for those who don't see it; without one, the mark of the catalogue. */
export function picture (record: Pictured, folder: string, text: string, catalogue: Catalogue): string {
  const address = addressOf(record, folder, catalogue)
  if (address === undefined) return html`<span class="blank">!${mark()}</span>`
  const { width, height } = catalogue.pictures.get(address) ?? { width: 640, height: 480 }
  return html`<img src="${address}" width="${width}" height="${height}" alt="${text}" loading="lazy">`
}
