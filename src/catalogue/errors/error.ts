import { isAbsolute, relative, sep } from 'node:path'
import { unreadable } from '../../base/files.ts'
import { stepOf } from '../../base/json.ts'
import { counted } from '../../base/text.ts'

/** Returns the JSON Pointer (RFC 6901) of a property or item below another pointer. */
export function below (pointer: string, ...parts: readonly (string | number)[]): string {
  return [pointer, ...parts.map(part => String(part).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/')
}

/** Returns the unescaped parts of a JSON Pointer. */
export function parts (pointer: string): string[] {
  return pointer.split('/').slice(1).map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Writes a JSON Pointer as a JavaScript expression: `bikes[12].year`. */
export function label (pointer: string): string {
  const steps = parts(pointer).map(part => {
    const isIndex = /^\d+$/.test(part)
    return stepOf(part, isIndex)
  })
  return steps.join('').replace(/^\./, '')
}

/** Formats a value for a message: short, on one line. */
export function brief (value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value === 'number') return String(value) // JSON has no Infinity
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 58)}…${text.slice(-1)}` : text
}

/** An error in a data file; line and column are null where the file has no text, and until they are located. */
export type DataError = {
  /** Empty for records that a program gives. */
  readonly file: string
  readonly line: number | null
  readonly column: number | null
  readonly pointer: string
  readonly rule: string
  readonly message: string
}

/** Returns a path with slashes, on Windows too: one inside the working directory is relative to it. */
export function shownPath (file: string): string {
  const path = relative('', file)
  const isOutside = path.startsWith('..') || isAbsolute(path)
  return (isOutside ? file : path).replaceAll(sep, '/')
}

export function fileError (file: string, rule: string, message: string): DataError {
  return { file: shownPath(file), line: null, column: null, pointer: '', rule, message }
}

/** Returns the error of a file or directory that Node could not read. */
export function readError (file: string, error: NodeJS.ErrnoException): DataError {
  const rule = error.code === 'ENOENT' ? 'missing' : 'file'
  return fileError(file, rule, unreadable(error))
}

/** Formats an error as one line: `data/v1/bikes.json:567:15 bikes[12].year (id 9) must be an integer, got "2021"`. */
export const errorLine = (error: DataError): string => `${placeText(error)} ${error.message}`.trimStart()

/** Formats the place of an error: `data/v1/bikes.json:567:15`. */
export const placeText = ({ file, line, column }: DataError) => line === null ? file : `${file}:${line}:${column}`

/** Equal for errors of the same field in different records of a file. */
export const errorKey = ({ file, rule, pointer }: DataError) => `${file} ${rule} ${withoutIndexes(pointer)}`

export const withoutIndexes = (pointer: string) => pointer.replace(/\/\d+(?=\/|$)/g, '/*')

export const errorCount = ({ length }: readonly DataError[]) => counted(length, 'error')

/** Formats numbers of records and images: `48 bikes, 9 saddles`. */
export function countLine (counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts)
  const texts = entries.map(([key, count]) => `${count} ${key}`)
  return texts.join(', ').replace('bikesV2', 'bikes of version 2.1')
}

/** A kind of difference of a recording from the contract: its first place and how many more there are. */
export type Difference = DataError & { readonly more: number }

export function differenceLine (differences: readonly Difference[]): string {
  const count = differences.reduce((sum, { more }) => sum + 1 + more, 0)
  const places = `${counted(count, 'place')} of ${counted(differences.length, 'kind')}`
  return `the recording differs from the contract in ${places}, and is served as it is; check lists them`
}

/** Carries all errors of a data directory; its message has one line for each. */
export class CatalogueErrors extends Error {
  override readonly name = 'CatalogueErrors'
  readonly errors: readonly DataError[]

  constructor (errors: readonly DataError[]) {
    super(errors.map(errorLine).join('\n'))
    this.errors = errors
  }
}
