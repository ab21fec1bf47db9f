import { imageForm } from '../../../schemas/common.ts'
import type { StoredName } from '../../../schemas/stored.ts'
import { valueAt } from '../../base/json.ts'
import { isBefore } from '../../base/timestamps.ts'
import { brief } from '../errors/error.ts'
import {
  eachValue, errorAt, fieldsOf, otherName, placeOf, report, valuesOf, type Field, type IsWanted, type List, type Row
} from '../errors/source.ts'
import { keyOf, storedNames, type StoredLists } from '../files.ts'
import type { Images } from '../images.ts'

const detailed = ['bikes', 'cranksets', 'saddles', 'handlebars', 'brakes'] as const

/** The lists with a record for each key of another list, and the path of that key. */
export const details: readonly (readonly [name: StoredName, other: StoredName, path: string])[] = [
  ...detailed.map(name => [`v2/${name}`, `v1/${name}`, 'id'] as const),
  ['v2/categories', 'v1/bikes', 'category.slug']
]

const references: readonly (readonly [name: StoredName, path: string, target: StoredName])[] = [
  ['v1/bikes', 'wheels', 'v1/wheels'],
  ['v1/bikes', 'tyre', 'v1/tyres'],
  ['v1/bikes', 'groupset', 'v1/groupsets'],
  ['v1/bikes', 'crankset_ref', 'v1/cranksets'],
  ['v1/bikes', 'saddle', 'v1/saddles'],
  ['v1/bikes', 'handlebars', 'v1/handlebars'],
  ['v1/bikes', 'similar_bikes.*', 'v1/bikes'],
  ['v1/groupsets', 'chain', 'v1/chains'],
  ['v1/groupsets', 'crankset_ref', 'v1/cranksets'],
  ['v2/bikes', 'brakes', 'v1/brakes'],
  ...detailed.map(name => [`v2/${name}`, 'id', `v1/${name}`] as const)
]

const unique: readonly (readonly [name: StoredName, path: string])[] = [
  ...storedNames.map(name => [name, keyOf(name)] as const),
  ['v1/bikes', 'slug'],
  ['v2/bikes', 'reviews.*.id']
]

const isText = (value: unknown) => typeof value === 'string'
const isId = (value: unknown) => Number.isInteger(value) && Number(value) >= 1
const isKey = (path: string) => path.endsWith('slug') ? isText : isId

/** Reports errors beyond those of the schemas: repeated and dangling keys, missing details, unknown images, contradictions. */
export function check (lists: StoredLists, images: Images['images']): void {
  const keys = new Map(storedNames.map(name => [name, keysOf(lists[name], keyOf(name))]))
  const uniqueRules = unique.map(([name, path]) => uniqueRule(lists[name], path, isKey(path)))
  apply([...uniqueRules, ...imageRules(lists, images), ...referenceRules(lists, keys), ...contradictions(lists)])
  for (const [name, other, path] of details) {
    const [{ source }, known] = [lists[name], keys.get(name)]
    for (const key of known === undefined ? [] : valuesOf(lists[other], path)) {
      if (known?.has(key) || !isKey(path)(key)) continue
      const must = `must have a record with the ${keyOf(name)} ${brief(key)}, which ${other}.json has`
      report({ source, pointer: source.root }, 'missing', must)
    }
  }
  for (const list of [lists['v1/bikes'], lists['v2/bikes']]) {
    const [{ updated: { value, source } }, newest] = [list, newestDate(list)]
    if (newest === value) continue
    report({ source, pointer: '/updated' }, 'dates', `must not be before the newest date of its records, ${brief(newest)}`, value)
  }
}

/** Returns the latest of a list's `updated` and the dates of its records and reviews. */
export function newestDate (list: List): unknown {
  let newest = list.updated.value
  for (const path of ['date_added', 'date_updated', 'reviews.*.date_added']) {
    eachValue(list, path, date => { if (isBefore(newest, date)) newest = date })
  }
  return newest
}

/** Returns the keys of a list; undefined if one is invalid, so that references to them cannot be checked. */
function keysOf (list: List, path: string) {
  const keys = valuesOf(list, path)
  return list.isRead && [...keys].every(isKey(path)) ? keys : undefined
}

/** A rule about the values at a path of a list; schemas reject values of another type. */
type Rule = readonly [list: List, path: string, rule: string, isWrong: IsWanted, mustOf: (field: Field) => string]

/** Adds the violations of rules to the errors or differences of their sources. */
export function apply (rules: readonly Rule[], to: 'errors' | 'differences' = 'errors'): void {
  for (const [list, path, rule, isWrong, mustOf] of rules) {
    for (const field of fieldsOf(list, path, isWrong)) field.place.source[to].push(errorAt(field.place, rule, mustOf(field), field.value))
  }
}

/** Wanted values differ from all earlier ones. */
export function uniqueRule (list: List, path: string, isWanted: (value: unknown) => boolean): Rule {
  const firsts = new Map<unknown, Row>()
  const isRepeated = (value: unknown, row: Row) => {
    if (!isWanted(value)) return false
    const isKnown = firsts.has(value)
    if (!isKnown) firsts.set(value, row)
    return isKnown
  }
  return [list, path, 'unique', isRepeated, ({ value, place }) => {
    const [first] = fieldsOf({ ...list, rows: [firsts.get(value) as Row] }, path, other => other === value) as [Field]
    return `must differ from ${otherName(first.place, place)}`
  }]
}

/** Images are files below /media/, or URLs. */
function imageRules (lists: StoredLists, images: Images['images']): Rule[] {
  const wellFormed = new RegExp(imageForm)
  const isUnknown = (value: unknown) => isText(value) && !images.has(value) && wellFormed.test(value) && !URL.canParse(value)
  return ['image_url', 'featured_image', 'images', 'image_formats.*.url'].flatMap(path => Object.values(lists).map((list): Rule =>
    [list, path, 'image', isUnknown, () => 'must be an image below /media/ that exists, or an http(s) URL']))
}

function referenceRules (lists: StoredLists, keys: ReadonlyMap<StoredName, ReadonlySet<unknown> | undefined>): Rule[] {
  return references.map(([name, path, target]) => {
    const known = keys.get(target)
    const noun = target.slice(name.startsWith('v2/') ? 0 : 'v1/'.length, -1).replace('/', ' ')
    return [lists[name], path, 'reference', id => known?.has(id) === false && isId(id), () => `must be the id of a ${noun}`]
  })
}

/** Bikes must not contradict themselves, an earlier bike of their category, or their details of version 2.1. */
function contradictions ({ 'v1/bikes': bikes, 'v2/bikes': details }: StoredLists): Rule[] {
  const dates = new Map(bikes.rows.map(({ record: { id, date_added: added } }) => [id, added]))
  const counts = new Map(details.rows.map(({ record: { id, reviews } }) => [id, Array.isArray(reviews) ? reviews.length : undefined]))
  const [slug, name] = [['category', 'slug'], ['category', 'name']] as const
  const firsts = new Map<unknown, Row>()
  const isOtherName = (own: unknown, row: Row) => {
    const key = valueAt(row.record, slug)
    if (!isText(key) || !isText(own)) return false
    const first = firsts.get(key) ?? row
    firsts.set(key, first)
    return own !== valueAt(first.record, name)
  }
  const nameOfFirst = ({ row, place }: Field) => {
    const first = firsts.get(valueAt(row.record, slug)) as Row
    return `must be ${brief(valueAt(first.record, name))} like ${otherName(placeOf(first, ...name), place)}, which has the same slug`
  }
  const notBefore = (list: List, path: string, noun: string): Rule => {
    const addedOf = ({ record: { id, date_added: added = dates.get(id) } }: Row) => added
    const mustOf = ({ row }: Field) => `must not be before ${noun} ${brief(addedOf(row))}`
    return [list, path, 'dates', (date, row) => isBefore(date, addedOf(row)), mustOf]
  }
  return [
    [bikes, 'similar_bikes.*', 'self', (id, { record }) => id === record['id'], () => 'must be another bike'],
    [bikes, 'bike_type', 'category', (type, { record }) => isText(type) && isText(valueAt(record, slug)) && type !== valueAt(record, slug),
      ({ row }) => `must be ${brief(valueAt(row.record, slug))} like category.slug`],
    [bikes, 'category.name', 'category', isOtherName, nameOfFirst],
    [bikes, 'review_count', 'count', (count, { record: { id } }) => Number.isInteger(count) && count !== (counts.get(id) ?? count),
      ({ row }) => `must be ${counts.get(row.record['id'])}, the number of its reviews`],
    notBefore(bikes, 'date_updated', 'date_added'),
    notBefore(bikes, 'fitness_last_synced', 'date_added'),
    notBefore(details, 'reviews.*.date_added', "the bike's date_added")
  ]
}
