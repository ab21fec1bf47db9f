import { complainOf, type Complaint } from './complaint.ts'
import { recordsOf, type DataFile } from './files.ts'
import { below, label } from './pointer.ts'

/** A record of which nothing is known, because its file may have faults. */
export type UncheckedRecord = Readonly<Record<string, unknown>>

/** Gives the JSON Pointer of a field of a record. */
export function fieldPointer ({ resource }: DataFile, index: number, field: string): string {
  return below(below(below('', resource), index), field)
}

/** Gives each record of a file that is an object, with its place in the list. */
export function * objectsOf (file: DataFile): Generator<[index: number, record: UncheckedRecord]> {
  for (const [index, record] of recordsOf(file)?.entries() ?? []) {
    if (typeof record === 'object' && record !== null) yield [index, record as UncheckedRecord]
  }
}

const isId = (value: unknown) => Number.isInteger(value) && Number(value) >= 1

/** Gives the ids of a file's records; null if they are not all known, so that nothing can be said about references to them. */
export function idsOf (file: DataFile): ReadonlySet<unknown> | null {
  const ids = new Set<unknown>()
  for (const [, { id }] of objectsOf(file)) ids.add(id)
  return recordsOf(file) !== null && [...ids].every(isId) ? ids : null
}

/** Complains about each value of a field that an earlier record has too. */
export function duplicates (file: DataFile, field: string): Complaint[] {
  const complaints: Complaint[] = []
  const places = new Map<number | string, number>()
  for (const [index, { [field]: value }] of objectsOf(file)) {
    if (typeof value !== 'number' && typeof value !== 'string') continue
    const place = places.get(value)
    if (place === undefined) {
      places.set(value, index)
    } else {
      const must = `must differ from ${label(fieldPointer(file, place, field))}`
      complaints.push(complainOf(fieldPointer(file, index, field), 'unique', must, value))
    }
  }
  return complaints
}

/** Complains about each id in a field, or in its array, that no record of the target has; other values are the schema's affair. */
export function dangling (file: DataFile, field: string, target: string, ids: ReadonlySet<unknown> | null): Complaint[] {
  const complaints: Complaint[] = []
  if (ids === null) return complaints

  function check (value: unknown, pointer: () => string): void {
    if (ids?.has(value) === true || !isId(value)) return
    complaints.push(complainOf(pointer(), 'reference', `must be the id of a ${target.slice(0, -1)}`, value))
  }

  for (const [index, { [field]: value }] of objectsOf(file)) {
    const pointer = () => fieldPointer(file, index, field)
    if (Array.isArray(value)) value.forEach((id, place) => check(id, () => below(pointer(), place)))
    else check(value, pointer)
  }
  return complaints
}
