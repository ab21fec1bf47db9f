import type { Piece, RecordedResponse, Variant } from '../../schemas/recording.ts'
import { attempt } from '../base/attempt.ts'
import { isPlainObject, type JsonObject } from '../base/json.ts'
import type { SourceHeaders } from '../catalogue/catalogue.ts'
import { allowedMethods } from '../http/headers.ts'
import { formats } from '../http/negotiation.ts'

const contractHeaders = { 'content-type': formats.json, vary: 'Accept', allow: allowedMethods }

/** Returns all headers of a recorded response: its own, or else the list's first response's, or else the contract's. */
export function headersOf (
  first: Pick<RecordedResponse, 'headers'> = {}, response: RecordedResponse = {}
): SourceHeaders {
  const { status = 200, headers } = response
  const usual: Record<string, string | null> = { ...contractHeaders, ...first.headers }
  if (status >= 400) usual['cache-control'] = 'no-store'
  return { ...usual, ...headers }
}

/** Returns whether a response is an array or a page, perhaps empty: any other body is recorded as a single piece. */
export function isList (response: RecordedResponse): response is RecordedResponse & { body: Piece[] } {
  const { status = 200, body = [] } = response
  return status === 200 && body.length > 1
}

/** Returns the pieces of a body, without the literals between records that are the separator. */
export function piecesOf (
  literals: readonly string[], records: readonly (number | Variant)[], separator: string
): Piece[] {
  const pieces: Piece[] = [literals[0] as string]
  for (const [index, record] of records.entries()) {
    const isApart = index > 0 && literals[index] !== separator
    if (isApart) pieces.push(literals[index] as string)
    const last = pieces.at(-1) as Piece
    const range = typeof record === 'number' ? rangeTo(last, record) : undefined
    if (range === undefined) pieces.push(record)
    else pieces[pieces.length - 1] = range
  }
  pieces.push(literals.at(-1) as string)
  return pieces
}

type Range = readonly [first: number, last: number]

/** Returns the range from a piece to the next position, up or down; undefined if it does not continue the piece. */
function rangeTo (piece: Piece, position: number): Range | undefined {
  if (typeof piece === 'string' || isVariant(piece)) return undefined
  const [first, last] = rangeOf(piece)
  const step = position - last
  const isNext = first === last ? Math.abs(step) === 1 : step === Math.sign(last - first)
  return isNext ? [first, position] : undefined
}

export const isVariant = (piece: Piece): piece is Variant => typeof piece === 'object' && 'position' in piece

function rangeOf (piece: number | Range | Variant): Range {
  if (typeof piece === 'number') return [piece, piece]
  return isVariant(piece) ? [piece.position, piece.position] : piece
}

/** Returns the ranges of the positions of a body, in its order. */
function rangesIn (pieces: readonly Piece[]): Range[] {
  return pieces.filter(piece => typeof piece !== 'string').map(rangeOf)
}

/** Returns the positions of the records of a body, in its order. */
export function positionsIn (pieces: readonly Piece[] = []): number[] {
  const positions: number[] = []
  for (const [first, last] of rangesIn(pieces)) {
    const step = first < last ? 1 : -1
    for (let position = first; position !== last; position += step) positions.push(position)
    positions.push(last)
  }
  return positions
}

/** Returns the number of records of a body. */
export function countIn (pieces: readonly Piece[] = []): number {
  return rangesIn(pieces).reduce((sum, [first, last]) => sum + Math.abs(last - first) + 1, 0)
}

/** Returns the greatest position of a body; -1 for a body without records. */
export function greatestIn (pieces: readonly Piece[] = []): number {
  return rangesIn(pieces).reduce((greatest, range) => Math.max(greatest, ...range), -1)
}

/** Rewrites a literal, such as the URLs in it. */
type Rewrite = (literal: string) => string

const unchanged: Rewrite = literal => literal

/** Returns the bytes of a record, once they are written as in a response. */
export type RecordBytes = (position: number, write: (bytes: Buffer) => Buffer) => Buffer

/** Yields the literals of a body, its records, and the separators between them. */
export function * writeBody (
  response: RecordedResponse, separator: string, bytesAt: RecordBytes, literalOf: Rewrite
): Generator<Buffer> {
  const { body = [], shift = 0, encoding } = response
  const between = Buffer.from(separator)
  let isAfterRecord = false
  for (const piece of body) {
    if (typeof piece === 'string') yield Buffer.from(literalOf(piece), encoding)
    for (const position of positionsIn([piece])) {
      if (isAfterRecord) yield between
      yield bytesAt(position, bytes => written(bytes, shift, isVariant(piece) ? piece : undefined))
      isAfterRecord = true
    }
    if (typeof piece === 'string') isAfterRecord = false
  }
}

/** Returns the text of a body with 0 in the place of its records: one for each, but two for a range. */
export function skeletonOf (body: readonly Piece[], separator = ',', literalOf = unchanged): string {
  const zero = Buffer.from('0')
  const shortened = { body: body.map(shorten) }
  const parts = writeBody(shortened, separator, () => zero, literalOf)
  return Buffer.concat([...parts]).toString()
}

const shorten = (piece: Piece): Piece => Array.isArray(piece) ? [0, 1] : piece

/** Returns the fields of a page, with 0 in place of records; undefined for an array or a response without results. */
export function pageOf (response: RecordedResponse, separator?: string, literalOf?: Rewrite): JsonObject | undefined {
  if (!isList(response)) return undefined
  const skeleton = skeletonOf(response.body, separator, literalOf)
  const { value } = attempt((): unknown => JSON.parse(skeleton))
  return isPlainObject(value) && 'results' in value ? value : undefined
}

/** Indents the lines of a record after the first by more or fewer characters; strings of JSON have no line breaks. */
export function shifted (record: Buffer, by: number): Buffer {
  if (by === 0) return record
  const shift = (indent: string) => {
    if (by < 0) return indent.slice(-by)
    const [character = ' '] = indent
    return character.repeat(by) + indent
  }
  return Buffer.from(record.toString().replace(/(?<=\n)[ \t]*/g, shift))
}

/** Returns a record as a response has it: its lines shifted, and its variant, if it was sent as another text. */
function written (record: Buffer, shift: number, variant: Variant | undefined): Buffer {
  const own = shifted(record, shift)
  if (variant === undefined) return own
  const text = own.toString()
  return Buffer.from(text.slice(0, variant.from) + variant.text + text.slice(variant.to))
}

/** Returns a function that writes the record at a position as a response has it. */
export function recordWriter ({ body = [], shift = 0 }: RecordedResponse) {
  const variants = new Map(body.filter(isVariant).map(variant => [variant.position, variant]))
  return (position: number, record: Buffer): Buffer => written(record, shift, variants.get(position))
}

/** Returns the variant of a record that was sent as another text. */
export function variantOf (position: number, own: string, sent: string): Variant {
  const most = Math.min(own.length, sent.length)
  let from = 0
  while (from < most && own[from] === sent[from]) from++
  let same = 0
  while (same < most - from && own.at(-1 - same) === sent.at(-1 - same)) same++
  return { position, from, to: own.length - same, text: sent.slice(from, sent.length - same) }
}

/** Returns how much deeper the last line of a record is than that of another text of it. */
export const depthBetween = (text: string, other: string) => lastIndentOf(text) - lastIndentOf(other)

function lastIndentOf (text: string): number {
  const [, indent = ''] = /\n([ \t]*)\S[^\n]*$/.exec(text) ?? []
  return indent.length
}
