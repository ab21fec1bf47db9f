import { join } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { records as schemas, type ListKey } from '../../../schemas/lists.ts'
import { isPlainObject } from '../../base/json.ts'
import type { Lists, ServedRecord } from '../catalogue.ts'
import { label, parts, shownPath, type DataError, type DataWarning } from '../errors/error.ts'
import { readSource, recordedFiles, recordingFile, type Directory } from '../files.ts'
import { contractOf, findFitnessName } from './fitness.ts'
import { groupBy } from '../../base/group.ts'
import { mergeLists, nullableNames } from '../authored/overlay.ts'
import { scanForErrors, locate } from '../errors/positions.ts'
import { createList, isMissing, placeOf, report, type List, type Row, type Source } from '../errors/source.ts'

function parseRecorded (source: Source): List {
  if (source.errors.length > 0) return createList(source)
  const { error, errors } = scanForErrors(source, true)
  source[error === undefined ? 'warnings' : 'errors'] = errors
  if (error !== undefined) return createList(source)
  const content = JSON.parse(source.text) as unknown
  const isPage = isPlainObject(content) && Array.isArray(content['results'])
  const records: unknown = isPage ? content['results'] : content
  if (isPage) source.root = '/results'
  const [place, count] = [{ source, pointer: '' }, { source, pointer: '/count' }]
  if (!Array.isArray(records)) report(place, 'list', 'must be an array of records, or a page with results')
  else if (!isPage || content['count'] === records.length) checkIds(source, records)
  else if (content['count'] === undefined) report(place, 'count', 'must have count, as a page of a list has')
  else report(count, 'count', `must be ${records.length}: a recorded page has all records of its list`, content['count'])
  return createList(source, source.errors.length > 0 ? undefined : records)
}

const mustOfId = `must be a whole number up to ${Number.MAX_SAFE_INTEGER}`

/** Reports records that are no objects, and ids that are missing, repeated or cannot be told apart. */
function checkIds (source: Source, records: readonly unknown[]): void {
  const rows = new Map<unknown, Row>()
  for (const [index, record] of records.entries()) {
    const row = { record, source, index } as Row
    if (!isPlainObject(record)) report(placeOf(row), 'type', 'must be an object', record)
    else if (!Object.hasOwn(record, 'id')) report(placeOf(row), 'required', 'must have the property id')
    else if (!Number.isSafeInteger(record['id'])) report(placeOf(row, 'id'), 'type', mustOfId, record['id'])
    else {
      const first = rows.get(record['id'])
      if (first === undefined) rows.set(record['id'], row)
      else report(placeOf(row, 'id'), 'unique', `must differ from ${label(placeOf(first, 'id').pointer)}`, record['id'])
    }
  }
}

/** The bikes that stand in for a missing list. */
const substitutes: { readonly [key in ListKey]?: { means: string, isOne: (bike: ServedRecord) => boolean } } = {
  featured: { means: 'the bikes with is_featured are featured', isOne: bike => bike['is_featured'] === true },
  bikesV2: { means: 'version 2.1 has the bikes of version 1', isOne: () => true }
}

/** Loads a recording: ids → merge → compare with the contract. Returns sources with their errors, and a function for data without any. */
export async function loadRecording (directory: Directory, sources: Source[], patches: Source[], fitnessName: string) {
  const about = await readAbout(directory)
  const lists = (Object.keys(recordedFiles) as ListKey[]).map(key => {
    const read = [...sources, ...patches].filter(source => source.name === recordedFiles[key] && !isMissing(source))
    const [own, over] = read.map(parseRecorded)
    return { key, read, list: own && over ? mergeLists(own, over, new Set(nullableNames(schemas[key]))) : own }
  })
  const read = lists.flatMap(({ read }) => read)
  return {
    sources: [...read, about.source],
    async make () {
      const own = new Map(lists.map(({ key, list }) => [key, list?.rows.map(({ record }) => record as ServedRecord)]))
      const bikes = own.get('bikes') ?? []
      const substituteOf = (key: ListKey) => bikes.filter(bike => substitutes[key]?.isOne(bike))
      const served = Object.fromEntries(lists.map(({ key }) => [key, own.get(key) ?? substituteOf(key)])) as unknown as Lists
      const name = findFitnessName([...bikes, ...served.bikesV2]) ?? fitnessName
      const warnings = await Promise.all(lists.map(({ key, list, read }) => warningsOf(contractOf(key, name), list?.rows ?? [], read)))
      return {
        ...served,
        cranksets: [],
        fitnessName: name,
        updated: new Date(about.recorded ?? Math.max(0, ...read.map(({ modified }) => modified))),
        notices: lists.filter(({ list }) => list === undefined).map(({ key }) =>
          `${shownPath(join(directory.path, `${recordedFiles[key]}.json`))} is missing: ${substitutes[key]?.means ?? 'the list is empty'}`),
        warnings: warnings.flat()
      }
    }
  }
}

/** Returns the differences of records, and of the texts that they come from, from the contract: one for each kind. */
async function warningsOf (contract: TSchema, rows: readonly Row[], sources: readonly Source[]): Promise<DataWarning[]> {
  const { validate } = await import('../authored/validate.ts')
  const differences = validate(pointer => {
    const [index, ...path] = parts(pointer)
    return placeOf(rows[Number(index)] as Row, ...path)
  }, contract, rows.map(({ record }) => record))
  const all = [...differences, ...sources.flatMap(({ warnings }) => warnings)]
  return sources.flatMap(source => {
    const kinds = [...groupBy(all.filter(({ file }) => file === source.file), kindOf).values()]
    return locate(source, kinds.map(([first]) => first)).map((error, index) => ({ ...error, more: Number(kinds[index]?.length) - 1 }))
  })
}

/** Returns a text that is the same for differences of the same fields of any records. */
const kindOf = ({ pointer, rule, message }: DataError) =>
  `${pointer.replace(/\/\d+(?=\/|$)/g, '/')} ${rule} ${rule === 'required' ? message.replace(/^\S+/, '') : ''}`

/** Reads recording.json: the time of the recording; the settings read their presets from it themselves. */
async function readAbout ({ path, realPath }: Directory): Promise<{ source: Source, recorded: string | undefined }> {
  const source = await readSource('recording', { path: join(path, recordingFile), realPath: join(realPath, recordingFile) })
  if (source.errors.length === 0) source.errors = scanForErrors(source).errors
  if (isMissing(source)) source.errors = []
  if (source.text === '' || source.errors.length > 0) return { source, recorded: undefined }
  const content = JSON.parse(source.text) as { recorded?: string }
  const [{ Recording }, { validate }] = await Promise.all([import('../../../schemas/stored.ts'), import('../authored/validate.ts')])
  source.errors = validate(pointer => ({ source, pointer }), Recording, content)
  return { source, recorded: content.recorded }
}
