import { complain, complainOf, shown, type Complaint } from './complaint.ts'
import { recordsOf, type DataFile } from './files.ts'
import { below, label } from './pointer.ts'

/** A record of which nothing is known, because its file may have faults. */
export type UncheckedRecord = Readonly<Record<string, unknown>>

/** Gives the JSON Pointer of a field of a record, or of an item of that field. */
export function fieldPointer ({ resource }: DataFile, index: number, field: string, item?: number): string {
  const pointer = below(below(below('', resource), index), field)
  return item === undefined ? pointer : below(pointer, item)
}

/** Visits each record of a file that is an object, with its place in the list. */
export function eachRecord (file: DataFile, visit: (record: UncheckedRecord, index: number) => void): void {
  recordsOf(file)?.forEach((record, index) => {
    if (typeof record === 'object' && record !== null) visit(record as UncheckedRecord, index)
  })
}

const isId = (value: unknown) => Number.isInteger(value) && Number(value) >= 1

/** Gives the ids of a file's records; null if they are not all known, so that nothing can be said about references to them. */
export function idsOf (file: DataFile): ReadonlySet<unknown> | null {
  const ids = new Set<unknown>()
  eachRecord(file, ({ id }) => ids.add(id))
  return recordsOf(file) !== null && [...ids].every(isId) ? ids : null
}

/** Gives the slugs of a file's records; null if they are not all known. */
export function slugsOf (file: DataFile): ReadonlySet<unknown> | null {
  const slugs = new Set<unknown>()
  eachRecord(file, ({ slug }) => slugs.add(slug))
  return recordsOf(file) !== null && [...slugs].every(slug => typeof slug === 'string') ? slugs : null
}

/** Gives the slug of a bike's category; undefined if it is no text. */
export function slugOf (category: unknown): string | undefined {
  const slug = (category as UncheckedRecord | null | undefined)?.['slug']
  return typeof slug === 'string' ? slug : undefined
}

/** Gives the known slugs of the categories that bikes are in. */
export function categoriesOf (bikes: DataFile): ReadonlySet<unknown> {
  const slugs = new Set<unknown>()
  eachRecord(bikes, ({ category }) => slugs.add(slugOf(category)))
  slugs.delete(undefined)
  return slugs
}

/** Complains about each key of another file that no record of this file has; `known` are the keys that it has. */
export function missing (file: DataFile, field: string, known: ReadonlySet<unknown> | null, source: DataFile, keys: ReadonlySet<unknown> | null | undefined): Complaint[] {
  if (known === null) return []
  return [...keys ?? []].filter(key => !known.has(key)).map(key =>
    complain(below('', file.resource), 'missing', `must have a record with the ${field} ${shown(key)}, which v1/${source.resource}.json has`))
}

/** Complains about each value of a field that an earlier record has too. */
export function duplicates (file: DataFile, field: string): Complaint[] {
  const complaints: Complaint[] = []
  const places = new Map<unknown, number>()
  eachRecord(file, ({ [field]: value }, index) => {
    if (typeof value !== 'number' && typeof value !== 'string') return
    const place = places.get(value)
    if (place === undefined) {
      places.set(value, index)
    } else {
      const must = `must differ from ${label(fieldPointer(file, place, field))}`
      complaints.push(complainOf(fieldPointer(file, index, field), 'unique', must, value))
    }
  })
  return complaints
}

/** Complains about each id in a field, or in its array, that is not among the known ones; what is no id is the schema's affair. */
export function dangling (file: DataFile, field: string, noun: string, ids: ReadonlySet<unknown> | null | undefined): Complaint[] {
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
