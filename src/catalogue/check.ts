import type { storedV1, storedV2 } from '../../schemas/stored.ts'
import { complainAboutBikes } from './check-bikes.ts'
import { complainAboutReviewCounts, complainAboutReviewDates, complainAboutReviewIds } from './check-reviews.ts'
import type { Complaint } from './complaint.ts'
import type { DataFile } from './files.ts'
import { categoriesOf, dangling, duplicates, idsOf, missing, slugsOf } from './references.ts'

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

/** Gives the files with complaints about what no schema says: ids, references, bikes that contradict themselves, parts without details. */
export function check (v1: FilesV1, v2: FilesV2): DataFile[] {
  const ids = new Map(Object.values(v1).map(file => [file.resource, idsOf(file)]))

  const listed = Object.values(v1).map(file => checked(file,
    duplicates(file, 'id'),
    ...Object.entries(references[file.resource as ResourceV1] ?? {})
      .map(([field, target]) => dangling(file, field, singular(target), ids.get(target))),
    ...file === v1.bikes ? [duplicates(file, 'slug'), complainAboutBikes(file), complainAboutReviewCounts(file, v2.bikes)] : []
  ))
  const details = detailed.map(resource => checked(v2[resource],
    duplicates(v2[resource], 'id'),
    dangling(v2[resource], 'id', `v1 ${singular(resource)}`, ids.get(resource)),
    missing(v2[resource], 'id', idsOf(v2[resource]), v1[resource], ids.get(resource)),
    ...resource === 'bikes'
      ? [
          dangling(v2.bikes, 'brakes', 'v1 brake', ids.get('brakes')),
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
