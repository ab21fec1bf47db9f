import { html } from 'ghtml'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { defaultPageSize } from '../lists/page.ts'
import { mark } from './layout.ts'

/** The kinds of records that have a list, which is named by the plural. */
export type Noun = 'bike' | 'wheel' | 'tyre' | 'chain' | 'groupset' | 'brake' | 'saddle' | 'handlebar'

type Named = { title: string } | { brand: string, model: string } | { brand_name: string, model_name: string }

/** Returns the title of a bike, or the brand and model of a part. */
export function nameOf (record: Named): string {
  if ('title' in record) return record.title
  return 'brand' in record ? `${record.brand} ${record.model}` : `${record.brand_name} ${record.model_name}`
}

/** Returns the address of a record on the browsable page of its list; the id must exist. */
export function recordAddress (catalogue: Catalogue, noun: Noun, id: number): string {
  const page = Math.floor(catalogue[`${noun}s`].findIndex(record => record.id === id) / defaultPageSize) + 1
  return `/api/v1/${noun}s/?format=api${page === 1 ? '' : `&page=${page}`}#${noun}-${id}`
}

/** Returns a link with a record's name; the number of a record that does not exist. */
export function recordLink (catalogue: Catalogue, noun: Noun, id: number): string {
  const records = catalogue[`${noun}s`] as readonly unknown[] as readonly ({ id: number } & Named)[]
  const record = records.find(record => record.id === id)
  return record === undefined ? html`no. ${id}` : html`<a href="!${recordAddress(catalogue, noun, id)}">${nameOf(record)}</a>`
}

/** A record with the fields in which it may name its picture. */
type Pictured = Named & { id: number, image_url?: string | null, featured_image?: string, images?: string | null }

/** Returns the picture that a record names or the one drawn for it, otherwise the logo; the first of a page is not loaded lazily. */
export function picture (
  record: Pictured, noun: Noun, { pictures }: Catalogue, { alt = `Drawing of the ${nameOf(record)}`, isFirst = false } = {}
): string {
  const drawn = `/media/${noun}s/${record.id}.jpg`
  const address = record.image_url ?? record.featured_image ?? record.images ?? (pictures.has(drawn) ? drawn : undefined)
  if (address === undefined) return html`<span class="blank">!${mark()}</span>`
  const { width, height } = pictures.get(address) ?? { width: 640, height: 480 }
  const priority = isFirst ? 'fetchpriority="high"' : 'loading="lazy"'
  return html`<img src="${address}" width="${width}" height="${height}" alt="${alt}" !${priority}>`
}
