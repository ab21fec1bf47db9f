import type { StoredBikeDetail, StoredCategory, StoredPartDetail } from '../../schemas/stored.ts'
import type { Bike } from '../../schemas/v1/bike.ts'
import type { Crankset } from '../../schemas/v1/make.ts'
import type { DetailedPart, Details, Lists } from './catalogue.ts'
import type { FilesV2 } from './check.ts'
import { brandKey } from './detail.ts'
import { recordsOf, type DataFile } from './files.ts'
import { picturesOf } from './pictures.ts'

function deepFreeze<Value> (value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(deepFreeze)
  return Object.freeze(value)
}

/** Gives the whole records of parts by id; all parts that are known by their make have the same fields. */
function linkParts (parts: readonly Crankset[], file: DataFile): ReadonlyMap<number | null, DetailedPart> {
  const stored = new Map((recordsOf(file) as readonly StoredPartDetail[]).map(record => [record.id, record]))
  return new Map(parts.map(part => {
    const { weight_grams, measurements } = stored.get(part.id) as StoredPartDetail
    return [part.id, deepFreeze({ ...part, weight_grams, measurements })]
  }))
}

/** Gives what files of v2 without faults add to the lists of v1. */
export function linkV2 (lists: Lists, files: FilesV2, manifest: DataFile): Details {
  const bikes = recordsOf(files.bikes) as readonly StoredBikeDetail[]
  const categories = recordsOf(files.categories) as readonly StoredCategory[]
  return Object.freeze({
    bikes: new Map(bikes.map(bike => [bike.id, bike])),
    cranksets: linkParts(lists.cranksets, files.cranksets),
    saddles: linkParts(lists.saddles, files.saddles),
    handlebars: linkParts(lists.handlebars, files.handlebars),
    brakes: linkParts(lists.brakes, files.brakes),
    categories: new Map(categories.map(({ slug, specifications }) => [slug, deepFreeze(specifications)])),
    pictures: picturesOf(manifest)
  })
}

/** Gives the bikes by the key of their brand. */
export function byBrand (bikes: readonly Bike[]): ReadonlyMap<string, readonly Bike[]> {
  const brands = new Map<string, Bike[]>()
  for (const bike of bikes) {
    const key = brandKey(bike.brand)
    const others = brands.get(key)
    if (others === undefined) brands.set(key, [bike])
    else others.push(bike)
  }
  for (const group of brands.values()) Object.freeze(group)
  return brands
}
