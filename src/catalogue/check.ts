import type { storedV1 } from '../../schemas/stored.ts'
import { complainOf, shown, type Complaint } from './complaint.ts'
import type { DataFile } from './files.ts'
import { below } from './pointer.ts'
import { dangling, duplicates, fieldPointer, idsOf, objectsOf, type UncheckedRecord } from './references.ts'

export type ResourceV1 = keyof typeof storedV1
export type FilesV1 = Readonly<Record<ResourceV1, DataFile>>

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

const utc = (timestamp: unknown) => typeof timestamp === 'string' && timestamp.endsWith('Z') ? timestamp : ''

/** What a bike must be in itself beyond its schema: gives the field, the item in it, the rule and what must be. */
function * oddities (bike: UncheckedRecord): Generator<[field: string, rule: string, must: string, item?: number]> {
  const { id, similar_bikes: similar, category, bike_type: type, date_added: added, date_updated: updated } = bike
  const self = Array.isArray(similar) ? similar.indexOf(id) : -1
  if (self !== -1) yield ['similar_bikes', 'self', 'must be another bike', self]

  const slug = (category as UncheckedRecord | null | undefined)?.['slug']
  if (typeof slug === 'string' && typeof type === 'string' && slug !== type) {
    yield ['bike_type', 'category', `must be ${shown(slug)} like category.slug`]
  }
  if (Date.parse(utc(updated)) < Date.parse(utc(added))) {
    yield ['date_updated', 'dates', `must not be before date_added ${shown(added)}`]
  }
}

function complainAboutBikes (file: DataFile): Complaint[] {
  const complaints: Complaint[] = []
  for (const [index, bike] of objectsOf(file)) {
    for (const [field, rule, must, item] of oddities(bike)) {
      const ofField = fieldPointer(file, index, field)
      const pointer = item === undefined ? ofField : below(ofField, item)
      const value = item === undefined ? bike[field] : bike['id']
      complaints.push(complainOf(pointer, rule, must, value))
    }
  }
  return complaints
}

// A leap second is a good timestamp, but no Date.
function complainAboutUpdated ({ content, complaints }: DataFile): Complaint[] {
  const updated = (content as UncheckedRecord | null)?.['updated']
  const isGood = typeof updated !== 'string' || !Number.isNaN(Date.parse(updated))
  if (isGood || complaints.some(({ pointer }) => pointer === '/updated')) return []
  return [complainOf('/updated', 'date', 'must be a moment without leap second', updated)]
}

/** Gives the files of v1 with complaints about what no schema says: ids, references, bikes that contradict themselves. */
export function checkV1 (files: FilesV1): DataFile[] {
  const ids = new Map(Object.values(files).map((file) => [file.resource, idsOf(file)]))
  return Object.values(files).map((file) => {
    const complaints = [
      ...file.complaints,
      ...complainAboutUpdated(file),
      ...duplicates(file, 'id'),
      ...Object.entries(references[file.resource as ResourceV1] ?? {})
        .flatMap(([field, target]) => dangling(file, field, target, ids.get(target) ?? null)),
      ...file === files.bikes ? [...duplicates(file, 'slug'), ...complainAboutBikes(file)] : []
    ]
    return { ...file, complaints }
  })
}
