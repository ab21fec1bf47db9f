import type { Catalogue, Lists, ServedRecord } from '../catalogue/catalogue.ts'
import { numberField } from './readers.ts'
import { memoise } from './table.ts'

const known = new WeakMap<Catalogue, ReturnType<typeof createLookups>>()

/** Returns the lookups of a catalogue; each takes one pass over a list, when it is first needed. */
export function lookupsOf (catalogue: Catalogue) {
  const lookups = known.get(catalogue) ?? createLookups(catalogue)
  known.set(catalogue, lookups)
  return lookups
}

function createLookups (catalogue: Catalogue) {
  const positions = memoise((key: keyof Lists) => {
    const positions = new Map<unknown, number>()
    for (const [position, { id }] of catalogue[key].entries()) if (!positions.has(id)) positions.set(id, position)
    return positions
  })
  const members = memoise((key: keyof Lists) => new Set(catalogue[key]))
  const bikes = memoise((path: string) => {
    const idsOf = new Map<unknown, number[]>()
    const read = numberField(path)
    for (const bike of catalogue.bikes) {
      const ids = idsOf.get(read(bike))
      if (ids === undefined) idsOf.set(read(bike), [bike.id])
      else ids.push(bike.id)
    }
    return idsOf
  })
  return {
    /** Returns the position of the first record with an id in its list; undefined without one. */
    positionOf: (key: keyof Lists, id: unknown) => positions(key).get(id),
    /** Returns whether a record is the catalogue's, unlike those of examples. */
    has: (key: keyof Lists, record: ServedRecord) => members(key).has(record),
    /** Returns the ids of the bikes that have a number at a path, such as `groupset.chain.id`. */
    bikesWith: (path: string, id: number): readonly number[] => bikes(path).get(id) ?? []
  }
}
