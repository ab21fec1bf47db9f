import { join } from 'node:path'
import { records as schemas, type ListKey } from '../../schemas/lists.ts'
import type { Lists, Loaded, ServedRecord } from './catalogue.ts'
import { label, shownPath } from './fault.ts'
import { readSource, recordedFiles, recordingFile, type Directory } from './files.ts'
import { findFitnessName } from './fitness.ts'
import { mergeLists, nullableNames } from './overlay.ts'
import { findFlaws } from './positions.ts'
import type { RecordedList } from './remarks.ts'
import { createList, isMissing, isObject, placeOf, report, type Row, type Source } from './source.ts'

function parseRecorded (source: Source): RecordedList {
  const none = { ...createList(source, undefined), flaws: [] }
  if (source.faults.length > 0) return none
  const { error, flaws, changes } = findFlaws(source, true)
  if (error !== undefined) {
    source.faults = flaws
    return none
  }
  const content = JSON.parse(source.text) as unknown
  const isPage = isObject(content) && Array.isArray(content['results'])
  const records: unknown = isPage ? content['results'] : content
  if (isPage) source.root = '/results'
  if (!Array.isArray(records)) report({ source, pointer: '' }, 'list', 'must be an array of records, or a page with results')
  else if (isPage && content['count'] !== records.length) {
    const must = `must be ${records.length}: a recorded page has all records of its list`
    report({ source, pointer: '/count' }, 'count', must, content['count'])
  } else checkIds(source, records)
  return source.faults.length > 0 ? none : { ...createList(source, records), flaws: [...flaws, ...changes] }
}

const mustOfId = `must be a whole number up to ${Number.MAX_SAFE_INTEGER}`

/** Reports records that are no objects, and ids that are missing, repeated or cannot be told apart. */
function checkIds (source: Source, records: readonly unknown[]): void {
  const rows = new Map<unknown, Row>()
  for (const [index, record] of records.entries()) {
    const row = { record, source, index } as Row
    if (!isObject(record) || Array.isArray(record)) report(placeOf(row), 'type', 'must be an object', record)
    else if (!Object.hasOwn(record, 'id')) report(placeOf(row), 'required', 'must have the property id')
    else if (!Number.isSafeInteger(record['id'])) report(placeOf(row, 'id'), 'type', mustOfId, record['id'])
    else {
      const first = rows.get(record['id'])
      if (first === undefined) rows.set(record['id'], row)
      else report(placeOf(row, 'id'), 'unique', `must differ from ${label(placeOf(first, 'id').pointer)}`, record['id'])
    }
  }
}

type Substitute = { means: string, records: (bikes: readonly ServedRecord[]) => readonly ServedRecord[] }

/** The bikes that stand in for a missing list. */
const substitutes: { readonly [key in ListKey]?: Substitute } = {
  featured: { means: 'the bikes with is_featured are featured', records: bikes => bikes.filter(bike => bike['is_featured'] === true) },
  bikesV2: { means: 'version 2.1 has the bikes of version 1', records: bikes => bikes }
}

/** Loads a recording: ids → merge → compare with the contract. */
export async function loadRecording (
  directory: Directory, sources: readonly Source[], patches: readonly Source[], fitnessName: string
): Promise<Loaded> {
  const about = await readAbout(directory)
  const lists = (Object.keys(recordedFiles) as ListKey[]).map(key => {
    const [own, over] = [sources, patches].map(all => all.find(source => source.name === recordedFiles[key] && !isMissing(source)))
    return { key, own: own && parseRecorded(own), over: over && parseRecorded(over) }
  })
  const read = lists.flatMap(({ own, over }) => [own ?? [], over ?? []].flat())
  return {
    sources: [...read.map(({ source }) => source), about.source],
    async make () {
      const { remarksOf } = await import('./remarks.ts')
      const merged = new Map(lists.map(({ key, own, over }) =>
        [key, own && over ? mergeLists(own, over, nullableNames(schemas[key])) : own ?? over]))
      const recordsOf = (key: ListKey) => merged.get(key)?.rows.map(({ record }) => record as ServedRecord)
      const bikes = recordsOf('bikes') ?? []
      const served = Object.fromEntries(lists.map(({ key }) => [key, recordsOf(key) ?? substitutes[key]?.records(bikes) ?? []])) as Lists
      const name = findFitnessName([...bikes, ...served.bikesV2]) ?? fitnessName
      return {
        ...served,
        cranksets: [],
        fitnessName: name,
        updated: new Date(about.recorded ?? Math.max(0, ...read.map(({ source }) => source.modified))),
        warnings: lists.filter(({ key }) => merged.get(key) === undefined).map(({ key }) => missingLine(directory, key)),
        remarks: lists.flatMap(({ key, own, over }) => remarksOf(key, name, merged.get(key), [own ?? [], over ?? []].flat()))
      }
    }
  }
}

function missingLine ({ path }: Directory, key: ListKey): string {
  return `${shownPath(join(path, `${recordedFiles[key]}.json`))} is missing: ${substitutes[key]?.means ?? 'the list is empty'}`
}

/** Reads recording.json: the time of the recording; the settings read their presets from it themselves. */
async function readAbout ({ path, realPath }: Directory): Promise<{ source: Source, recorded: string | undefined }> {
  const source = await readSource('recording', { path: join(path, recordingFile), realPath: join(realPath, recordingFile) })
  if (source.faults.length === 0) source.faults = findFlaws(source).flaws
  if (isMissing(source)) source.faults = []
  if (source.text === '' || source.faults.length > 0) return { source, recorded: undefined }
  const content = JSON.parse(source.text) as { recorded?: string }
  const [{ Recording }, { validate }] = await Promise.all([import('../../schemas/stored.ts'), import('./validate.ts')])
  source.faults = validate(pointer => ({ source, pointer }), Recording, content)
  return { source, recorded: content.recorded }
}
