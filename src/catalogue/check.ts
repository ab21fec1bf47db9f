import type { storedV1, storedV2 } from '../../schemas/stored.ts'
import {
  complainAboutBikes, complainAboutReviewCounts, complainAboutReviewDates, complainAboutReviewIds, complainAboutUpdate, hasRepeated, slugOf
} from './contradictions.ts'
import { below, complain, complainOf, shown, type Complaint } from './fault.ts'
import { eachRecord, fieldPointer, otherPlace, type DataFile } from './files.ts'
import { complainAboutPictures, type Pictures } from './pictures.ts'

export type ResourceV1 = keyof typeof storedV1
export type ResourceV2 = keyof typeof storedV2
export type FilesV1 = Readonly<Record<ResourceV1, DataFile>>
export type FilesV2 = Readonly<Record<ResourceV2, DataFile>>

/** The fields that hold ids, and the resource that the ids are of. */
const references: Readonly<Partial<Record<ResourceV1, Readonly<Record<string, ResourceV1>>>>> = {
  bikes: {
    wheels: 'wheels',
    tyre: 'tyres',
    groupset: 'groupsets',
    crankset_ref: 'cranksets',
    saddle: 'saddles',
    handlebars: 'handlebars',
    similar_bikes: 'bikes'
  },
  groupsets: {
    chain: 'chains',
    crankset_ref: 'cranksets'
  }
}

/** The resources of v1 of which each record has one in v2. */
const detailed = ['bikes', 'cranksets', 'saddles', 'handlebars', 'brakes'] as const

const singular = (resource: ResourceV1) => resource.slice(0, -1)

function checked (file: DataFile, ...complaints: Complaint[][]): DataFile {
  return { ...file, complaints: [...file.complaints, ...complaints.flat()] }
}

/** The files with complaints about what no schema says: ids, references, pictures, contradictions, parts without details. */
export function check (v1: FilesV1, v2: FilesV2, { pictures }: Pictures): DataFile[] {
  const ids = new Map(Object.values(v1).map(file => [file.resource, idsOf(file)]))

  const listed = Object.values(v1).map(file => checked(file,
    duplicates(file, 'id'),
    complainAboutPictures(file, pictures),
    ...Object.entries(references[file.resource as ResourceV1] ?? {})
      .map(([field, target]) => dangling(file, field, singular(target), ids.get(target))),
    ...file === v1.bikes
      ? [complainAboutUpdate(file), duplicates(file, 'slug'), complainAboutBikes(file), complainAboutReviewCounts(file, v2.bikes)]
      : []
  ))
  const details = detailed.map(resource => checked(v2[resource],
    duplicates(v2[resource], 'id'),
    dangling(v2[resource], 'id', `v1 ${singular(resource)}`, ids.get(resource)),
    missing(v2[resource], 'id', idsOf(v2[resource]), v1[resource], ids.get(resource)),
    ...resource === 'bikes'
      ? [
          dangling(v2.bikes, 'brakes', 'v1 brake', ids.get('brakes')),
          complainAboutUpdate(v2.bikes),
          complainAboutReviewIds(v2.bikes),
          complainAboutReviewDates(v2.bikes, v1.bikes)
        ]
      : []
  ))
  const categories = checked(v2.categories,
    duplicates(v2.categories, 'slug'),
    missing(v2.categories, 'slug', slugsOf(v2.categories), v1.bikes, categoriesOf(v1.bikes))
  )
  return [...listed, ...details, categories]
}

const isId = (value: unknown) => Number.isInteger(value) && Number(value) >= 1

/** The ids of a file's records; null if they are not all known, so that nothing can be said about references to them. */
function idsOf (file: DataFile): ReadonlySet<unknown> | null {
  const ids = new Set<unknown>()
  eachRecord(file, ({ id }) => ids.add(id))
  return file.records !== null && [...ids].every(isId) ? ids : null
}

/** The slugs of a file's records; null if they are not all known. */
function slugsOf (file: DataFile): ReadonlySet<unknown> | null {
  const slugs = new Set<unknown>()
  eachRecord(file, ({ slug }) => slugs.add(slug))
  return file.records !== null && [...slugs].every(slug => typeof slug === 'string') ? slugs : null
}

/** The known slugs of the categories that bikes are in. */
function categoriesOf (bikes: DataFile): ReadonlySet<unknown> {
  const slugs = new Set<unknown>()
  eachRecord(bikes, ({ category }) => slugs.add(slugOf(category)))
  slugs.delete(undefined)
  return slugs
}

type Keys = ReadonlySet<unknown> | null

/** Complains about each key of another file that no record of this file has; `known` are the keys that it has. */
function missing (file: DataFile, field: string, known: Keys, { resource }: DataFile, keys?: Keys): Complaint[] {
  if (known === null) return []
  return [...keys ?? []].filter(key => !known.has(key)).map(key =>
    complain(below('', file.resource), 'missing', `must have a record with the ${field} ${shown(key)}, which v1/${resource}.json has`))
}

/** Complains about each value of a field that an earlier record has too. */
function duplicates (file: DataFile, field: string): Complaint[] {
  const complaints: Complaint[] = []
  if (!hasRepeated(note => eachRecord(file, ({ [field]: value }) => note(value)))) return complaints
  const places = new Map<unknown, number>()
  eachRecord(file, ({ [field]: value }, index) => {
    if (typeof value !== 'number' && typeof value !== 'string') return
    const place = places.get(value)
    if (place === undefined) {
      places.set(value, index)
    } else {
      const pointer = fieldPointer(file, index, field)
      const must = `must differ from ${otherPlace(file, fieldPointer(file, place, field), pointer)}`
      complaints.push(complainOf(pointer, 'unique', must, value))
    }
  })
  return complaints
}

/** Complains about each id in a field, or in its array, that is not among the known ones; what is no id is the schema's affair. */
function dangling (file: DataFile, field: string, noun: string, ids: ReadonlySet<unknown> | null | undefined): Complaint[] {
  const complaints: Complaint[] = []
  if (ids === null || ids === undefined) return complaints

  const check = (value: unknown, index: number, item?: number): void => {
    if (!isId(value) || ids.has(value)) return
    complaints.push(complainOf(fieldPointer(file, index, field, item), 'reference', `must be the id of a ${noun}`, value))
  }

  eachRecord(file, ({ [field]: value }, index) => {
    if (Array.isArray(value)) value.forEach((id, item) => check(id, index, item))
    else check(value, index)
  })
  return complaints
}
