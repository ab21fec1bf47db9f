import { html } from 'ghtml'
import type { ListKey } from '../../schemas/lists.ts'
import type { Catalogue, ServedRecord } from '../catalogue/catalogue.ts'
import { resources, type Resource } from '../lists/resources.ts'
import { isPlainObject } from '../base/json.ts'
import { short } from '../base/text.ts'
import { mark } from './layout.ts'

/** The most characters of a value, and of its title, in a table. */
const [maxShown, maxTitle] = [48, 400]

/** Returns the title of a record, otherwise its brand and model, otherwise its id. */
export function nameOf (record: ServedRecord): string {
  const textOf = (name: string) => ['string', 'number'].includes(typeof record[name]) ? String(record[name]) : ''
  const make = ['brand', 'model'].map(name => textOf(name) || textOf(`${name}_name`)).join(' ')
  return short(textOf('title').trim() || make.trim() || `No. ${textOf('id') || 'unknown'}`, maxTitle)
}

/** The lists of the records that fields name by id. */
const namedLists: Readonly<Record<string, ListKey>> = {
  wheels: 'wheels', tyre: 'tyres', groupset: 'groupsets', chain: 'chains', saddle: 'saddles', handlebars: 'handlebars', brakes: 'brakes',
  similar_bikes: 'bikes', same_brand: 'bikes'
}

const positions = new WeakMap<object, ReadonlyMap<unknown, number>>()

/** Returns the position of the first record with an id in its list; undefined without one. */
function positionOf (records: readonly ServedRecord[], id: unknown): number | undefined {
  const known = positions.get(records) ?? new Map(records.map((record, position) => [record.id, position] as const).reverse())
  positions.set(records, known)
  return known.get(id)
}

/** Returns the URL of the page of the record with an id, which its list has. */
export function recordAddress (catalogue: Catalogue, key: ListKey, id: unknown): string {
  const position = positionOf(catalogue[key], id) as number
  const { path } = resources.find(resource => resource.key === key) as Resource
  return `${path}?format=api&page=${position + 1}&page_size=1`
}

/** Returns the record that a field such as `wheels.id` or `similar_bikes[2]` names, with the URL of its page; undefined without one. */
function named (catalogue: Catalogue, key: ListKey, path: string, value: unknown) {
  const [, field = ''] = /(\w+)(?:\[\d+\])?(?:\.id)?$/.exec(path) ?? []
  const known = Object.hasOwn(namedLists, field) ? namedLists[field] : undefined
  const list = known === 'bikes' && key === 'bikesV2' ? key : known
  const position = list && positionOf(catalogue[list], value)
  if (list === undefined || position === undefined) return undefined
  return { address: recordAddress(catalogue, list, value), name: nameOf(catalogue[list][position] as ServedRecord) }
}

/** A value of a list's record, and its path. */
type Field = { catalogue: Catalogue, key: ListKey, path: string, value: unknown }

/** Returns a value as HTML: an empty one as its JSON (`written`), an id as a link, a long one shortened with the whole in its title. */
export function valueHtml (field: Field, written = JSON.stringify(field.value), most = maxShown): string {
  const { catalogue, key, path, value } = field
  const record = named(catalogue, key, path, value)
  if (record !== undefined) return html`<a href="${record.address}" title="${record.name}">${String(value)}</a>`
  if (value === undefined) return '<i>absent</i>'
  if (value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)) return html`<i>${written}</i>`
  const text = typeof value === 'string' && value.trim() !== '' ? value : written
  const shown = text.length > most ? html`<span title="${short(text, maxTitle)}">${short(text, most)}</span>` : html`${text}`
  return typeof value === 'string' && /^https?:\/\/[^\s"\\]+$/.test(value) ? html`<a href="${value}">!${shown}</a>` : shown
}

/** Returns the value at a path of a record, or the value above it that has no parts; undefined where it is absent. */
export function valueIn (record: ServedRecord, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => !isPlainObject(value) ? value : Object.hasOwn(value, name) ? value[name] : undefined, record)
}

const folders: { readonly [key in ListKey]?: string } = { featured: 'bikes', bikesV2: 'bikes' }

/** Returns the URLs of the images of a record that browsers support, its own drawing last. */
export function imagesOf (record: ServedRecord, key: ListKey, { images }: Catalogue): string[] {
  const fields = [record['image_url'], record['featured_image'], record['images'], `/media/${folders[key] ?? key}/${record.id}.jpg`]
  const isShown = (address: string) => images.has(address) || (address.startsWith('https://') && URL.canParse(address))
  return [...new Set(fields.map(String))].filter(isShown)
}

/** Returns the image at a URL, or the logo without one; no `alt` next to its name. */
export function image (address: string | undefined, { images }: Catalogue, { alt = '', isLarge = false } = {}): string {
  if (address === undefined) return html`<span class="blank">!${mark}</span>`
  const { width, height } = images.get(address) ?? { width: 640, height: 480 }
  const full = address.replace('/media/', '/media/full/')
  const sources = isLarge && images.has(full) ? html` srcset="${unsimulated(full)} 2x"` : ''
  const priority = isLarge ? 'fetchpriority="high"' : 'loading="lazy"'
  return html`<img src="${unsimulated(address)}"!${sources} width="${width}" height="${height}" alt="${alt}" !${priority}>`
}

/** Returns the URL of an image for pages, to which no rule of a simulation applies. */
const unsimulated = (address: string) => address.replace(/^\/media\//, '/thumbnails/')
