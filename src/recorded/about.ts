import type { ListKey } from '../../schemas/lists.ts'
import {
  Recording, recordingVersion, type Piece, type RecordedList, type RecordedResponse
} from '../../schemas/recording.ts'
import { attempt } from '../base/attempt.ts'
import { counted } from '../base/text.ts'
import { below, type DataError } from '../catalogue/errors/error.ts'
import { locationIn, readSource, recordingFile, type Directory } from '../catalogue/files.ts'
import { syntaxErrors } from '../catalogue/errors/positions.ts'
import { isMissing, report, type Source } from '../catalogue/errors/source.ts'
import { greatestIn, isVariant, piecesOf, recordWriter, skeletonOf } from './frame.ts'
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
  const errors = validate(source, Recording, content)
  source.errors = errorsOfVersion(content, errors)
  const isValid = source.errors.length === 0
  return { source, content: isValid ? content : {} }
}

/**
 * Returns the errors of recording.json; of a file of another version only the first that shows it, with a remedy. A
 * property that this version lacks shows it too.
 */
function errorsOfVersion (content: Recording | null, errors: DataError[]): DataError[] {
  const other = errors.find(({ rule, pointer }) => pointer === '/version' || rule === 'additionalProperties')
  if (content?.version === recordingVersion || other === undefined) return errors
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

/** The number of records of a list, which an edited file no longer tells, and the bytes of each. */
export type CountedFile = { readonly count: number, readonly bytesAt?: Records['bytesAt'] | undefined }

/** Reports positions without a record, bodies that are not JSON with their records, and a shift that is too large. */
export function checkResponses (
  source: Source, content: Recording, files: Readonly<Record<ListKey, CountedFile>>
): void {
  const { lists = {}, v2 = {} } = content
  const responses: [key: ListKey, pointer: string, response: RecordedResponse][] = []
  for (const [key, list] of Object.entries(lists) as [ListKey, RecordedList][]) {
    if (list.head !== undefined) responses.push([key, below('/lists', key, 'head'), list.head])
    for (const [query, response] of Object.entries(list.responses ?? {})) {
      responses.push([key, below('/lists', key, 'responses', query), response])
    }
  }
  for (const [kind, response] of Object.entries(v2)) responses.push(['bikesV2', below('/v2', kind), response])

  for (const [key, pointer, response] of responses) {
    const { status = 200, body = [], shift = 0 } = response
    if (Math.abs(shift) > maxShift) {
      report({ source, pointer: below(pointer, 'shift') }, 'shift', `must be at most ${maxShift}`, shift)
    }
    const place = { source, pointer: below(pointer, 'body') }
    const greatest = greatestIn(body)
    const { count, bytesAt } = files[key]
    if (greatest >= count) {
      report(place, 'position', `has the position ${greatest}, but the list has ${counted(count, 'record')}`)
    } else if (status === 200 && greatest >= 0) {
      const skeleton = skeletonOf(body, lists[key]?.separator)
      const write = recordWriter(response)
      const { error } = attempt(() => {
        JSON.parse(skeleton)
        if (bytesAt === undefined) return
        for (const { position } of body.filter(isVariant)) JSON.parse(write(position, bytesAt(position)).toString())
      })
      if (error !== undefined) report(place, 'body', 'must be JSON once its records are inserted')
    }
  }
}
