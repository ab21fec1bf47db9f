import { join } from 'node:path'
import type { ListKey } from '../../../schemas/lists.ts'
import { Recording, type RecordedList, type RecordedResponse } from '../../../schemas/stored.ts'
import { attempt } from '../../base/attempt.ts'
import { below } from '../errors/error.ts'
import { readSource, recordingFile, type Directory } from '../files.ts'
import { syntaxErrors } from '../errors/positions.ts'
import { isMissing, report, type Source } from '../errors/source.ts'
import { piecesOf, positionsIn, skeletonOf } from './frame.ts'
import type { Records } from './texts.ts'

/** Reads recording.json. */
export async function readAbout ({ path, realPath }: Directory): Promise<{ source: Source, content: Partial<Recording> }> {
  const source = await readSource('recording', { path: join(path, recordingFile), realPath: join(realPath, recordingFile) })
  if (isMissing(source)) source.errors = []
  else if (source.errors.length === 0) source.errors = syntaxErrors(source)
  if (source.text === '' || source.errors.length > 0) return { source, content: {} }
  const content = JSON.parse(source.text) as Recording
  const { validate } = await import('../authored/validate.ts')
  source.errors = validate(pointer => ({ source, pointer }), Recording, content)
  return { source, content: source.errors.length > 0 ? {} : content }
}

/** Returns the responses of a list, with that of its file: a document, or a list without recorded responses in the same form. */
export function fileResponses (
  { responses = {}, form: { paginate } = {} }: RecordedList, file: { records?: Records | undefined, document?: string } = {}
): Readonly<Record<string, RecordedResponse>> {
  const { records, document } = file
  const { '': first } = responses
  if (document !== undefined) return { ...responses, '': { ...first, body: [document] } }
  const isOther = paginate !== undefined && (paginate === 'always') !== (records?.page !== undefined)
  if (first !== undefined || records === undefined || isOther) return responses
  const literals = records.literals()
  return { ...responses, '': { body: piecesOf(literals, [...records.values.keys()], literals[1] as string) } }
}

/** Reports positions without a record, and bodies that are no JSON around their records. */
export function checkResponses (
  source: Source, { lists = {}, v2 = {} }: Recording, counts: Readonly<Partial<Record<ListKey, number>>>
): void {
  for (const [key, { responses = {}, form: { orders = {} } = {}, separator }] of Object.entries(lists)) {
    const count = counts[key as ListKey] ?? 0
    const list = below('/lists', key)
    for (const [query, response] of Object.entries(responses)) checkResponse(below(list, 'responses', query), response, count, separator)
    for (const [term, order] of Object.entries(orders)) checkPositions(below(list, 'form', 'orders', term), order, count)
  }
  const { bikesV2: count = 0 } = counts
  for (const [kind, response] of Object.entries(v2)) checkResponse(below('/v2', kind), response, count, lists.bikesV2?.separator)

  function checkResponse (pointer: string, response: RecordedResponse, count: number, separator = ','): void {
    const { body = [], status = 200 } = response
    const isKnown = checkPositions(below(pointer, 'body'), positionsIn(body), count)
    const isList = status === 200 && positionsIn(body).length > 0
    const { error } = isKnown && isList ? attempt(() => JSON.parse(skeletonOf(response, separator))) : {}
    if (error !== undefined) report({ source, pointer: below(pointer, 'body') }, 'body', 'must be JSON around its records')
  }

  function checkPositions (pointer: string, positions: readonly number[], count: number): boolean {
    const unknown = positions.find(position => position >= count)
    if (unknown !== undefined) report({ source, pointer }, 'position', `has the position ${unknown}, but the list has ${count} records`)
    return unknown === undefined
  }
}
