import { join } from 'node:path'
import type { ListKey } from '../../../schemas/lists.ts'
import { Recording, recordingVersion, type Piece, type RecordedList, type RecordedResponse } from '../../../schemas/stored.ts'
import { attempt } from '../../base/attempt.ts'
import { below, type DataError } from '../errors/error.ts'
import { readSource, recordingFile, type Directory } from '../files.ts'
import { syntaxErrors } from '../errors/positions.ts'
import { isMissing, report, type Source } from '../errors/source.ts'
import { greatestIn, piecesOf, skeletonOf } from './frame.ts'
import type { Records } from './texts.ts'

/** Reads recording.json; it is optional. */
export async function readAbout ({ path, realPath }: Directory): Promise<{ source: Source, content: Recording }> {
  const location = { path: join(path, recordingFile), realPath: join(realPath, recordingFile) }
  const source = await readSource('recording', location)
  if (isMissing(source)) source.errors = []
  else if (source.errors.length === 0) source.errors = syntaxErrors(source)
  if (source.text === '' || source.errors.length > 0) return { source, content: {} }
  const content = JSON.parse(source.text) as Recording
  const { validate } = await import('../authored/validate.ts')
  source.errors = errorsOfVersion(content, validate(pointer => ({ source, pointer }), Recording, content))
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

type Responses = Readonly<Record<string, RecordedResponse>>

/** Returns the responses of a list, with that of its file, unless another form was chosen for the list. */
export function fileResponses ({ responses = {}, form }: RecordedList, { records, document }: RecordedFile): Responses {
  const { '': first } = responses
  if (document !== undefined) return { ...responses, '': { ...first, body: [document] } }
  if (first !== undefined || records === undefined) return responses
  const paginate = form?.paginate
  const isAlways = records.page !== undefined
  if (paginate !== undefined && (paginate === 'always') !== isAlways) return responses
  const literals = records.literals()
  const positions = [...records.values.keys()]
  return { ...responses, '': { body: piecesOf(literals, positions, String(literals[1])) } }
}

/** The most characters by which the lines of a record are indented further. */
const maxShift = 1000

/** Reports positions without a record, and bodies that are no JSON around their records; any position may be in an edited list. */
export function checkResponses (source: Source, { lists = {}, v2 = {} }: Recording, counts: Readonly<Record<ListKey, number>>): void {
  for (const [key, list] of Object.entries(lists) as [ListKey, RecordedList][]) {
    const pointer = below('/lists', key)
    const { head, responses = {}, form } = list
    if (head !== undefined) check(key, below(pointer, 'head'), head)
    for (const [query, response] of Object.entries(responses)) check(key, below(pointer, 'responses', query), response)
    for (const [term, order] of Object.entries(form?.orders ?? {})) {
      checkPositions(key, below(pointer, 'form', 'orders', term), order)
    }
  }
  for (const [kind, response] of Object.entries(v2)) check('bikesV2', below('/v2', kind), response)

  function check (key: ListKey, pointer: string, response: RecordedResponse): void {
    const { status = 200, body = [], shift = 0 } = response
    if (Math.abs(shift) > maxShift) report({ source, pointer: below(pointer, 'shift') }, 'shift', `must be at most ${maxShift}`, shift)
    const isKnown = checkPositions(key, below(pointer, 'body'), body)
    if (!isKnown || status !== 200 || greatestIn(body) < 0) return
    const { error } = attempt(() => JSON.parse(skeletonOf(response, lists[key]?.separator)))
    if (error !== undefined) report({ source, pointer: below(pointer, 'body') }, 'body', 'must be JSON around its records')
  }

  function checkPositions (key: ListKey, pointer: string, pieces: readonly Piece[]): boolean {
    const greatest = greatestIn(pieces)
    const isKnown = greatest < counts[key]
    if (!isKnown) report({ source, pointer }, 'position', `has the position ${greatest}, but the list has ${counts[key]} records`)
    return isKnown
  }
}
