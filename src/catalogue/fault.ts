import { isAbsolute, relative } from 'node:path'

/** The JSON Pointer (RFC 6901) of a property or item below another pointer. */
export function below (pointer: string, part: string | number): string {
  return `${pointer}/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The unescaped parts of a JSON Pointer. */
export function parts (pointer: string): string[] {
  return pointer.split('/').slice(1).map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Writes a JSON Pointer as one writes it in JavaScript: `bikes[12].year`. */
export function label (pointer: string): string {
  return parts(pointer).map(labelPart).join('')
}

function labelPart (part: string, index: number): string {
  if (/^\d+$/.test(part)) return `[${part}]`
  if (!/^[\w$]+$/.test(part)) return `[${JSON.stringify(part)}]`
  return index === 0 ? part : `.${part}`
}

/** What is wrong within a file, before its line and column are known; it is about a value, or about the name of that value. */
export type Complaint = {
  readonly pointer: string
  readonly rule: string
  readonly message: string
  readonly atName?: boolean
}

/** Writes a value for a message: short, on one line. */
export function shown (value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 58)}…${text.slice(-1)}` : text
}

/** Makes a complaint of what must be. */
export function complain (pointer: string, rule: string, must: string): Complaint {
  return { pointer, rule, message: `${label(pointer)} ${must}`.trimStart() }
}

/** Makes a complaint of what a value must be and is not. */
export function complainOf (pointer: string, rule: string, must: string, value: unknown): Complaint {
  return complain(pointer, rule, `${must}, got ${shown(value)}`)
}

/** What is wrong in a data file, and where; line and column are null when the file has no text to point into. */
export type Fault = {
  readonly file: string
  readonly line: number | null
  readonly column: number | null
  readonly pointer: string
  readonly rule: string
  readonly message: string
}

/** A path relative to the working directory when it is inside it, otherwise as it is. */
export function shownPath (file: string): string {
  const path = relative('', file)
  return path.startsWith('..') || isAbsolute(path) ? file : path
}

export function fileFault (file: string, rule: string, message: string): Fault {
  return { file: shownPath(file), line: null, column: null, pointer: '', rule, message }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'is missing',
  ENOTDIR: 'is not a directory',
  EACCES: 'cannot be read: permission denied',
  ERR_FS_FILE_TOO_LARGE: 'has a fault and is too large to be read as one text',
  ERR_STRING_TOO_LONG: 'has a fault and is too large to be read as one text'
}

/** What is wrong with a file that an attempt to read has failed with an error. */
export function unreadable (file: string, { code = '', message }: NodeJS.ErrnoException): Fault {
  return fileFault(file, code === 'ENOENT' ? 'missing' : 'file', reasons[code] ?? `cannot be read: ${message}`)
}

/** Writes a fault as one line: `data/v1/bikes.json:567:15 bikes[12].year must be integer, got "2021"`. */
export function faultLine ({ file, line, column, message }: Fault): string {
  const place = line === null ? file : `${file}:${line}:${column}`
  return `${place} ${message}`
}

/** Is thrown with all faults of a data directory; its message has one line for each. */
export class CatalogueFaults extends Error {
  override readonly name = 'CatalogueFaults'
  readonly faults: readonly Fault[]

  constructor (faults: readonly Fault[]) {
    super(faults.map(faultLine).join('\n'))
    this.faults = faults
  }
}
