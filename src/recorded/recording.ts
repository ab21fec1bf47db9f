import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { TArray, TObject } from '@sinclair/typebox'
import { records as schemas, type ListKey } from '../../schemas/lists.ts'
import type { Recording } from '../../schemas/recording.ts'
import { attempt } from '../base/attempt.ts'
import { isPlainObject, type JsonObject } from '../base/json.ts'
import { nextTurn } from '../base/timers.ts'
import { baseReplacer } from '../http/base-urls.ts'
import type { ListSource, ServedRecord } from '../catalogue/catalogue.ts'
import {
  below, errorKey, parts, shownPath, withoutIndexes, type DataError, type Difference
} from '../catalogue/errors/error.ts'
import { commitName, recordedFiles, recordingFile, type Directory, type Files } from '../catalogue/files.ts'
import { checkResponses, readAbout, withFile, type CountedFile, type RecordedFile } from './about.ts'
import { contractOf, findFitnessName } from '../catalogue/schema-fields.ts'
import type { Images } from '../catalogue/images.ts'
import { recordedSource } from './source.ts'
import { jsonReader, maxLevels, mediaReplacer, readRecords } from './texts.ts'
import { uniqueRule, violations } from '../catalogue/authored/check.ts'
import { mergeLists, nullableNames } from '../catalogue/authored/overlay.ts'
import { locate, syntaxErrors } from '../catalogue/errors/positions.ts'
import {
  createList, errorAt, isMissing, placeOf, report, type DataRow, type List, type Source
} from '../catalogue/errors/source.ts'

type ParsedFile = RecordedFile & { readonly list: List }

/** The source of a list, and that of an overlay. */
type ListSources = readonly [Source, ...Source[]]

/** Parses the file of a list, and reports its errors to its source. */
function parseFile (source: Source, mayBeDocument: boolean): ParsedFile {
  if (source.errors.length > 0) return { list: createList(source) }
  const records = readRecords(source.bytes())
  if (records === undefined) return parseOther(source, mayBeDocument)
  const { values, page } = records
  if (page !== undefined) {
    source.root = '/results'
    const count = page['count']
    const must = `must be ${values.length}: a recorded page has all records of its list`
    if (!('count' in page)) report({ source, pointer: '' }, 'count', 'must have the property count')
    else if (count !== values.length) report({ source, pointer: '/count' }, 'count', must, count)
  }
  if (source.errors.length === 0) {
    for (const [index, record] of values.entries()) {
      if (isPlainObject(record)) continue
      const pointer = below(source.root, index)
      report({ source, pointer }, 'type', 'must be an object', record)
    }
  }
  const list = createList(source, values)
  const rule = uniqueRule(list, 'id', id => id !== undefined)
  for (const { source, error } of violations(rule)) source.differences.push(error)
  return { list, records }
}

/** Reports the errors of a file without records; version 2.1 may be any document. */
function parseOther (source: Source, mayBeDocument: boolean): ParsedFile {
  const place = { source, pointer: '' }
  source.errors = syntaxErrors(source)
  if (source.errors.length > 0) return { list: createList(source) }
  if (!mayBeDocument) {
    report(place, 'list', `must be an array of records, or a page with results, of at most ${maxLevels} levels`)
    return { list: createList(source) }
  }
  const must = 'is neither a list nor a page: this document is the response to every query'
  source.differences = [errorAt(place, 'list', must)]
  return { list: createList(source, []), document: source.text }
}

/** A list of a recording: its file, and that of an overlay; the list is undefined if both are missing. */
type LoadedList = {
  readonly key: ListKey
  readonly files: readonly ParsedFile[]
  readonly list: List | undefined
  /** Whether its file is another one than the one that `pull` wrote. */
  readonly isEdited: boolean
}

/** Returns a list with its overlay merged; without a digest, as in a handwritten recording, it is never edited. */
function loadList (key: ListKey, sources: ListSources, digest = ''): LoadedList {
  const isEdited = !sources[0].digest.startsWith(digest)
  const files = sources
    .filter(source => !isMissing(source))
    .map(source => parseFile(source, key === 'bikesV2'))
  const [own, over] = files.map(({ list }) => list)
  if (own === undefined || over === undefined) return { key, files, list: own, isEdited }
  const nullable = new Set(nullableNames(schemas[key]))
  return { key, files, list: mergeLists(own, over, nullable), isEdited }
}

type Substitute = { readonly means: string, readonly isOne: (bike: JsonObject) => boolean }

/** The bikes that stand in for a missing list. */
const substitutes: { readonly [key in ListKey]?: Substitute } = {
  featured: { means: 'the bikes with is_featured are featured', isOne: bike => bike['is_featured'] === true },
  bikesV2: { means: 'version 2.1 has the bikes of version 1', isOne: () => true }
}

/**
 * Reads recording.json and the lists, each with its overlay merged. Returns its sources, which have their errors, and a
 * function that returns the catalogue of a valid recording, compared with the contract.
 */
export async function readRecording (
  directory: Directory, files: Files, images: Images['images'], fitnessName: string
) {
  const { source: about, content } = await readAbout(directory)
  const lists: LoadedList[] = []
  for (const key of Object.keys(recordedFiles) as ListKey[]) {
    await nextTurn() // signals arrive between lists
    const sources = files.get(recordedFiles[key]) as ListSources
    const digest = content.lists?.[key]?.digest
    lists.push(loadList(key, sources, digest))
  }
  if (about.errors.length === 0) checkAbout(directory, about, content, lists)
  const allFiles = lists.flatMap(({ files }) => files)
  const listFiles = allFiles.map(({ list }) => list.source)
  return { sources: [...listFiles, about], serve }

  async function serve () {
    const { url = '', bases = [], media, v2, recorded } = content
    const localise = baseReplacer([url, ...bases])
    const replaceMedia = mediaReplacer(media, images)
    const bikes = (lists.find(({ key }) => key === 'bikes') as LoadedList).list?.rows ?? []
    const served = {} as Record<ListKey, readonly ServedRecord[]>
    const sources = {} as Record<ListKey, ListSource>
    const warnings: string[] = []
    for (const { key, files: [file, over], list, isEdited } of lists) {
      const substitute = substitutes[key]
      const rows = list?.rows ?? bikes.filter(({ record }) => substitute?.isOne(record))
      served[key] = rows.map(({ record }) => record as ServedRecord)
      const isWhole = over === undefined && !isEdited
      const texts = { isWhole, json: jsonReader(rows, allFiles, replaceMedia), localise }
      const own = withFile(content.lists?.[key] ?? {}, file ?? {})
      sources[key] = recordedSource(own, texts, key === 'bikesV2' ? v2 : {})
      const path = shownPath(join(directory.path, `${recordedFiles[key]}.json`))
      const means = 'responses are generated from its records instead of replayed'
      if (list === undefined) warnings.push(`${path} is missing: ${substitute?.means ?? 'the list is empty'}`)
      else if (isEdited) warnings.push(`${path} was edited after it was pulled: ${means}`)
    }
    const name = findFitnessName([...served.bikes, ...served.bikesV2]) ?? fitnessName
    const differences: (readonly Difference[])[] = [] // there may be millions
    for (const { key, list, files } of lists) {
      await nextTurn()
      differences.push(await differencesOf(contractOf(key, name), list?.rows ?? [], files))
    }
    return {
      ...served,
      cranksets: [],
      sources,
      recordedFrom: content.url,
      fitnessName: name,
      updated: new Date(recorded ?? Math.max(0, ...listFiles.map(({ modified }) => modified))),
      warnings,
      differences: differences.flat()
    }
  }
}

/** Reports an interrupted pull, or lists that it did not write and the errors of recorded responses. */
function checkAbout (directory: Directory, about: Source, content: Recording, lists: readonly LoadedList[]): void {
  const { value: names = [] } = attempt(() => readdirSync(directory.realPath))
  if (names.some(name => name.startsWith(commitName))) {
    const must = 'belongs to a different pull than other files, because a pull was interrupted: pull again'
    return report({ source: about, pointer: '' }, 'interrupted', must)
  }
  const counted = {} as Record<ListKey, CountedFile>
  for (const { key, files: [file], isEdited } of lists) {
    const { values = [], bytesAt } = file?.records ?? {}
    counted[key] = isEdited ? { count: Infinity } : { count: values.length, bytesAt }
    const isUnlisted = file !== undefined && content.recorded !== undefined && content.lists?.[key] === undefined
    if (!isUnlisted) continue
    const must = `is not listed in ${recordingFile}: pull this list, too, or delete ${recordingFile}`
    report({ source: file.list.source, pointer: '' }, 'unlisted', must)
  }
  checkResponses(about, content, counted)
}

type CountedError = DataError & { more: number }

/** Returns the differences of records, and of the texts that they come from, from the contract: one for each kind. */
async function differencesOf (
  contract: TArray<TObject>, rows: readonly DataRow[], files: readonly ParsedFile[]
): Promise<readonly Difference[]> {
  const { ajvErrors, describeError } = await import('../catalogue/authored/validate.ts')
  const kinds = new Map<string, CountedError>()
  /** Counts a difference, and describes the first one of its kind, as there may be millions. */
  const count = (kind: string, describe: () => DataError) => {
    const known = kinds.get(kind)
    if (known === undefined) kinds.set(kind, { ...describe(), more: 0 })
    else known.more++
  }
  for (const row of rows) {
    const { file } = (row.patch ?? row).source
    const placeAt = (pointer: string) => placeOf(row, ...parts(pointer))
    for (const error of ajvErrors(contract.items, row.record)) {
      const { instancePath, schemaPath, params } = error
      const property = params['missingProperty'] ?? params['additionalProperty'] ?? ''
      const kind = `${file} ${withoutIndexes(instancePath)} ${schemaPath} ${property}`
      count(kind, () => describeError(placeAt, error))
    }
  }
  for (const { list } of files) {
    for (const error of list.source.differences) count(errorKey(error), () => error)
  }
  return files.flatMap(({ list: { source }, records }) => {
    const own = [...kinds.values()].filter(({ file }) => file === source.file)
    let last = 0 // the file is read as far as this record
    for (const { pointer } of own) {
      const [index] = parts(pointer.slice(source.root.length))
      last = Math.max(last, Number(index))
    }
    return locate(source, own, records?.endOf(last))
  })
}
