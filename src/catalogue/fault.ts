import { isAbsolute, relative } from 'node:path'

/** What is wrong in a data file, and where; line and column are null when the file has no text to point into. */
export type Fault = {
  readonly file: string
  readonly line: number | null
  readonly column: number | null
  readonly pointer: string
  readonly rule: string
  readonly message: string
}

/** Gives a path relative to the working directory when it is inside it, otherwise as it is. */
export function shownPath (file: string): string {
  const path = relative('', file)
  return path.startsWith('..') || isAbsolute(path) ? file : path
}

/** Gives the fault of a whole file or directory. */
export function fileFault (file: string, rule: string, message: string): Fault {
  return { file: shownPath(file), line: null, column: null, pointer: '', rule, message }
}

/** Writes a fault as one line: `data/v1/bikes.json:214:15 bikes[12].year must be integer, got "2021"`. */
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
