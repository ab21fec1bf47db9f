import { join } from 'node:path'
import type { TArray, TObject } from '@sinclair/typebox'
import { records as schemas, type ListKey } from '../../../schemas/lists.ts'
import { isPlainObject } from '../../base/json.ts'
import { nextTurn } from '../../base/timers.ts'
import type { Lists, ServedRecord } from '../catalogue.ts'
import { below, errorKey, parts, shownPath, withoutIndexes, type DataError, type Difference } from '../errors/error.ts'
import { recordedFiles, type Directory, type Files } from '../files.ts'
import { checkResponses, fileResponses, readAbout } from './about.ts'
import { contractOf, findFitnessName } from '../schema-fields.ts'
import type { Images } from '../images.ts'
import { baseReplacer } from './queries.ts'
import { createForm, type ListForm } from './responses.ts'
import { bytesReader, maxLevels, mediaReplacer, readRecords, type Records } from './texts.ts'
import { apply, uniqueRule } from '../authored/check.ts'
import { mergeLists, nullableNames } from '../authored/overlay.ts'
import { locate, syntaxErrors } from '../errors/positions.ts'
import { createList, errorAt, isMissing, placeOf, report, type List, type Row, type Source } from '../errors/source.ts'

type Recorded = { list: List, records?: Records | undefined, document?: string }

function parseRecorded (source: Source, isFree: boolean): Recorded {
  if (source.errors.length > 0) return { list: createList(source) }
  const records = readRecords(source.bytes())
  if (records === undefined) return parseOther(source, isFree)
  if (records.page) source.root = '/results'
  const place = { source, pointer: '' }
  const count = records.page?.['count'] ?? records.values.length
  if (records.page && records.page['count'] === undefined) report(place, 'count', 'must have count, as a page of a list has')
  else if (count !== records.values.length) {
    const must = `must be ${records.values.length}: a recorded page has all records of its list`
    report({ source, pointer: '/count' }, 'count', must, count)
  } else {
    for (const [index, record] of records.values.entries()) {
      if (!isPlainObject(record)) report({ source, pointer: below(source.root, index) }, 'type', 'must be an object', record)
    }
  }
  const list = createList(source, records.values)
  apply([uniqueRule(list, 'id', id => id !== undefined)], 'differences')
  return { list, records }
}

/** Reports the errors of a file without records; version 2.1 may be any document. */
function parseOther (source: Source, isFree: boolean): Recorded {
  const errors = syntaxErrors(source)
  const place = { source, pointer: '' }
  if (errors.length > 0) source.errors = errors
  else if (!isFree) report(place, 'list', `must be an array of records, or a page with results, of at most ${maxLevels} levels`)
  else {
    source.differences = [errorAt(place, 'list', 'is neither a list nor a page: this document is the response to every query')]
    return { list: createList(source, []), document: source.text }
  }
  return { list: createList(source) }
}

/** The bikes that stand in for a missing list. */
const substitutes: { readonly [key in ListKey]?: { means: string, isOne: (bike: ServedRecord) => boolean } } = {
  featured: { means: 'the bikes with is_featured are featured', isOne: bike => bike['is_featured'] === true },
  bikesV2: { means: 'version 2.1 has the bikes of version 1', isOne: () => true }
}

/** A list and its parts, the one of an overlay last. */
type Used = { key: ListKey, list: List | undefined, parsed: Recorded[] }

/** Loads a recording: ids → merge → compare with the contract. `assertValid` throws the errors of sources. */
export async function loadRecording (
  directory: Directory, files: Files, images: Images['images'], fitnessName: string, assertValid: (sources: readonly Source[]) => void
) {
  const { source: about, content } = await readAbout(directory)
  const lists: Used[] = []
  for (const key of Object.keys(recordedFiles) as ListKey[]) {
    await nextTurn() // signals arrive between lists
    const read = (files.get(recordedFiles[key]) as readonly Source[]).filter(source => !isMissing(source))
    const parsed = read.map(source => parseRecorded(source, key === 'bikesV2'))
    const [own, over] = parsed.map(({ list }) => list)
    lists.push({ key, parsed, list: own && over ? mergeLists(own, over, new Set(nullableNames(schemas[key]))) : own })
  }
  const used = [...lists.flatMap(({ parsed }) => parsed.map(({ list }) => list.source)), about]
  const counts = Object.fromEntries(lists.map(({ key, parsed }) => [key, parsed[0]?.records?.values.length]))
  if (about.errors.length === 0) checkResponses(about, content, counts)
  assertValid(used)
  const bikes = lists.find(({ key }) => key === 'bikes') as Used
  const rowsOf = ({ key, list }: Used) =>
    list?.rows ?? bikes.list?.rows.filter(({ record }) => substitutes[key]?.isOne(record as ServedRecord)) ?? []
  const served = Object.fromEntries(lists.map(used => [used.key, rowsOf(used).map(({ record }) => record)])) as unknown as Lists
  const name = findFitnessName([...served.bikes, ...served.bikesV2]) ?? fitnessName
  const { url, media, lists: stored = {}, bases = [], recorded, v2 = {} } = content
  const replaceMedia = mediaReplacer(media, images)
  const localise = baseReplacer([url ?? '', ...bases])
  const formOf = (used: Used): ListForm => {
    const { key, list } = used
    const { parsed } = list === undefined ? bikes : used
    const [file] = parsed
    const own = stored[key] ?? {}
    const [, between] = file?.records?.values.length ? file.records.literals() : []
    const separator = own.separator ?? (own.responses === undefined && Number(file?.records?.values.length) > 1 ? between : undefined)
    const responses = list === undefined ? own.responses ?? {} : fileResponses(own, file)
    const texts = { isWhole: used.parsed.length < 2, bytesAt: bytesReader(rowsOf(used), parsed, replaceMedia), localise }
    const others = { head: own.head, ...key === 'bikesV2' && v2 }
    return createForm({ ...own, responses, ...separator !== undefined && { separator } }, texts, others)
  }
  const forms = Object.fromEntries(lists.map(used => [used.key, formOf(used)])) as Readonly<Record<ListKey, ListForm>>
  const differences: Difference[] = []
  for (const { key, list, parsed } of lists) {
    await nextTurn()
    differences.push(...await differencesOf(contractOf(key, name), list?.rows ?? [], parsed))
  }
  return {
    sources: used,
    ...served,
    cranksets: [],
    forms,
    recordedFrom: url,
    fitnessName: name,
    updated: new Date(recorded ?? Math.max(0, ...used.slice(0, -1).map(({ modified }) => modified))),
    warnings: lists.filter(({ list }) => list === undefined).map(({ key }) =>
      `${shownPath(join(directory.path, `${recordedFiles[key]}.json`))} is missing: ${substitutes[key]?.means ?? 'the list is empty'}`),
    differences
  }
}

/** Returns the differences of records, and of the texts that they come from, from the contract: one for each kind. */
async function differencesOf (contract: TArray<TObject>, rows: readonly Row[], parsed: readonly Recorded[]): Promise<Difference[]> {
  const { describe, errorsIn } = await import('../authored/validate.ts')
  const kinds = new Map<string, DataError & { more: number }>()
  /** Counts a difference, and describes the first one of its kind, as there may be millions. */
  const count = (kind: string, describe: () => DataError) => {
    const known = kinds.get(kind)
    if (known === undefined) kinds.set(kind, { ...describe(), more: 0 })
    else known.more++
  }
  for (const row of rows) {
    const { file } = (row.patch ?? row).source
    for (const error of errorsIn(contract.items, row.record)) {
      const { instancePath, schemaPath, params } = error
      const property = params['missingProperty'] ?? params['additionalProperty'] ?? ''
      const kind = `${file} ${withoutIndexes(instancePath)} ${schemaPath} ${property}`
      count(kind, () => describe(pointer => placeOf(row, ...parts(pointer)), error))
    }
  }
  for (const { list } of parsed) for (const error of list.source.differences) count(errorKey(error), () => error)
  return parsed.flatMap(({ list: { source }, records }) => {
    const own = [...kinds.values()].filter(({ file }) => file === source.file)
    const indexes = own.map(({ pointer }) => Number(parts(pointer.slice(source.root.length))[0]))
    return locate(source, own, records?.endOf(Math.max(...indexes)))
  })
}
