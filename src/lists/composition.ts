import type { Body } from '../http/send.ts'
import { takeTurn } from '../http/turns.ts'
import type { Page } from '../../schemas/answers.ts'
import { lineBreak } from './layout.ts'
import type { WrittenRecords } from './records.ts'

/** A list as JSON, not yet written: its records, and what stands around them. */
export type Composition = { before: string, separator: string, after: string, positions: Uint32Array, records: WrittenRecords }

/** A body of up to so many bytes is made whole and kept, a longer one is made in pieces each time that it is sent. */
const wholeBytes = 2 ** 20

/** About the size of a piece, in bytes; it takes some tenths of a millisecond to copy, and a few to write anew. */
const pieceBytes = 2 ** 17

/** How many records may be written at once while a request waits. */
const recordsAtOnce = 100

/** How long records are written before others have a turn, in milliseconds. */
const turnMilliseconds = 5

/** Composes an array of records, or the page that holds them. */
export function compose (positions: Uint32Array, records: WrittenRecords, indent: number, page?: Omit<Page, 'results'>): Composition {
  const [before = '', after = ''] = page === undefined ? [] : JSON.stringify({ ...page, results: [] }, null, indent).split('[]')
  if (positions.length === 0) return { before: `${before}[]`, separator: '', after, positions, records }
  const depth = page === undefined ? 0 : 1
  const line = lineBreak({ indent, depth: depth + 1 })
  return { before: `${before}[${line}`, separator: `,${line}`, after: `${lineBreak({ indent, depth })}]${after}`, positions, records }
}

/** Tells whether so much is known of the records that the list can be measured at once. */
export function isMeasured ({ positions, records }: Composition): boolean {
  if (positions.length <= recordsAtOnce) return true
  return positions.every(records.isMeasured)
}

/** Writes the records of a list for the first time, a few in each turn. */
export async function measureAll ({ positions, records }: Composition): Promise<void> {
  for (let index = 0; index < positions.length;) {
    await takeTurn()
    const end = performance.now() + turnMilliseconds
    while (index < positions.length && performance.now() < end) records.measure(positions[index++]!)
  }
}

/** A text that two lists for an origin have in common only if their JSON is the same; it takes measured records, not the JSON. */
export function identify ({ before, separator, positions, records }: Composition, origin: string): string {
  return [origin, before, separator, records.digest(positions)].join('\n')
}

/** The length in bytes of the JSON of a list for an origin, or of what its records from `start` to `end` are in it. */
export function lengthOf (composition: Composition, origin: string, start = 0, end = composition.positions.length): number {
  const { before, separator, after, positions, records } = composition
  let length = (start === 0 ? before : separator).length + (end === positions.length ? after.length : 0)
  for (let index = start; index < end; index++) length += records.lengthOf(positions[index]!, origin.length)
  return length + separator.length * Math.max(0, end - start - 1)
}

/** The JSON of one record for an origin. */
export function renderRecord (records: WrittenRecords, position: number, origin: string): string {
  const target = Buffer.allocUnsafe(records.lengthOf(position, origin.length))
  records.copy(position, Buffer.from(origin), target, 0)
  return target.toString()
}

/** The JSON of a list for an origin, which is so many bytes long; made in pieces where that is more than is made at once. */
export function bodyOf (composition: Composition, origin: string, length: number): Body {
  const { positions } = composition
  if (length > wholeBytes) return () => pieces(composition, origin)
  return write(composition, origin, 0, positions.length, Buffer.allocUnsafeSlow(length))
}

/** Each piece stands where the one before stood: memory for each of them would have a large heap collected again and again. */
function * pieces (composition: Composition, origin: string): Generator<Buffer> {
  const { positions, records } = composition
  let room = Buffer.alloc(0)
  for (let [start, end] = [0, 0]; end < positions.length; start = end) {
    for (let length = 0; end < positions.length && length < pieceBytes;) length += records.lengthOf(positions[end++]!, origin.length)
    const length = lengthOf(composition, origin, start, end)
    if (room.length < length) room = Buffer.allocUnsafeSlow(length)
    yield write(composition, origin, start, end, room.subarray(0, length))
  }
}

/** Writes what the records from `start` to `end` are in the JSON of a list, which is as long as the buffer. */
function write (composition: Composition, origin: string, start: number, end: number, target: Buffer): Buffer {
  const { before, separator, after, positions, records } = composition
  const bytes = Buffer.from(origin)
  let at = target.write(start === 0 ? before : separator)
  for (let index = start; index < end; index++) {
    if (index > start) at += target.write(separator, at)
    at = records.copy(positions[index]!, bytes, target, at)
  }
  if (end === positions.length) target.write(after, at)
  return target
}
