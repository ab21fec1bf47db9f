import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { TArray, TObject } from '@sinclair/typebox'
import type { ErrorObject } from 'ajv'
import { records as schemas, type ListKey } from '../../../schemas/lists.ts'
import { isPlainObject } from '../../base/json.ts'
import type { Lists, ServedRecord } from '../catalogue.ts'
import { label, parts, shownPath, type DataError, type DataWarning } from '../errors/error.ts'
import { readSource, recordedFiles, recordingFile, type Directory } from '../files.ts'
import { contractOf, findFitnessName } from './fitness.ts'
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
export async function loadRecording (
  directory: Directory, sources: Source[], patches: Source[], fitnessName: string, signal?: AbortSignal
) {
  const about = await readAbout(directory)
  const lists: { key: ListKey, read: Source[], list: List | undefined }[] = []
  for (const key of Object.keys(recordedFiles) as ListKey[]) {
    await setImmediate() // signals arrive between lists
    signal?.throwIfAborted()
    const read = [...sources, ...patches].filter(source => source.name === recordedFiles[key] && !isMissing(source))
    const [own, over] = read.map(parseRecorded)
    lists.push({ key, read, list: own && over ? mergeLists(own, over, new Set(nullableNames(schemas[key]))) : own })
  }
  const read = lists.flatMap(({ read }) => read)
  return {
    sources: [...read, about.source],
    async make () {
      const own = new Map(lists.map(({ key, list }) => [key, list?.rows.map(({ record }) => record as ServedRecord)]))
      const bikes = own.get('bikes') ?? []
      const substituteOf = (key: ListKey) => bikes.filter(bike => substitutes[key]?.isOne(bike))
      const served = Object.fromEntries(lists.map(({ key }) => [key, own.get(key) ?? substituteOf(key)])) as unknown as Lists
      const name = findFitnessName([...bikes, ...served.bikesV2]) ?? fitnessName
      const warnings: DataWarning[] = []
      for (const { key, list, read } of lists) {
        await setImmediate()
        signal?.throwIfAborted()
        warnings.push(...await warningsOf(contractOf(key, name), list?.rows ?? [], read))
      }
      return {
        ...served,
        cranksets: [],
        fitnessName: name,
        updated: new Date(about.recorded ?? Math.max(0, ...read.map(({ modified }) => modified))),
        notices: lists.filter(({ list }) => list === undefined).map(({ key }) =>
          `${shownPath(join(directory.path, `${recordedFiles[key]}.json`))} is missing: ${substitutes[key]?.means ?? 'the list is empty'}`),
        warnings
      }
    }
  }
}

/** Returns the differences of records, and of the texts that they come from, from the contract: one for each kind. */
async function warningsOf (contract: TArray<TObject>, rows: readonly Row[], sources: readonly Source[]): Promise<DataWarning[]> {
  const { validate } = await import('../authored/validate.ts')
  const kinds = new Map<string, { first?: DataError, more: number }>()
  /** Counts a difference of a kind; returns whether it is the first one. */
  const isFirst = (kind: string) => {
    const known = kinds.get(kind)
    if (known === undefined) kinds.set(kind, { more: 0 })
    else known.more++
    return known === undefined
  }
  const keep = (kind: string, first: DataError) => kinds.set(kind, { first, more: Number(kinds.get(kind)?.more) })
  for (const row of rows) {
    const wanted: string[] = []
    const { file } = (row.patch ?? row).source
    const isWanted = ({ instancePath, schemaPath, params }: ErrorObject) => {
      const property = params['missingProperty'] ?? params['additionalProperty'] ?? ''
      const kind = `${file} ${withoutIndexes(instancePath)} ${schemaPath} ${property}`
      return isFirst(kind) && wanted.push(kind) > 0
    }
    for (const [index, error] of validate(pointer => placeOf(row, ...parts(pointer)), contract.items, row.record, isWanted).entries()) {
      keep(wanted[index] as string, error)
    }
  }
  for (const { warnings } of sources) for (const error of warnings) if (isFirst(kindOf(error))) keep(kindOf(error), error)
  return sources.flatMap(source => {
    const own = [...kinds.values()].filter(({ first }) => first?.file === source.file)
    const located = locate(source, own.map(({ first }) => first as DataError))
    return located.map((error, index) => ({ ...error, more: Number(own[index]?.more) }))
  })
}

const withoutIndexes = (pointer: string) => pointer.replace(/\/\d+(?=\/|$)/g, '/')

/** Returns a text that is the same for changes of the same fields of any records. */
const kindOf = ({ file, pointer, rule }: DataError) => `${file} ${withoutIndexes(pointer)} ${rule}`

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
