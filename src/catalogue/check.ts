import { pictureForm } from '../../schemas/common.ts'
import { checkBikes, checkReviewCounts, checkReviewDates, checkUpdate, reviewFields, slugOf } from './contradictions.ts'
import { brief } from './fault.ts'
import { groupBy } from './group.ts'
import type { Pictures } from './pictures.ts'
import { fieldsOf, isObject, itemsOf, keysOf, otherName, placeOfField, report, type Field, type List } from './source.ts'
import { keyOf, storedNames, type StoredLists, type StoredName } from './stored.ts'

/** The fields that hold ids of another list. */
const references: readonly (readonly [name: StoredName, field: string, target: StoredName])[] = [
  ['v1/bikes', 'wheels', 'v1/wheels'],
  ['v1/bikes', 'tyre', 'v1/tyres'],
  ['v1/bikes', 'groupset', 'v1/groupsets'],
  ['v1/bikes', 'crankset_ref', 'v1/cranksets'],
  ['v1/bikes', 'saddle', 'v1/saddles'],
  ['v1/bikes', 'handlebars', 'v1/handlebars'],
  ['v1/bikes', 'similar_bikes', 'v1/bikes'],
  ['v1/groupsets', 'chain', 'v1/chains'],
  ['v1/groupsets', 'crankset_ref', 'v1/cranksets'],
  ['v2/bikes', 'id', 'v1/bikes'],
  ['v2/cranksets', 'id', 'v1/cranksets'],
  ['v2/saddles', 'id', 'v1/saddles'],
  ['v2/handlebars', 'id', 'v1/handlebars'],
  ['v2/brakes', 'id', 'v1/brakes'],
  ['v2/bikes', 'brakes', 'v1/brakes']
]

/** Reports faults beyond those of the schemas: repeated and dangling keys, missing details, unknown pictures, contradictions. */
export function check (lists: StoredLists, pictures: Pictures['pictures']): void {
  for (const name of storedNames) {
    checkUnique(isWanted => fieldsOf(lists[name], keyOf(name), isWanted))
    checkPictures(lists[name], pictures)
  }
  const ids = new Map(storedNames.map(name => [name, valuesOf(lists[name], 'id', isId)]))
  for (const [name, field, target] of references) {
    const known = ids.get(target)
    if (known === undefined) continue
    const [version, noun = ''] = target.slice(0, -1).split('/')
    checkReferences(lists[name], field, name.startsWith('v2/') ? `${version} ${noun}` : noun, known)
    if (field === 'id') checkMissing(lists[name], field, ids.get(name), target, known)
  }
  const { 'v1/bikes': bikes, 'v2/bikes': details, 'v2/categories': categories } = lists
  checkUpdate(bikes)
  checkUnique(isWanted => fieldsOf(bikes, 'slug', isWanted))
  checkBikes(bikes)
  checkReviewCounts(bikes, details)
  checkUpdate(details)
  checkUnique(isWanted => reviewFields(details, 'id', id => typeof id === 'number' && isWanted(id)))
  checkReviewDates(details, bikes)
  const slugs = new Set(bikes.rows.flatMap(({ record }) => slugOf(record) ?? []))
  checkMissing(categories, 'slug', valuesOf(categories, 'slug', isText), 'v1/bikes', slugs)
}

const isId = (value: unknown) => Number.isInteger(value) && Number(value) >= 1
const isText = (value: unknown) => typeof value === 'string'

type Keys = ReadonlySet<unknown>

/** Returns the values of a field; undefined if one is invalid, so that references to them cannot be checked. */
function valuesOf (list: List, field: string, isValid: (value: unknown) => boolean): Keys | undefined {
  const values = keysOf(list, field)
  return list.isRead && [...values].every(isValid) ? values : undefined
}

/** Reports keys of another list that this one, with the keys `known`, lacks. */
function checkMissing ({ source }: List, field: string, known: Keys | undefined, other: StoredName, keys: Keys): void {
  if (known === undefined) return
  for (const key of [...keys].filter(key => !known.has(key))) {
    report({ source, pointer: source.root }, 'missing', `must have a record with the ${field} ${brief(key)}, which ${other}.json has`)
  }
}

/** Reports keys that an earlier field has too; the schema rejects values of another type. */
function checkUnique (find: (isWanted: (value: unknown) => boolean) => Field[]): void {
  const known = new Set<unknown>()
  const isRepeated = (value: unknown) => (isText(value) || typeof value === 'number') && known.size === known.add(value).size
  const repeated = new Set(find(isRepeated).map(({ value }) => value))
  const firsts = new Map<unknown, Field>()
  for (const field of repeated.size === 0 ? [] : find(value => repeated.has(value))) {
    const [first, place] = [firsts.get(field.value), placeOfField(field)]
    if (first === undefined) firsts.set(field.value, field)
    else report(place, 'unique', `must differ from ${otherName(placeOfField(first), place)}`, field.value)
  }
}

/** Reports ids in a field, or in its array, that match no record, each once; the schema rejects values of another type. */
function checkReferences (list: List, name: string, noun: string, ids: Keys): void {
  const isDangling = (value: unknown) => isId(value) && !ids.has(value)
  const dangling = itemsOf(fieldsOf(list, name, value => [value].flat().some(isDangling))).filter(({ value }) => isDangling(value))
  for (const [field, ...others] of groupBy(dangling, ({ value }) => value).values()) {
    const more = others.length > 0 ? ` (and ${others.length} more)` : ''
    report(placeOfField(field), 'reference', `must be the id of a ${noun}${more}`, field.value)
  }
}

const wellFormed = new RegExp(pictureForm)

/** Reports addresses of pictures that match neither a file below /media/ nor a URL; the schema checks their pattern. */
function checkPictures (list: List, pictures: Pictures['pictures']): void {
  const isUnknown = (value: unknown) =>
    typeof value === 'string' && !pictures.has(value) && wellFormed.test(value) && !URL.canParse(value)
  const formats = itemsOf(fieldsOf(list, 'image_formats', Array.isArray))
    .map(({ value, row, path }): Field => ({ value: isObject(value) ? value['url'] : undefined, row, path: [...path, 'url'] }))
  const addresses = ['image_url', 'featured_image', 'images'].flatMap(name => fieldsOf(list, name, isUnknown))
  for (const field of [...addresses, ...formats.filter(({ value }) => isUnknown(value))]) {
    report(placeOfField(field), 'picture', 'must be a picture below /media/ that exists, or an http(s) URL', field.value)
  }
}
