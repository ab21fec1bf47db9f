import { imageForm } from '../../../schemas/common.ts'
import { isPlainObject, type JsonObject } from '../../base/json.ts'
import { brief } from '../errors/error.ts'
import { keyOf, storedNames, type StoredLists, type StoredName } from '../files.ts'
import { groupBy } from '../../base/group.ts'
import type { Images } from '../images.ts'
import { eachValue, fieldsOf, otherName, placeOf, report, valuesOf, type List, type Place, type Row } from '../errors/source.ts'
import { isBefore } from '../../base/timestamps.ts'

/** The fields that hold ids of another list. */
const references: readonly (readonly [name: StoredName, field: string, target: StoredName])[] = [
  ['v1/bikes', 'wheels', 'v1/wheels'],
  ['v1/bikes', 'tyre', 'v1/tyres'],
  ['v1/bikes', 'groupset', 'v1/groupsets'],
  ['v1/bikes', 'crankset_ref', 'v1/cranksets'],
  ['v1/bikes', 'saddle', 'v1/saddles'],
  ['v1/bikes', 'handlebars', 'v1/handlebars'],
  ['v1/bikes', 'similar_bikes.*', 'v1/bikes'],
  ['v1/groupsets', 'chain', 'v1/chains'],
  ['v1/groupsets', 'crankset_ref', 'v1/cranksets'],
  ['v2/bikes', 'id', 'v1/bikes'],
  ['v2/cranksets', 'id', 'v1/cranksets'],
  ['v2/saddles', 'id', 'v1/saddles'],
  ['v2/handlebars', 'id', 'v1/handlebars'],
  ['v2/brakes', 'id', 'v1/brakes'],
  ['v2/bikes', 'brakes', 'v1/brakes']
]

/** The fields that no two records share. */
const unique: readonly (readonly [name: StoredName, field: string])[] = [
  ...storedNames.map(name => [name, keyOf(name)] as const),
  ['v1/bikes', 'slug'],
  ['v2/bikes', 'reviews.*.id']
]

const isId = (value: unknown) => Number.isInteger(value) && Number(value) >= 1
const isText = (value: unknown) => typeof value === 'string'

/** Reports errors beyond those of the schemas: repeated and dangling keys, missing details, unknown images, contradictions. */
export function check (lists: StoredLists, images: Images['images']): void {
  for (const [name, field] of unique) checkUnique(lists[name], field)
  for (const list of Object.values(lists)) checkImages(list, images)
  const ids = new Map(storedNames.map(name => [name, keysOf(lists[name], 'id', isId)]))
  for (const [name, field, target] of references) {
    const known = ids.get(target)
    if (known === undefined) continue
    const noun = target.slice(0, -1).replace('/', ' ')
    checkReferences(lists[name], field, name.startsWith('v2/') ? noun : noun.slice('v1 '.length), known)
    if (field === 'id') checkMissing(lists[name], field, ids.get(name), target, known)
  }
  const { 'v1/bikes': bikes, 'v2/bikes': details, 'v2/categories': categories } = lists
  checkMissing(categories, 'slug', keysOf(categories, 'slug', isText), 'v1/bikes', valuesOf(bikes, 'category.slug', isText))
  for (const list of [bikes, details]) checkUpdate(list)
  checkContradictions(bikes, details)
}

type Keys = ReadonlySet<unknown>

/** Returns the values of a field; undefined if one is invalid, so that references to them cannot be checked. */
function keysOf (list: List, field: string, isValid: (value: unknown) => boolean) {
  const keys = valuesOf(list, field)
  return list.isRead && [...keys].every(isValid) ? keys : undefined
}

/** Reports keys of another list that this one, with the keys `known`, lacks. */
function checkMissing ({ source }: List, field: string, known: Keys | undefined, other: StoredName, keys: Keys): void {
  if (known === undefined) return
  for (const key of [...keys].filter(key => !known.has(key))) {
    report({ source, pointer: source.root }, 'missing', `must have a record with the ${field} ${brief(key)}, which ${other}.json has`)
  }
}

/** Reports keys that an earlier record has too; the schema rejects values of another type. */
function checkUnique (list: List, name: string): void {
  const known = new Set<unknown>()
  const isKey = name.endsWith('slug') ? isText : isId
  const isRepeated = (value: unknown) => isKey(value) && known.size === known.add(value).size
  const repeated = valuesOf(list, name, isRepeated)
  const firsts = new Map<unknown, Place>()
  for (const field of repeated.size === 0 ? [] : fieldsOf(list, name, value => repeated.has(value))) {
    const first = firsts.get(field.value)
    if (first === undefined) firsts.set(field.value, field.place)
    else report(field.place, 'unique', `must differ from ${otherName(first, field.place)}`, field.value)
  }
}

/** Reports ids in a field that match no record, each once; the schema rejects values of another type. */
function checkReferences (list: List, name: string, noun: string, ids: Keys): void {
  const dangling = fieldsOf(list, name, value => isId(value) && !ids.has(value))
  for (const [field, ...others] of groupBy(dangling, ({ value }) => value).values()) {
    const more = others.length > 0 ? ` (and ${others.length} more)` : ''
    report(field.place, 'reference', `must be the id of a ${noun}${more}`, field.value)
  }
}

const wellFormed = new RegExp(imageForm)

/** Reports addresses of images that match neither a file below /media/ nor a URL; the schema checks their pattern. */
function checkImages (list: List, images: Images['images']): void {
  const isUnknown = (value: unknown) =>
    typeof value === 'string' && !images.has(value) && wellFormed.test(value) && !URL.canParse(value)
  for (const field of ['image_url', 'featured_image', 'images', 'image_formats.*.url'].flatMap(name => fieldsOf(list, name, isUnknown))) {
    report(field.place, 'image', 'must be an image below /media/ that exists, or an http(s) URL', field.value)
  }
}

/** Reports an `updated` that is earlier than the newest record or review of its list. */
function checkUpdate (list: List): void {
  const { updated: { value, source } } = list
  const newest = newestDate(list)
  if (newest === value) return
  report({ source, pointer: '/updated' }, 'dates', `must not be before the newest date of its records, ${brief(newest)}`, value)
}

/** Returns the latest of a list's `updated` and the dates of its records and reviews. */
export function newestDate (list: List): unknown {
  let newest = list.updated.value
  for (const name of ['date_added', 'date_updated', 'reviews.*.date_added']) {
    eachValue(list, name, date => { if (isBefore(newest, date)) newest = date })
  }
  return newest
}

const categoryOf = ({ record: { category } }: Row): JsonObject => isPlainObject(category) ? category : {}

type Contradiction = [list: List, field: string, rule: string, isWrong: (value: unknown, row: Row) => boolean, mustOf: (row: Row) => string]

/** Reports bikes that contradict themselves, an earlier bike of their category, or their details of version 2.1. */
function checkContradictions (bikes: List, details: List): void {
  const dates = new Map(bikes.rows.map(({ record: { id, date_added: added } }) => [id, added]))
  const counts = new Map(details.rows.map(({ record: { id, reviews } }) => [id, Array.isArray(reviews) ? reviews.length : undefined]))
  const named = new Map<unknown, Row>()
  const firstOf = (row: Row): Row => {
    const { slug, name } = categoryOf(row)
    if (!isText(slug) || !isText(name)) return row
    const first = named.get(slug) ?? row
    named.set(slug, first)
    return first
  }
  const notBefore = (list: List, field: string, noun: string): Contradiction => {
    const addedOf = ({ record: { id, date_added: added } }: Row) => list === bikes ? added : dates.get(id)
    return [list, field, 'dates', (date, row) => isBefore(date, addedOf(row)), row => `must not be before ${noun} ${brief(addedOf(row))}`]
  }

  const contradictions: readonly Contradiction[] = [
    [bikes, 'similar_bikes.*', 'self', (id, { record }) => id === record['id'], () => 'must be another bike'],
    [bikes, 'bike_type', 'category', (type, bike) => isText(type) && isText(categoryOf(bike)['slug']) && type !== categoryOf(bike)['slug'],
      bike => `must be ${brief(categoryOf(bike)['slug'])} like category.slug`],
    [bikes, 'category.name', 'category', (name, bike) => name !== categoryOf(firstOf(bike))['name'], bike => {
      const [own, first] = [bike, firstOf(bike)].map(row => placeOf(row, 'category', 'name')) as [Place, Place]
      return `must be ${brief(categoryOf(firstOf(bike))['name'])} like ${otherName(first, own)}, which has the same slug`
    }],
    [bikes, 'review_count', 'count', (count, { record: { id } }) => Number.isInteger(count) && count !== (counts.get(id) ?? count),
      ({ record: { id } }) => `must be ${counts.get(id)}, the number of its reviews`],
    notBefore(bikes, 'date_updated', 'date_added'),
    notBefore(bikes, 'fitness_last_synced', 'date_added'),
    notBefore(details, 'reviews.*.date_added', "the bike's date_added")
  ]
  for (const [list, name, rule, isWrong, mustOf] of contradictions) {
    for (const field of fieldsOf(list, name, isWrong)) report(field.place, rule, mustOf(field.row), field.value)
  }
}
