import type { ListKey } from '../../schemas/lists.ts'
import {
  Recording, recordingVersion, type Piece, type RecordedList, type RecordedResponse
} from '../../schemas/stored.ts'
import { attempt } from '../base/attempt.ts'
import { counted } from '../base/text.ts'
import { below, type DataError } from '../catalogue/errors/error.ts'
import { locationIn, readSource, recordingFile, type Directory } from '../catalogue/files.ts'
import { syntaxErrors } from '../catalogue/errors/positions.ts'
import { isMissing, report, type DataPlace, type Source } from '../catalogue/errors/source.ts'
import { greatestIn, piecesOf, skeletonOf } from './frame.ts'
import type { Records } from './texts.ts'

/** Reads recording.json; its content is empty if it is missing or invalid. */
export async function readAbout (directory: Directory): Promise<{ source: Source, content: Recording }> {
  const source = await readSource('recording', locationIn(directory, recordingFile))
  if (isMissing(source)) {
    source.errors = []
    return { source, content: {} }
  }
  if (source.errors.length === 0) source.errors = syntaxErrors(source)
  if (source.errors.length > 0) return { source, content: {} }
  const content = JSON.parse(source.text) as Recording
  const { validate } = await import('../catalogue/authored/validate.ts')
  const errors = validate(pointer => ({ source, pointer }), Recording, content)
  source.errors = errorsOfVersion(content, errors)
  const isValid = source.errors.length === 0
  return { source, content: isValid ? content : {} }
}

/**
 * Returns the errors of recording.json; of a file of another version only the first that shows it, with a remedy. A
 * property that this version lacks shows it too.
 */
function errorsOfVersion (content: Recording | null, errors: DataError[]): DataError[] {
  const isOfOther = ({ rule, pointer }: DataError) => pointer === '/version' || rule === 'additionalProperties'
  const other = content?.version === recordingVersion ? undefined : errors.find(isOfOther)
  if (other === undefined) return errors
  const remedy = 'if another version wrote the file, pull again, or delete it to keep only the lists'
  return [{ ...other, message: `${other.message}; ${remedy}` }]
}

/** The file of a list: its records, or the document that it is. */
export type RecordedFile = { readonly records?: Records | undefined, readonly document?: string | undefined }

/**
 * Returns what recording.json has of a list, with the list's file as the body of its first response, unless that has
 * one or `paginate` contradicts the file: a page in place of an array, or the other way round.
 */
export function withFile (list: RecordedList, file: RecordedFile): RecordedList {
  const { responses = {}, form } = list
  const { records, document } = file
  const { '': first } = responses
  if (document !== undefined) return withFirst([document])
  if (first?.body !== undefined || records === undefined) return list
  const isPaged = records.page !== undefined
  const hasForm = form?.paginate === undefined || (form.paginate === 'always') === isPaged
  if (!hasForm) return list
  const literals = records.literals()
  const [, between] = literals.slice(0, -1) // undefined for fewer than two records
  const isByHand = list.responses === undefined
  const separator = list.separator ?? (isByHand ? between : undefined) ?? ','
  const body = piecesOf(literals, [...records.values.keys()], separator)
  return { ...withFirst(body), separator }

  function withFirst (body: Piece[]): RecordedList {
    return { ...list, responses: { ...responses, '': { ...first, body } } }
  }
}

/** The most characters by which the lines of a record are indented further. */
const maxShift = 1000

/** Reports positions without a record, bodies that are not JSON with their records, and a shift that is too large. */
export function checkResponses (
  source: Source, content: Recording, counts: Readonly<Record<ListKey, number>>
): void {
  const { lists = {}, v2 = {} } = content
  for (const [key, list] of Object.entries(lists) as [ListKey, RecordedList][]) {
    const placeOf = (...steps: string[]): DataPlace => ({ source, pointer: below('/lists', key, ...steps) })
    if (list.head !== undefined) checkResponse(key, placeOf('head'), list.head)
    for (const [query, response] of Object.entries(list.responses ?? {})) {
      checkResponse(key, placeOf('responses', query), response)
    }
  }
  for (const [kind, response] of Object.entries(v2)) {
    checkResponse('bikesV2', { source, pointer: below('/v2', kind) }, response)
  }

  function checkResponse (key: ListKey, place: DataPlace, response: RecordedResponse): void {
    const { status = 200, body = [], shift = 0 } = response
    if (Math.abs(shift) > maxShift) {
      report(partOf('shift'), 'shift', `must be at most ${maxShift}`, shift)
    }
    const isKnown = checkPositions(key, partOf('body'), body)
    const hasRecords = greatestIn(body) >= 0
    if (!isKnown || status !== 200 || !hasRecords) return
    const skeleton = skeletonOf(body, lists[key]?.separator)
    const { error } = attempt(() => JSON.parse(skeleton))
    if (error !== undefined) report(partOf('body'), 'body', 'must be JSON once its records are inserted')

    function partOf (name: string): DataPlace {
      return { source, pointer: below(place.pointer, name) }
    }
  }

  /** Returns whether the list has all records of a body; any record may be in an edited list. */
  function checkPositions (key: ListKey, place: DataPlace, pieces: readonly Piece[]): boolean {
    const greatest = greatestIn(pieces)
    const count = counts[key]
    if (greatest < count) return true
    report(place, 'position', `has the position ${greatest}, but the list has ${counted(count, 'record')}`)
    return false
  }
}
