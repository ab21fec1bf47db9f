import { html } from 'ghtml'
import type { ListKey } from '../../schemas/lists.ts'
import type { Catalogue, ServedRecord } from '../catalogue/catalogue.ts'
import { resources, type Resource } from '../lists/resources.ts'
import { isPlainObject } from '../base/json.ts'
import { short } from '../base/text.ts'
import { mark } from './layout.ts'

/** The most characters of a value in a table. */
const maxShown = 48

/** Characters from which a narrow column may cut a value off. */
const wideValue = 28

/** The most characters of the title of a value or of a record's name. */
const maxTitle = 400

/** Returns a string as it is, and another value as JSON: an object may have a `toString` that is no function. */
export const textOf = (value: unknown) => typeof value === 'string' ? value : String(JSON.stringify(value))

/** Returns the title of a record, otherwise its brand and model, otherwise its id. */
export function recordName (record: ServedRecord): string {
  const word = (name: string) => ['string', 'number'].includes(typeof record[name]) ? String(record[name]) : ''
  const brand = word('brand') || word('brand_name')
  const model = word('model') || word('model_name')
  const name = word('title').trim() || `${brand} ${model}`.trim() || `No. ${word('id') || 'unknown'}`
  return short(name, maxTitle)
}

/** The lists of the records that fields name by id. */
const listsByField: Readonly<Record<string, ListKey>> = {
  wheels: 'wheels',
  tyre: 'tyres',
  groupset: 'groupsets',
  chain: 'chains',
  saddle: 'saddles',
  handlebars: 'handlebars',
  brakes: 'brakes',
  similar_bikes: 'bikes',
  same_brand: 'bikes'
}

const positionsByList = new WeakMap<object, ReadonlyMap<unknown, number>>()

/** Returns the position of the first record with an id in its list; undefined without one. */
function positionById (records: readonly ServedRecord[], id: unknown): number | undefined {
  const known = positionsByList.get(records)
  if (known !== undefined) return known.get(id)
  const positions = new Map<unknown, number>()
  for (const [position, record] of records.entries()) {
    if (!positions.has(record.id)) positions.set(record.id, position)
  }
  positionsByList.set(records, positions)
  return positions.get(id)
}

/** Returns the URL of the page of the record with an id, which its list has. */
export function recordAddress (catalogue: Catalogue, key: ListKey, id: unknown): string {
  const position = positionById(catalogue[key], id) as number
  const { path } = resources.find(resource => resource.key === key) as Resource
  return `${path}?format=api&page=${position + 1}&page_size=1`
}

/** A value of a list's record, and its path. */
type RecordValue = { catalogue: Catalogue, key: ListKey, path: string, value: unknown }

/**
 * Returns a value as HTML: an empty one as its JSON (`written`), an id as a link, a long one shortened with the whole
 * in its title.
 */
export function valueHtml (field: RecordValue, written = JSON.stringify(field.value), most = maxShown): string {
  const { value } = field
  if (value === undefined) return '<i>absent</i>'
  const link = recordLink(field)
  if (link !== undefined) return link
  const isEmpty = typeof value === 'object' ? Object.keys(value ?? {}).length === 0 : value === ''
  if (isEmpty) return html`<i>${written}</i>`
  const text = typeof value === 'string' && value.trim() !== '' ? value : written
  const widest = most === maxShown ? wideValue : most
  const cut = html`<span title="${short(text, maxTitle)}">${short(text, most)}</span>`
  const shown = text.length > widest ? cut : html`${text}`
  const isUrl = typeof value === 'string' && /^https?:\/\/[^\s"\\]+$/.test(value)
  return isUrl ? html`<a href="${value}">!${shown}</a>` : shown
}

/**
 * Returns a link to the record that a field such as `wheels.id` or `similar_bikes[2]` names; undefined without one, and
 * for an integer that stands for several.
 */
function recordLink ({ catalogue, key, path, value }: RecordValue): string | undefined {
  const [, field = ''] = /(\w+)(?:\[\d+\])?(?:\.id)?$/.exec(path) ?? []
  const named = Object.hasOwn(listsByField, field) ? listsByField[field] : undefined
  const isRounded = typeof value === 'number' && !Number.isSafeInteger(value)
  if (named === undefined || isRounded) return undefined
  const list = named === 'bikes' && key === 'bikesV2' ? key : named
  const record = catalogue[list][positionById(catalogue[list], value) ?? -1]
  if (record === undefined) return undefined
  return html`<a href="${recordAddress(catalogue, list, value)}" title="${recordName(record)}">${String(value)}</a>`
}

/** Returns the value at a path of a record, or the value above it that has no parts; undefined where it is absent. */
export function valueIn (record: ServedRecord, path: readonly string[]): unknown {
  let value: unknown = record
  for (const name of path) {
    if (!isPlainObject(value)) return value
    value = Object.hasOwn(value, name) ? value[name] : undefined
  }
  return value
}

const folders: { readonly [key in ListKey]?: string } = { featured: 'bikes', bikesV2: 'bikes' }

/** Returns the URLs of the images of a record that browsers support, its own drawing last. */
export function imagesOf (record: ServedRecord, key: ListKey, { images }: Catalogue): string[] {
  const drawing = `/media/${folders[key] ?? key}/${textOf(record.id)}.jpg`
  const fields = [record['image_url'], record['featured_image'], record['images'], drawing]
  const addresses = new Set(fields.map(textOf))
  const isShown = (address: string) => images.has(address) || (address.startsWith('https://') && URL.canParse(address))
  return [...addresses].filter(isShown)
}

type ImageOptions = { alt?: string, isLarge?: boolean }

/** Returns the image at a URL, or the logo without one; no `alt` next to its name. */
export function recordImage (address: string | undefined, catalogue: Catalogue, options: ImageOptions = {}): string {
  const { images } = catalogue
  const { alt = '', isLarge = false } = options
  if (address === undefined) return html`<span class="blank">!${mark}</span>`
  const { width, height } = images.get(address) ?? { width: 640, height: 480 }
  const full = address.replace('/media/', '/media/full/')
  const source = html`src="${unsimulated(address)}"`
  const sources = isLarge && images.has(full) ? html` srcset="${unsimulated(full)} 2x"` : ''
  const priority = isLarge ? 'fetchpriority="high"' : 'loading="lazy"'
  return html`<img !${source}!${sources} width="${width}" height="${height}" alt="${alt}" !${priority}>`
}

/** Returns the URL of an image for pages, to which no rule of a simulation applies. */
const unsimulated = (address: string) => address.replace(/^\/media\//, '/thumbnails/')
