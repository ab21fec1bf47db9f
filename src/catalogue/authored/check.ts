import { imageForm } from '../../../schemas/common.ts'
import type { StoredName } from '../../../schemas/stored.ts'
import { valueAt } from '../../base/json.ts'
import { isBefore } from '../../base/timestamps.ts'
import { brief } from '../errors/error.ts'
import {
  distinctValues, eachValue, errorAt, fieldsAt, otherName, placeOf, report, type DataRow, type Field, type IsWanted,
  type List
} from '../errors/source.ts'
import { keyField, storedNames, type StoredLists } from '../files.ts'
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
  ...storedNames.map(name => [name, keyField(name)] as const),
  ['v1/bikes', 'slug'],
  ['v2/bikes', 'reviews.*.id']
]

const isString = (value: unknown): value is string => typeof value === 'string'
const isId = (value: unknown) => Number.isInteger(value) && Number(value) >= 1

/** Returns whether a value may be the key at a path. */
const isKey = (path: string) => path.endsWith('slug') ? isString : isId

/** Reports errors beyond those of schemas: repeated, dangling and missing keys, unknown images, contradictions. */
export function check (lists: StoredLists, images: Images['images']): void {
  const keys: KeysByName = new Map(storedNames.map(name => [name, validKeys(lists[name], name)]))
  const rules = [
    ...unique.map(([name, path]) => uniqueRule(lists[name], path, isKey(path))),
    ...imageRules(lists, images),
    ...referenceRules(lists, keys),
    ...contradictions(lists)
  ]
  for (const { source, error } of rules.flatMap(violations)) source.errors.push(error)

  // Each key of a list has a record with its details.
  for (const [name, other, path] of details) {
    const known = keys.get(name)
    if (known === undefined) continue
    const { source } = lists[name]
    for (const key of distinctValues(lists[other], path)) {
      if (known.has(key) || !isKey(path)(key)) continue
      const must = `must have a record with the ${keyField(name)} ${brief(key)}, which ${other}.json has`
      report({ source, pointer: source.root }, 'missing', must)
    }
  }

  for (const list of [lists['v1/bikes'], lists['v2/bikes']]) {
    const { value, source } = list.updated
    const newest = newestDate(list)
    if (newest === value) continue
    const must = `must not be before the newest date of its records, ${brief(newest)}`
    report({ source, pointer: '/updated' }, 'dates', must, value)
  }
}

/** Returns the latest of a list's `updated` and the dates of its records and reviews. */
export function newestDate (list: List): unknown {
  let newest = list.updated.value
  for (const path of ['date_added', 'date_updated', 'reviews.*.date_added']) {
    eachValue(list, path, date => {
      if (isBefore(newest, date)) newest = date
    })
  }
  return newest
}

type KeysByName = ReadonlyMap<StoredName, ReadonlySet<unknown> | undefined>

/** Returns the keys of a list; undefined if one is invalid, so that references to them cannot be checked. */
function validKeys (list: List, name: StoredName): ReadonlySet<unknown> | undefined {
  const path = keyField(name)
  const keys = distinctValues(list, path)
  const areValid = list.isRead && [...keys].every(isKey(path))
  return areValid ? keys : undefined
}

/** A rule about the values at a path of a list; schemas reject values of another type. */
type FieldRule = {
  readonly list: List
  readonly path: string
  readonly rule: string
  readonly isWrong: IsWanted
  readonly mustOf: (field: Field) => string
}

/** Returns the errors of the fields that violate a rule, each with its source. */
export function violations ({ list, path, rule, isWrong, mustOf }: FieldRule) {
  return fieldsAt(list, path, isWrong).map(field => {
    const { place, value } = field
    return { source: place.source, error: errorAt(place, rule, mustOf(field), value) }
  })
}

/** Wanted values differ from all earlier ones. */
export function uniqueRule (list: List, path: string, isWanted: (value: unknown) => boolean): FieldRule {
  const firsts = new Map<unknown, DataRow>()
  const isRepeated = (value: unknown, row: DataRow) => {
    if (!isWanted(value)) return false
    if (firsts.has(value)) return true
    firsts.set(value, row)
    return false
  }
  const mustOf = ({ value, place }: Field) => {
    const rows = [firsts.get(value) as DataRow]
    const [first] = fieldsAt({ ...list, rows }, path, other => other === value) as [Field]
    return `must differ from ${otherName(first.place, place)}`
  }
  return { list, path, rule: 'unique', isWrong: isRepeated, mustOf }
}

const imagePaths = ['image_url', 'featured_image', 'images', 'image_formats.*.url']

/** Images are files below /media/, or URLs. */
function imageRules (lists: StoredLists, images: Images['images']): FieldRule[] {
  const wellFormed = new RegExp(imageForm)
  const isWrong = (value: unknown) => {
    return isString(value) && !images.has(value) && wellFormed.test(value) && !URL.canParse(value)
  }
  const mustOf = () => 'must be an image below /media/ that exists, or an http(s) URL'
  const rules: FieldRule[] = []
  for (const path of imagePaths) {
    for (const list of Object.values(lists)) rules.push({ list, path, rule: 'image', isWrong, mustOf })
  }
  return rules
}

function referenceRules (lists: StoredLists, keys: KeysByName): FieldRule[] {
  return references.map(([name, path, target]) => {
    const known = keys.get(target)
    const isWrong = (id: unknown) => known?.has(id) === false && isId(id)
    const singular = target.slice(0, -1) // v1/wheel
    const noun = name.startsWith('v2/') ? singular.replace('/', ' ') : singular.slice('v1/'.length)
    return { list: lists[name], path, rule: 'reference', isWrong, mustOf: () => `must be the id of a ${noun}` }
  })
}

const slugPath = ['category', 'slug'] as const
const namePath = ['category', 'name'] as const

const categorySlug = ({ record }: DataRow) => valueAt(record, slugPath)
const categoryName = ({ record }: DataRow) => valueAt(record, namePath)

/** Bikes must not contradict themselves, an earlier bike of their category, or their details of version 2.1. */
function contradictions ({ 'v1/bikes': bikes, 'v2/bikes': details }: StoredLists): FieldRule[] {
  const dates = new Map(bikes.rows.map(({ record }) => [record['id'], record['date_added']]))
  return [
    {
      list: bikes,
      path: 'similar_bikes.*',
      rule: 'self',
      isWrong: (id, { record }) => id === record['id'],
      mustOf: () => 'must be another bike'
    },
    {
      list: bikes,
      path: 'bike_type',
      rule: 'category',
      isWrong: (type, row) => isString(type) && isString(categorySlug(row)) && type !== categorySlug(row),
      mustOf: ({ row }) => `must be ${brief(categorySlug(row))} like category.slug`
    },
    categoryRule(bikes),
    countRule(bikes, details),
    notBefore(bikes, 'date_updated', 'date_added', dates),
    notBefore(bikes, 'fitness_last_synced', 'date_added', dates),
    notBefore(details, 'reviews.*.date_added', "the bike's date_added", dates)
  ]
}

/** Categories with the same slug have the same name. */
function categoryRule (bikes: List): FieldRule {
  const firsts = new Map<unknown, DataRow>()
  const isOtherName = (name: unknown, row: DataRow) => {
    const slug = categorySlug(row)
    if (!isString(slug) || !isString(name)) return false
    const first = firsts.get(slug) ?? row
    firsts.set(slug, first)
    return name !== categoryName(first)
  }
  const mustOf = ({ row, place }: Field) => {
    const first = firsts.get(categorySlug(row)) as DataRow
    const other = otherName(placeOf(first, ...namePath), place)
    return `must be ${brief(categoryName(first))} like ${other}, which has the same slug`
  }
  return { list: bikes, path: 'category.name', rule: 'category', isWrong: isOtherName, mustOf }
}

/** The number of reviews is that of version 2.1, where it has them. */
function countRule (bikes: List, details: List): FieldRule {
  const counts = new Map<unknown, number>()
  for (const { record } of details.rows) {
    const { id, reviews } = record
    if (Array.isArray(reviews)) counts.set(id, reviews.length)
  }
  return {
    list: bikes,
    path: 'review_count',
    rule: 'count',
    isWrong (count, { record: { id } }) {
      return Number.isInteger(count) && counts.has(id) && count !== counts.get(id)
    },
    mustOf: ({ row }) => `must be ${counts.get(row.record['id'])}, the number of its reviews`
  }
}

/** Dates are not before the one when the bike was added; details have that by their id. */
function notBefore (list: List, path: string, noun: string, dates: ReadonlyMap<unknown, unknown>): FieldRule {
  const addedOf = ({ record }: DataRow) => 'date_added' in record ? record['date_added'] : dates.get(record['id'])
  return {
    list,
    path,
    rule: 'dates',
    isWrong: (date, row) => isBefore(date, addedOf(row)),
    mustOf: ({ row }) => `must not be before ${noun} ${brief(addedOf(row))}`
  }
}
