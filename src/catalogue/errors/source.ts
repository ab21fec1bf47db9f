import { constants } from 'node:buffer'
import { isPlainObject, valueAt, type JsonObject } from '../../base/json.ts'
import { below, label, brief, parts, shownPath, type DataError } from './error.ts'

/** A data file, or the records that a program gives in place of one; kept until a load ends. */
export type Source = {
  /** The path below the data directory, without its ending: `v1/bikes`. */
  readonly name: string
  /** The path for messages; empty for records that a program gives. */
  readonly file: string
  /** The beginning of the file, by which its kind is known. */
  readonly start: string
  /** Empty for a file that could not be read; a recording is decoded when its text is first needed. */
  readonly text: string
  readonly bytes: () => Buffer
  readonly digest: string
  /** In milliseconds since 1970. */
  readonly modified: number
  /** The pointer of the list in the text. */
  root: string
  /** The list, so that errors can name the ids of its records. */
  records?: unknown
  errors: DataError[]
  differences: DataError[]
}

export function createSource (name: string, path: string, content: string | Buffer, others: Partial<Source> = {}): Source {
  return {
    name,
    file: shownPath(path),
    start: content.slice(0, 1000).toString(),
    get text () {
      if (typeof content !== 'string') content = decode(content) // frees the bytes
      return content
    },
    bytes: () => typeof content === 'string' ? Buffer.from(content) : content,
    digest: '',
    modified: 0,
    root: '',
    errors: [],
    differences: [],
    ...others
  }
}

/** Decodes a file, up to the longest string. */
export const decode = (bytes: Buffer, end = Infinity) => bytes.toString('utf8', 0, Math.min(end, constants.MAX_STRING_LENGTH))

export const isMissing = ({ errors }: Source) => errors[0]?.rule === 'missing'

export type Place = { readonly source: Source, readonly pointer: string }

/** Writes a place as an expression: `bikes[12].year`, or `overlay["v1/bikes"][12].year` in the records of a program. */
function placeName ({ source, pointer }: Place): string {
  if (source.file !== '') return label(pointer)
  const overlay = `overlay["${source.name}"]`
  const isInList = pointer.startsWith(source.root)
  return isInList ? overlay + label(pointer.slice(source.root.length)) : `${overlay}: ${label(pointer)}`
}

/** Writes a place for the message of an error at another place: with its file where that differs. */
export function otherName (place: Place, from: Place): string {
  const { file } = place.source
  return place.source === from.source || file === '' ? placeName(place) : `${placeName(place)} in ${file}`
}

/** Returns the id of the record at a place, or around it. */
function idText ({ source, pointer }: Place): string {
  const [index = ''] = parts(pointer.slice(source.root.length))
  const id = valueAt(source.records, [index, 'id'])
  return Number.isInteger(id) ? ` (id ${String(id)})` : ''
}

/** Returns an error that ends with the invalid value, if one is passed: `bikes[12].year (id 9) must be an integer, got "2021"`. */
export function errorAt (place: Place, rule: string, must: string, ...got: [value?: unknown]): DataError {
  const end = got.length === 0 ? '' : `, got ${brief(got[0])}`
  const message = `${placeName(place)}${idText(place)} ${must}${end}`.trimStart()
  return { file: place.source.file, line: null, column: null, pointer: place.pointer, rule, message }
}

export function report (place: Place, ...error: [rule: string, must: string, value?: unknown]): void {
  place.source.errors.push(errorAt(place, ...error))
}

/** A record with its origin; `patch` is the record of an overlay that was merged into it. */
export type Row = { readonly record: JsonObject, readonly source: Source, readonly index: number, readonly patch?: Row }

type Path = readonly (string | number)[]

/** Returns the place of a record, or of a value in it: in the overlay, if the value is the overlay's. */
export function placeOf ({ source, index, patch }: Row, ...path: Path): Place {
  if (patch !== undefined && hasPath(patch.record, path)) return placeOf(patch, ...path)
  return { source, pointer: below(source.root, index, ...path) }
}

/** Returns whether an overlay gives the value at a path; it replaces arrays as a whole. */
function hasPath (patch: unknown, path: Path): boolean {
  let value = patch
  for (const name of path) {
    if (Array.isArray(value)) return true
    if (!isPlainObject(value) || !Object.hasOwn(value, name)) return false
    value = value[name]
  }
  return true
}

/** The records of a source that are objects, with those of an overlay. */
export type List = {
  readonly source: Source
  readonly rows: readonly Row[]
  /** Whether the source has a list, so that it is known which records there are. */
  readonly isRead: boolean
  /** When the records were updated, and the source that says so; only authored data do. */
  readonly updated: { readonly value: unknown, readonly source: Source }
}

export function createList (source: Source, records?: unknown, updated?: unknown): List {
  const rows: Row[] = []
  const isRead = Array.isArray(records)
  if (isRead) {
    for (const [index, record] of (records as readonly unknown[]).entries()) {
      if (isPlainObject(record)) rows.push({ record, source, index })
    }
  }
  return { source, rows, isRead, updated: { value: updated, source } }
}

/** Visits each value at a path of the records, such as `category.slug` or `reviews.*.id`; `*` stands for every item. */
export function eachValue ({ rows }: List, path: string, visit: (value: unknown, row: Row, item?: number) => void): void {
  const steps = path.split('.')
  const star = steps.indexOf('*')
  if (star < 0) {
    for (const row of rows) visit(valueAt(row.record, steps), row)
    return
  }
  const outer = steps.slice(0, star)
  const inner = steps.slice(star + 1)
  for (const row of rows) {
    const items = valueAt(row.record, outer)
    if (!Array.isArray(items)) continue
    for (const [index, item] of items.entries()) visit(valueAt(item, inner), row, index)
  }
}

export function valuesOf (list: List, path: string): ReadonlySet<unknown> {
  const values = new Set<unknown>()
  eachValue(list, path, value => { values.add(value) })
  return values
}

export type IsWanted = (value: unknown, row: Row) => boolean

export type Field = { readonly value: unknown, readonly row: Row, readonly place: Place }

/** Returns the wanted values at a path of the records; large catalogues have millions of values, and nearly none is invalid. */
export function fieldsOf (list: List, path: string, isWanted: IsWanted): Field[] {
  const fields: Field[] = []
  eachValue(list, path, (value, row, item) => {
    if (!isWanted(value, row)) return
    const steps = path.split('.').map(step => step === '*' ? Number(item) : step)
    fields.push({ value, row, place: placeOf(row, ...steps) })
  })
  return fields
}
