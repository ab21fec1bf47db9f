import { join } from 'node:path'
import type { ListKey } from '../../../schemas/lists.ts'
import { Recording, recordingVersion, type Piece, type RecordedList, type RecordedResponse } from '../../../schemas/stored.ts'
import { attempt } from '../../base/attempt.ts'
import { below, type DataError } from '../errors/error.ts'
import { readSource, recordingFile, type Directory } from '../files.ts'
import { syntaxErrors } from '../errors/positions.ts'
import { isMissing, report, type Place, type Source } from '../errors/source.ts'
import { greatestIn, piecesOf, skeletonOf } from './frame.ts'
import type { Records } from './texts.ts'

/** Reads recording.json; it is optional. */
export async function readAbout ({ path, realPath }: Directory): Promise<{ source: Source, content: Recording }> {
  const source = await readSource('recording', {
    path: join(path, recordingFile),
    realPath: join(realPath, recordingFile)
  })
  if (isMissing(source)) source.errors = []
  else if (source.errors.length === 0) source.errors = syntaxErrors(source)
  if (source.text === '' || source.errors.length > 0) return { source, content: {} }
  const content = JSON.parse(source.text) as Recording
  const { validate } = await import('../authored/validate.ts')
  const errors = validate(pointer => ({ source, pointer }), Recording, content)
  source.errors = errorsOfVersion(content, errors)
  return { source, content: source.errors.length > 0 ? {} : content }
}

/** Returns the errors of recording.json; of a file of another version only one, with what to do. */
function errorsOfVersion (content: Recording | null, errors: DataError[]): DataError[] {
  const isOfOther = ({ rule, pointer }: DataError) => pointer === '/version' || rule === 'additionalProperties'
  const other = content?.version === recordingVersion ? undefined : errors.find(isOfOther)
  if (other === undefined) return errors
  const remedy = 'if another version wrote the file, pull again; or delete it, which keeps the lists'
  return [{ ...other, message: `${other.message}; ${remedy}` }]
}

/** The file of a list: its records, or the document that it is. */
export type RecordedFile = { readonly records?: Records | undefined, readonly document?: string | undefined }

/** Returns what recording.json has of a list, with the response that its file is, unless another form was chosen for the list. */
export function withFile (list: RecordedList, { records, document }: RecordedFile): RecordedList {
  const { responses = {}, form } = list
  const { '': first } = responses
  if (document !== undefined) return { ...list, responses: { ...responses, '': { ...first, body: [document] } } }
  if (first !== undefined || records === undefined) return list
  const paginate = form?.paginate
  const isAlways = records.page !== undefined
  if (paginate !== undefined && (paginate === 'always') !== isAlways) return list
  const literals = records.literals()
  const between = list.responses === undefined ? literals.slice(1, -1)[0] : undefined
  const separator = list.separator ?? between ?? ','
  const body = piecesOf(literals, [...records.values.keys()], separator)
  return { ...list, separator, responses: { ...responses, '': { body } } }
}

/** The most characters by which the lines of a record are indented further. */
const maxShift = 1000

/** Reports positions without a record, and bodies that are no JSON around their records. */
export function checkResponses (
  source: Source, { lists = {}, v2 = {} }: Recording, counts: Readonly<Record<ListKey, number>>
): void {
  for (const [key, list] of Object.entries(lists) as [ListKey, RecordedList][]) {
    const placeOf = (...steps: string[]): Place => ({ source, pointer: below('/lists', key, ...steps) })
    if (list.head !== undefined) checkResponse(key, placeOf('head'), list.head)
    for (const [query, response] of Object.entries(list.responses ?? {})) {
      checkResponse(key, placeOf('responses', query), response)
    }
    for (const [term, order] of Object.entries(list.form?.orders ?? {})) {
      checkPositions(key, placeOf('form', 'orders', term), order)
    }
  }
  for (const [kind, response] of Object.entries(v2)) {
    checkResponse('bikesV2', { source, pointer: below('/v2', kind) }, response)
  }

  function checkResponse (key: ListKey, place: Place, response: RecordedResponse): void {
    const { status = 200, body = [], shift = 0 } = response
    const partOf = (name: string): Place => ({ source, pointer: below(place.pointer, name) })
    if (Math.abs(shift) > maxShift) report(partOf('shift'), 'shift', `must be at most ${maxShift}`, shift)
    const isKnown = checkPositions(key, partOf('body'), body)
    if (!isKnown || status !== 200 || greatestIn(body) < 0) return
    const { error } = attempt(() => JSON.parse(skeletonOf(body, lists[key]?.separator)))
    if (error !== undefined) report(partOf('body'), 'body', 'must be JSON around its records')
  }

  /** Returns whether the list has all records of a body; any record may be in an edited list. */
  function checkPositions (key: ListKey, place: Place, pieces: readonly Piece[]): boolean {
    const greatest = greatestIn(pieces)
    const isKnown = greatest < counts[key]
    if (!isKnown) report(place, 'position', `has the position ${greatest}, but the list has ${counts[key]} records`)
    return isKnown
  }
}
