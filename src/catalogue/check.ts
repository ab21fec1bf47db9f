import type { storedV1, storedV2 } from '../../schemas/stored.ts'
import {
  complainAboutBikes, complainAboutReviewCounts, complainAboutReviewDates, complainAboutUpdate, reviewIds, slugOf
} from './contradictions.ts'
import { below, complainOf, shown, type Complaint } from './fault.ts'
import { eachRecord, otherPlace, valuesOf, type At, type DataFile, type Placed } from './files.ts'
import { complainAboutPictures, type Pictures } from './pictures.ts'

export type ResourceV1 = keyof typeof storedV1
export type ResourceV2 = keyof typeof storedV2
export type FilesV1 = Readonly<Record<ResourceV1, DataFile>>
export type FilesV2 = Readonly<Record<ResourceV2, DataFile>>

/** The fields that hold ids, with the resource of these ids. */
const references: Readonly<Partial<Record<ResourceV1, Readonly<Record<string, ResourceV1>>>>> = {
  bikes: {
    wheels: 'wheels', tyre: 'tyres', groupset: 'groupsets', crankset_ref: 'cranksets', saddle: 'saddles', handlebars: 'handlebars',
    similar_bikes: 'bikes'
  },
  groupsets: { chain: 'chains', crankset_ref: 'cranksets' }
}

/** The resources of v1 with a v2 record for each record. */
const detailed = ['bikes', 'cranksets', 'saddles', 'handlebars', 'brakes'] as const

const singular = (resource: ResourceV1) => resource.slice(0, -1)

function checked (file: DataFile, ...complaints: Complaint[][]): DataFile {
  return { ...file, complaints: [...file.complaints, ...complaints.flat()] }
}

/** Returns the files with complaints beyond those of the schemas: ids, references, pictures, contradictions, missing details. */
export function check (v1: FilesV1, v2: FilesV2, { pictures }: Pictures): DataFile[] {
  const ids = new Map(Object.values(v1).map(file => [file.resource, idsOf(file)]))

  const listed = Object.values(v1).map(file => checked(file,
    duplicates(file, valuesOf(file, 'id', isKey)),
    complainAboutPictures(file, pictures),
    ...Object.entries(references[file.resource as ResourceV1] ?? {})
      .map(([field, target]) => dangling(file, field, singular(target), ids.get(target))),
    ...file === v1.bikes
      ? [
          complainAboutUpdate(file),
          duplicates(file, valuesOf(file, 'slug', isKey)),
          complainAboutBikes(file),
          complainAboutReviewCounts(file, v2.bikes)
        ]
      : []
  ))
  const details = detailed.map(resource => checked(v2[resource],
    duplicates(v2[resource], valuesOf(v2[resource], 'id', isKey)),
    dangling(v2[resource], 'id', `v1 ${singular(resource)}`, ids.get(resource)),
    missing(v2[resource], 'id', idsOf(v2[resource]), v1[resource], ids.get(resource)),
    ...resource === 'bikes'
      ? [
          dangling(v2.bikes, 'brakes', 'v1 brake', ids.get('brakes')),
          complainAboutPictures(v2.bikes, pictures),
          complainAboutUpdate(v2.bikes),
          duplicates(v2.bikes, reviewIds(v2.bikes)),
          complainAboutReviewDates(v2.bikes, v1.bikes)
        ]
      : []
  ))
  const categories = new Set<unknown>()
  eachRecord(v1.bikes, bike => categories.add(slugOf(bike)))
  categories.delete(undefined)
  return [...listed, ...details, checked(v2.categories,
    duplicates(v2.categories, valuesOf(v2.categories, 'slug', isKey)),
    missing(v2.categories, 'slug', keysOf(v2.categories, 'slug', isText), v1.bikes, categories)
  )]
}

const isId = (value: unknown) => Number.isInteger(value) && Number(value) >= 1
const isText = (value: unknown) => typeof value === 'string'
const isKey = (value: unknown) => isText(value) || typeof value === 'number'

type Keys = ReadonlySet<unknown> | undefined

/** Returns the values of a field; undefined if one is invalid, so that references to them cannot be checked. */
function keysOf (file: DataFile, field: string, isValid: (value: unknown) => boolean): Keys {
  const keys = new Set<unknown>()
  eachRecord(file, ({ [field]: value }) => keys.add(value))
  return file.records !== null && [...keys].every(isValid) ? keys : undefined
}

const idsOf = (file: DataFile) => keysOf(file, 'id', isId)

/** Finds keys of another file that this file, with the keys `known`, lacks. */
function missing (file: DataFile, field: string, known: Keys, { resource }: DataFile, keys: Keys = new Set()): Complaint[] {
  if (known === undefined) return []
  return [...keys].filter(key => !known.has(key)).map(key => ({
    pointer: below('', file.resource),
    rule: 'missing',
    must: `must have a record with the ${field} ${shown(key)}, which v1/${resource}.json has`
  }))
}

/** Finds values that an earlier place of the file has too. */
function duplicates (file: DataFile, values: readonly Placed[]): Complaint[] {
  const places = new Map<unknown, At>()
  return values.flatMap(({ value, at }) => {
    const earlier = places.get(value)
    if (earlier !== undefined) return complainOf(at(), 'unique', `must differ from ${otherPlace(file, earlier(), at())}`, value)
    places.set(value, at)
    return []
  })
}

const itemsOf = (items: readonly unknown[], at: At): Placed[] => items.map((value, index) => ({ value, at: () => at(index) }))

/** Finds ids in a field, or in its array, that match no record, each once; the schema rejects values of another type. */
function dangling (file: DataFile, field: string, noun: string, ids: Keys): Complaint[] {
  if (ids === undefined) return []
  const isDangling = (value: unknown) => isId(value) && !ids.has(value)
  const found = valuesOf(file, field, value => Array.isArray(value) ? value.some(isDangling) : isDangling(value))
    .flatMap(placed => Array.isArray(placed.value) ? itemsOf(placed.value, placed.at) : placed)
    .filter(({ value }) => isDangling(value))
  const places = new Map<unknown, { at: At, more: number }>()
  for (const { value, at } of found) {
    const first = places.get(value)
    if (first === undefined) places.set(value, { at, more: 0 })
    else first.more++
  }
  return [...places].map(([value, { at, more }]) => {
    const others = more === 0 ? '' : ` (and ${more} more)`
    return complainOf(at(), 'reference', `must be the id of a ${noun}${others}`, value)
  })
}
