import type { TSchema } from '@sinclair/typebox'
import { html } from 'ghtml'
import type { Keywords } from '../../schemas/common.ts'
import type { Catalogue, ServedRecord } from '../catalogue/catalogue.ts'
import { numberField } from '../lists/readers.ts'
import { lookupsOf } from '../lists/lookups.ts'
import { defaultPageSize } from '../lists/page.ts'
import { isPlainObject, valueAt } from '../base/json.ts'
import type { Settings } from '../settings/settings.ts'
import { mark } from './layout.ts'

/** The kinds of records that have a list; its name is the plural. */
export type Noun = 'bike' | 'wheel' | 'tyre' | 'chain' | 'groupset' | 'brake' | 'saddle' | 'handlebar'

/** The data for links to records. */
export type Shown = { catalogue: Catalogue, settings: Partial<Pick<Settings, 'pageSize'>> }

/** The most characters of a string in a browsable page, outside the JSON. */
const maxText = 300

/** Returns a string or number as a shortened string; empty for any other value. */
export function textOf (value: unknown): string {
  const text = typeof value === 'string' || Number.isFinite(value) ? String(value) : ''
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text
}

/** Returns the string at a path of a record; empty if it is absent or has another type. */
export const textAt = (record: ServedRecord, path: string) => textOf(valueAt(record, path.split('.')))

/** Returns the number at a path of a record, also from a string; null if it is absent or has another type. */
export const numberAt = (record: ServedRecord, path: string) => numberField(path)(record) as number | null

/** Separates thousands; Intl.NumberFormat would take 10 ms for the first number. */
export const grouped = (number: number | string) => String(number).replace(/(?<!\.\d*)\B(?=(?:\d{3})+(?!\d))/g, ',')

/** Formats a count with its noun, such as `1 view` or `3,228 views`. */
export const count = (number: number, noun: string) => `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`

/** Returns the title of a record, otherwise its brand and model, otherwise its number. */
export function nameOf (record: ServedRecord): string {
  const make = ['brand', 'model'].map(name => textAt(record, name) || textAt(record, `${name}_name`)).join(' ')
  return textAt(record, 'title').trim() || make.trim() || `No. ${record.id}`
}

/** Returns names with their values (HTML); empty values are unknown. */
export function factList (facts: readonly (readonly [name: string, value: string])[]): string {
  const known = facts.filter(([, value]) => value !== '')
  return html`<dl class="facts">!${known.map(([name, value]) => html`<div><dt>${name}</dt><dd dir="auto">!${value}</dd></div>
`)}</dl>`
}

/** Returns the URL of a record in the browsable page of its list, which must contain it. */
export function recordAddress ({ catalogue, settings }: Shown, noun: Noun, id: number, key: `${Noun}s` | 'featured' = `${noun}s`): string {
  const pageSize = settings.pageSize ?? catalogue.recorded[key]?.pageSize ?? defaultPageSize
  const page = Math.floor(Number(lookupsOf(catalogue).positionOf(key, id)) / pageSize) + 1
  const path = key === 'featured' ? 'bikes/featured' : key
  return `/api/v1/${path}/?format=api${page === 1 ? '' : `&page=${page}`}#${noun}-${id}`
}

/** Returns links to the first of some records; a missing record is only its number. */
export function recordLinks (shown: Shown, noun: Noun, ids: readonly (number | null)[], maxLinks: number): string[] {
  const list = shown.catalogue[`${noun}s`]
  const { positionOf } = lookupsOf(shown.catalogue)
  const known = ids.filter(id => id !== null)
  const links = known.slice(0, maxLinks).map(id => {
    const record = list[positionOf(`${noun}s`, id) ?? -1]
    return record === undefined ? html`no. ${id}` : html`<a href="!${recordAddress(shown, noun, id)}"><bdi>${nameOf(record)}</bdi></a>`
  })
  return known.length > maxLinks ? [...links, `and ${known.length - maxLinks} more`] : links
}

/** Returns the first image of a record that browsers support, its own drawing, or the logo; no `alt` next to its name. */
export function image (record: ServedRecord, noun: Noun, { images }: Catalogue, { alt = '', isFirst = false } = {}): string {
  const address = [record['image_url'], record['featured_image'], record['images'], `/media/${noun}s/${record.id}.jpg`].map(String)
    .find(address => images.has(address) || (address.startsWith('https://') && URL.canParse(address)))
  if (address === undefined) return html`<span class="blank">!${mark}</span>`
  const { width, height } = images.get(address) ?? { width: 640, height: 480 }
  const full = address.replace('/media/', '/media/full/')
  const sources = images.has(full) ? html` srcset="${full} 2x"` : ''
  const priority = isFirst ? 'fetchpriority="high"' : 'loading="lazy"'
  return html`<img src="${address}"!${sources} width="${width}" height="${height}" alt="${alt}" !${priority}>`
}

/** The most fields beyond the contract that a record shows, and the most that it shows unfolded. */
const [maxOthers, unfolded] = [20, 6]

/** Returns a table of a record's values that are absent from the contract or differ in type. */
export function otherFields (contract: TSchema, record: object): string {
  const others = beyond(contract as Keywords, record)
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

/** Returns the parts of a value that are absent from its schema or differ in type, with their paths. */
function beyond (schema: Keywords, value: unknown, path = ''): [path: string, value: unknown][] {
  const { type, anyOf: [either] = [], properties, items, maxItems = Infinity } = schema
  if (either !== undefined) return value === null ? [] : beyond(either, value, path)
  if (properties !== undefined && isPlainObject(value)) {
    return Object.entries(value).flatMap(([name, inner]) => {
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined
      const own = path === '' ? name : `${path}.${name}`
      return field === undefined ? [[own, inner]] : beyond(field, inner, own)
    })
  }
  if (items !== undefined && Array.isArray(value)) {
    return value.length > maxItems ? [[path, value]] : value.flatMap((item, index) => beyond(items, item, `${path}[${index}]`))
  }
  return type === undefined || [type].flat().some(type => typesOf(value).includes(type)) ? [] : [[path, value]]
}

function typesOf (value: unknown): string[] {
  if (value === null) return ['null']
  if (Array.isArray(value)) return ['array']
  return Number.isInteger(value) ? ['integer', 'number'] : [typeof value]
}
