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

export function createSource (
  name: string, path: string, content: string | Buffer, others: Partial<Source> = {}
): Source {
  return {
    name,
    file: shownPath(path),
    start: content.slice(0, 1000).toString(),
    get text () {
      if (typeof content !== 'string') content = decodeUtf8(content) // frees the bytes
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
export function decodeUtf8 (bytes: Buffer, end = Infinity): string {
  return bytes.toString('utf8', 0, Math.min(end, constants.MAX_STRING_LENGTH))
}

export const isMissing = ({ errors }: Source) => errors[0]?.rule === 'missing'

export type DataPlace = { readonly source: Source, readonly pointer: string }

/** Writes a place as an expression: `bikes[12].year`, or `overlay["v1/bikes"][12].year` in the records of a program. */
function placeName ({ source, pointer }: DataPlace): string {
  if (source.file !== '') return label(pointer)
  const overlay = `overlay["${source.name}"]`
  const isInList = pointer.startsWith(source.root)
  return isInList ? overlay + label(pointer.slice(source.root.length)) : `${overlay}: ${label(pointer)}`
}

/** Writes a place for the message of an error at another place: with its file where that differs. */
export function otherName (place: DataPlace, from: DataPlace): string {
  const { file } = place.source
  const isSameFile = place.source === from.source || file === ''
  return isSameFile ? placeName(place) : `${placeName(place)} in ${file}`
}

type Got = [value?: unknown]

/** Returns an error; it ends with the invalid value, if one is passed: `year (id 9) must be an integer, got "2021"`. */
export function errorAt (place: DataPlace, rule: string, must: string, ...got: Got): DataError {
  const { source, pointer } = place
  const [index = ''] = parts(pointer.slice(source.root.length))
  const id = valueAt(source.records, [index, 'id']) // of the record at the place, or around it
  const idText = Number.isInteger(id) ? ` (id ${String(id)})` : ''
  const [value] = got
  const end = got.length === 0 ? '' : `, got ${brief(value)}`
  const message = `${placeName(place)}${idText} ${must}${end}`.trimStart()
  return { file: source.file, line: null, column: null, pointer, rule, message }
}

/** Adds an error to its source. */
export function report (place: DataPlace, rule: string, must: string, ...got: Got): void {
  place.source.errors.push(errorAt(place, rule, must, ...got))
}

/** A record with its origin. */
export type DataRow = {
  readonly record: JsonObject
  readonly source: Source
  readonly index: number
  /** The record of an overlay that was merged into it. */
  readonly patch?: DataRow
}

type Path = readonly (string | number)[]

/** Returns the place of a record, or of a value in it: in the overlay, if the value is the overlay's. */
export function placeOf (row: DataRow, ...path: Path): DataPlace {
  const { source, index, patch } = row
  const isPatched = patch !== undefined && hasPath(patch.record, path)
  if (isPatched) return placeOf(patch, ...path)
  return { source, pointer: below(source.root, index, ...path) }
}

/** Returns whether an overlay gives the value at a path; it replaces arrays as a whole. */
function hasPath (patch: unknown, path: Path): boolean {
  const [name, ...others] = path
  if (name === undefined || Array.isArray(patch)) return true
  return isPlainObject(patch) && Object.hasOwn(patch, name) && hasPath(patch[name], others)
}

/** The records of a source that are objects, with those of an overlay. */
export type List = {
  readonly source: Source
  readonly rows: readonly DataRow[]
  /** Whether the source has a list, so that it is known which records there are. */
  readonly isRead: boolean
  /** When the records were updated, and the source that says so; only authored data do. */
  readonly updated: { readonly value: unknown, readonly source: Source }
}

export function createList (source: Source, records?: unknown, updated?: unknown): List {
  const rows: DataRow[] = []
  const isRead = Array.isArray(records)
  if (isRead) {
    for (const [index, record] of records.entries()) {
      if (isPlainObject(record)) rows.push({ record, source, index })
    }
  }
  return { source, rows, isRead, updated: { value: updated, source } }
}

type Visit = (value: unknown, row: DataRow, item?: number) => void

/** Visits each value at a path of the records: `category.slug`, or `reviews.*.id` for every item. */
export function eachValue ({ rows }: List, path: string, visit: Visit): void {
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

export function distinctValues (list: List, path: string): ReadonlySet<unknown> {
  const values = new Set<unknown>()
  eachValue(list, path, value => { values.add(value) })
  return values
}

export type IsWanted = (value: unknown, row: DataRow) => boolean

export type Field = { readonly value: unknown, readonly row: DataRow, readonly place: DataPlace }

/** Returns the wanted values at a path of the records; of millions of values in large catalogues they are few. */
export function fieldsAt (list: List, path: string, isWanted: IsWanted): Field[] {
  const fields: Field[] = []
  eachValue(list, path, (value, row, item) => {
    if (!isWanted(value, row)) return
    const steps = path.split('.').map(step => step === '*' ? Number(item) : step)
    fields.push({ value, row, place: placeOf(row, ...steps) })
  })
  return fields
}
