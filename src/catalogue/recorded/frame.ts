import type { Piece, RecordedResponse } from '../../../schemas/stored.ts'
import { attempt } from '../../base/attempt.ts'
import { isPlainObject, type JsonObject } from '../../base/json.ts'
import { allowedMethods } from '../../http/headers.ts'
import { formats } from '../../http/negotiation.ts'

/** Returns the headers of a recorded response; those that are left out are the first response's, or the contract's. */
export const headersOf = (first: Pick<RecordedResponse, 'headers'> = {}, { status = 200, headers }: RecordedResponse = {}) => ({
  'content-type': formats.json,
  vary: 'Accept',
  allow: allowedMethods,
  ...first.headers,
  ...status >= 400 && { 'cache-control': 'no-store' },
  ...headers
}) as Record<string, string | null>

/** Returns the pieces of a body: the literals around records, and the positions of the records. */
export function piecesOf (literals: readonly string[], positions: readonly number[], separator: string): Piece[] {
  const pieces: Piece[] = [literals[0] as string]
  for (const [index, position] of positions.entries()) {
    const between = index > 0 && literals[index] !== separator
    if (between) pieces.push(literals[index] as string)
    const last = pieces.at(-1)
    const [start, end] = typeof last === 'number' ? [last, last] : Array.isArray(last) ? last as [number, number] : []
    const step = position - Number(end)
    const isNext = start !== undefined && Math.abs(step) === 1 && (start === end || Math.sign(Number(end) - start) === step)
    if (isNext) pieces[pieces.length - 1] = [start, position]
    else pieces.push(position)
  }
  pieces.push(literals.at(-1) as string)
  return pieces
}

/** Returns the positions of the records of a body, in its order. */
export function positionsIn (pieces: readonly Piece[] = []): number[] {
  return pieces.flatMap(piece => {
    if (!Array.isArray(piece)) return typeof piece === 'number' ? piece : []
    const [first, last] = piece as [number, number]
    return Array.from({ length: Math.abs(last - first) + 1 }, (_, index) => first < last ? first + index : first - index)
  })
}

/** Yields the literals of a body, its records, and the separators between them. */
export function * writeBody (
  { body = [], shift = 0, encoding }: RecordedResponse, separator: string, bytesAt: (position: number) => Buffer,
  literalOf = (text: string) => text
): Generator<Buffer> {
  const between = Buffer.from(separator)
  let isRecord = false
  for (const piece of body) {
    if (typeof piece === 'string') yield Buffer.from(literalOf(piece), encoding)
    for (const position of positionsIn([piece])) {
      if (isRecord) yield between
      yield shifted(bytesAt(position), shift)
      isRecord = true
    }
    if (typeof piece === 'string') isRecord = false
  }
}

/** Returns the text of a body with 0 in the place of each record. */
export const skeletonOf = (response: RecordedResponse, separator: string) =>
  Buffer.concat([...writeBody(response, separator, () => zero)]).toString()

const zero = Buffer.from('0')

/** Returns a page with 0 in the place of each record; undefined for an array, and for a response without records. */
export function pageOf (response: RecordedResponse, separator = ','): JsonObject | undefined {
  const { status = 200, body = [] } = response
  if (status !== 200 || body.length < 2) return undefined
  const { value } = attempt((): unknown => JSON.parse(skeletonOf(response, separator)))
  return isPlainObject(value) ? value : undefined
}

/** Indents the lines of a record after the first by more or fewer characters; no string of JSON contains a line break. */
function shifted (record: Buffer, by: number): Buffer {
  if (by === 0) return record
  const shift = (_: string, indent: string) => `\n${by < 0 ? indent.slice(-by) : (indent[0] ?? ' ').repeat(by) + indent}`
  return Buffer.from(record.toString().replace(/\n([ \t]*)/g, shift))
}

/** Returns how much deeper the last line of a record is than that of another text of it. */
export const depthBetween = (text: string, other: string) => indentOf(text) - indentOf(other)

const indentOf = (text: string) => /\n([ \t]*)\S[^\n]*$/.exec(text)?.[1]?.length ?? 0
