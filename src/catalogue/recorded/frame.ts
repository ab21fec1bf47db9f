import type { Piece, RecordedResponse } from '../../../schemas/stored.ts'
import { attempt } from '../../base/attempt.ts'
import { isPlainObject, type JsonObject } from '../../base/json.ts'

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

/** The number of records to write at once, which takes some milliseconds. */
const recordsAtOnce = 100

/** Yields the pieces of a body: its literals, and the text of each of its records. */
export function * writeBody (
  { body = [], shift = 0 }: RecordedResponse, separator: string, textAt: (position: number) => string, literalOf = (text: string) => text
): Generator<Buffer> {
  let isRecord = false
  for (const piece of body) {
    const positions = positionsIn([piece])
    if (positions.length === 0) yield Buffer.from(literalOf(piece as string))
    for (let start = 0; start < positions.length; start += recordsAtOnce) {
      const texts = positions.slice(start, start + recordsAtOnce).map(position => shifted(textAt(position), shift))
      yield Buffer.from((isRecord || start > 0 ? separator : '') + texts.join(separator))
    }
    isRecord = positions.length > 0
  }
}

export const bodyOf = (...response: Parameters<typeof writeBody>) => Buffer.concat([...writeBody(...response)])

/** Returns a page with 0 in the place of each record; undefined for an array, and for a response without records. */
export function pageOf (response: RecordedResponse, separator = ','): JsonObject | undefined {
  const { status = 200, body = [] } = response
  if (status !== 200 || body.length < 2) return undefined
  const { value } = attempt((): unknown => JSON.parse(bodyOf(response, separator, () => '0').toString()))
  return isPlainObject(value) ? value : undefined
}

/** Indents the lines of a record after the first by more or fewer characters; no string of JSON contains a line break. */
export function shifted (text: string, by: number): string {
  if (by === 0 || !text.includes('\n')) return text
  return text.replace(/\n([ \t]*)/g, (_, indent: string) => `\n${by < 0 ? indent.slice(-by) : (indent[0] ?? ' ').repeat(by) + indent}`)
}

/** Returns how much deeper the last line of a record is than that of another text of it. */
export const depthBetween = (text: string, other: string) => indentOf(text) - indentOf(other)

const indentOf = (text: string) => /\n([ \t]*)\S[^\n]*$/.exec(text)?.[1]?.length ?? 0
