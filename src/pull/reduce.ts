import { isUtf8 } from 'node:buffer'
import { recordedHeaders, type RecordedList, type RecordedResponse } from '../../schemas/recording.ts'
import { isPlainObject } from '../base/json.ts'
import type { HttpResponse } from '../client/client.ts'
import { basesIn, maxBases } from '../http/base-urls.ts'
import { recordedExpires } from '../http/expires.ts'
import { depthBetween, headersOf, piecesOf, shifted, variantOf } from '../recorded/frame.ts'
import { readRecords } from '../recorded/texts.ts'

/** A list in memory: the texts of its records, and its responses by sorted query. */
export type ListRecording = RecordedList & Required<Pick<RecordedList, 'responses'>> & { texts: string[] }

/**
 * The records of a response to add to its list: all of them, as while a list is read page by page; those that it lacks;
 * or none, which records a response with an unknown record as a whole.
 */
export type Adding = 'all records' | 'unknown records' | 'none'

/** The records of a response. Of each, only the key is kept in memory. */
export type ResponseRecords = NonNullable<ReturnType<typeof recordsIn>>

/** Reads the records of an array or a page; undefined for any other response. */
export function recordsIn ({ status, body }: HttpResponse) {
  return status === 200 ? readRecords(body, keyOf) : undefined
}

/**
 * Returns the id of a record as JSON; '' without an id, and for one that JSON.parse may have rounded; undefined for a
 * record that is not an object.
 */
function keyOf (record: unknown): string | undefined {
  if (!isPlainObject(record)) return undefined
  const { id } = record
  return typeof id === 'string' || Number.isSafeInteger(id) ? JSON.stringify(id) : ''
}

type Target = {
  /** The base URL of the service, and further ones in links of its responses, to which they are added. */
  base: URL
  bases: Set<string>
  /** Counts characters that stay in memory. @throws {Error} for too many */
  hold: (characters: number) => void
}

/**
 * Returns a function that reduces responses to what is recorded of them: positions in the list in place of its records,
 * and the texts around them. Nothing else of a body stays in memory, except the records that are added to the list.
 */
export function createReducer (list: ListRecording, { base, bases, hold }: Target) {
  const byText = new Map<string, number>()
  const byKey = new Map<string, number | undefined>() // undefined for the id of several records
  for (const text of list.texts.splice(0)) add(text, String(keyOf(JSON.parse(text))))
  return reduce

  /**
   * Records only the headers that differ from those of another response, and a variant of a record that differs from
   * the list's.
   */
  function reduce (
    response: HttpResponse, records: ResponseRecords | undefined, other: RecordedResponse, adding: Adding
  ): RecordedResponse {
    const { headers: { location, link }, body } = response
    const head = headOf(response, other)
    if (records === undefined || !isUtf8(body)) {
      const whole = wholeBody(body)
      addBases(whole.body[0], location)
      return { ...head, ...whole }
    }
    const literals = records.literals()
    addBases(literals[0], literals.at(-1), location, link)
    const pieces: Parameters<typeof piecesOf>[1][number][] = []
    let shift = 0
    for (const [index, key] of records.values.entries()) {
      const sent = records.bytesAt(index).toString()
      const position = positionOf(sent, key, adding)
      if (position === undefined) return { ...head, ...wholeBody(body) }
      const own = list.texts[position] as string
      if (index === 0) shift = depthBetween(sent, own)
      const text = shift === 0 ? own : shifted(Buffer.from(own), shift).toString()
      pieces.push(text === sent ? position : variantOf(position, text, sent))
    }
    if (pieces.length > 1) list.separator ??= literals[1] as string
    const recorded: RecordedResponse = { ...head, body: piecesOf(literals, pieces, list.separator ?? ',') }
    if (shift !== 0) recorded.shift = shift
    return recorded
  }

  /** Adds the base URLs of links in texts, except the known one, up to the most that a server replaces. */
  function addBases (...texts: readonly unknown[]): void {
    for (const found of basesIn(texts.join(' '))) {
      if (`${found}/` !== base.href && bases.size < maxBases) bases.add(found)
    }
  }

  /**
   * Returns the position of a record in the list, by its text, or by its id: counters grow, and some responses have
   * fewer fields. Adds it first, if it is to be added; undefined if the list still lacks it.
   */
  function positionOf (text: string, key: string | undefined, adding: Adding): number | undefined {
    if (key === undefined) return undefined
    const known = adding === 'all records' ? undefined : byText.get(text) ?? byKey.get(key)
    return known === undefined && adding !== 'none' ? add(text, key) : known
  }

  /** Adds a record to the list, even a repeated one, and returns its position. */
  function add (text: string, key: string): number {
    hold(text.length)
    const position = list.texts.push(text) - 1
    if (!byText.has(text)) byText.set(text, position)
    if (key !== '') byKey.set(key, byKey.has(key) ? undefined : position)
    return position
  }
}

/** Returns the status, unless it is 200, and the headers that differ from those of another response. */
export function headOf ({ status, headers }: HttpResponse, other: RecordedResponse | undefined): RecordedResponse {
  const head: RecordedResponse = {}
  if (status !== 200) head.status = status
  const usual = headersOf(other, { status })
  for (const name of recordedHeaders) {
    const value = (name === 'expires' ? recordedExpires(headers) : headers[name]) ?? null
    if (value === (usual[name] ?? null)) continue
    head.headers ??= {}
    head.headers[name] = value as string | null
  }
  return head
}

/** Returns a body as one literal, without positions; Latin-1 keeps bytes that are not UTF-8. */
function wholeBody (body: Buffer): { body: [string], encoding?: 'latin1' } {
  return isUtf8(body) ? { body: [body.toString()] } : { body: [body.toString('latin1')], encoding: 'latin1' }
}
