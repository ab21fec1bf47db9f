import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { stored, type StoredName } from '../../schemas/stored.ts'
import { attempt } from '../base/attempt.ts'
import { groupBy } from '../base/group.ts'
import { valueAt } from '../base/json.ts'
import { command } from '../package.ts'
import type { OverlayRecords } from '../settings/overlay-records.ts'
import { pathWord } from '../base/text.ts'
import { check } from './authored/check.ts'
import { linkLists } from './authored/link.ts'
import { applyOverlay, sourcesOf } from './authored/overlay.ts'
import { validators } from './authored/validators.ts'
import type { Catalogue } from './catalogue.ts'
import { brief, CatalogueErrors, errorLine, fileError, shownPath, type DataError } from './errors/error.ts'
import {
  dataKindOf, digestOf, directoryErrors, fileNamesOf, readSources, recordingFile, resolveLinks, storedKeyOf,
  type Directory, type Files, type StoredLists
} from './files.ts'
import { nameFitness, neutralName } from './schema-fields.ts'
import { readImages, type Images } from './images.ts'
import { locatedErrors, locate, syntaxErrors } from './errors/positions.ts'
import { createList, errorAt, isMissing, type List, type Source } from './errors/source.ts'

export type DataSettings = { data: string, overlay?: string | OverlayRecords | undefined, fitnessName: string }

/**
 * Loads the catalogue of a data directory.
 * Authored data: read → validate → check → link → freeze; a recording: read → ids → merge → freeze.
 *
 * @param mayBeEmpty whether an overlay may be missing or empty, as after its files were deleted
 * @throws {CatalogueErrors} with every error, in the order of the files and of their text
 */
export async function loadCatalogue (
  data: string, { overlay, fitnessName = neutralName }: Partial<Omit<DataSettings, 'data'>> = {}, mayBeEmpty = false
): Promise<Catalogue> {
  const paths = typeof overlay === 'string' ? [data, overlay] : [data]
  const records = typeof overlay === 'object' ? overlay : {}
  const directories = paths.map(resolveLinks)
  try {
    return await loadDirectories(directories, { records, fitnessName, mayBeEmpty })
  } catch (error) {
    // The version being read can be removed when a link is swapped.
    const isSameVersion = isDeepStrictEqual(directories, paths.map(resolveLinks))
    if (isSameVersion) throw error
    return loadCatalogue(data, { overlay, fitnessName }, mayBeEmpty)
  }
}

type LoadOptions = {
  /** The overlay of a program. */
  readonly records: OverlayRecords
  readonly fitnessName: string
  readonly mayBeEmpty: boolean
}

async function loadDirectories (directories: readonly Directory[], options: LoadOptions): Promise<Catalogue> {
  const { records, fitnessName, mayBeEmpty } = options
  const [base, over] = directories as [Directory, Directory?]
  const required = mayBeEmpty ? [base] : directories
  assertNone(required.flatMap(directoryErrors), base)
  const [sources, overSources = []] = await Promise.all([readSources(base), over && readSources(over)])
  const { isRecorded, errors: kindErrors } = dataKindOf([...sources, ...overSources])
  assertNone(kindErrors)
  const names = fileNamesOf(isRecorded)
  const patches = [...overSources.filter(source => !isMissing(source)), ...sourcesOf(records, isRecorded)]
  const served = [...sources, ...patches].filter(({ name }) => names.includes(name))
  const files: Files = groupBy(served, ({ name }) => name)
  const folders = directories.map(({ media }) => media)
  const { images, errors: imageErrors, others } = readImages(folders)

  const data = isRecorded
    ? await (await import('../recorded/recording.ts')).readRecording(base, files, images, fitnessName)
    : await readAuthored(files, images, fitnessName)
  const errors: DataError[] = []
  if (over !== undefined && !mayBeEmpty && patches.length === 0) {
    errors.push(fileError(over.path, 'missing', 'has no data file, such as v1/bikes.json'))
  }
  errors.push(...overlayErrors(records, names), ...data.sources.flatMap(locatedErrors))
  errors.push(...folders.flatMap(directoryErrors).filter(({ rule }) => rule !== 'missing'))
  if (!isRecorded) errors.push(...imageErrors)
  assertNone(errors)

  const catalogue = await data.serve()
  const digests = data.sources.map(({ name, digest }) => `${name} ${digest}`)
  const otherFiles = [...directories.flatMap(directory => otherFilesOf(directory, isRecorded)), ...others]
  return deepFreeze({
    ...catalogue,
    isRecorded,
    digest: digestOf(digests.join() + JSON.stringify([...images])).slice(0, 12),
    images,
    warnings: [
      ...otherFiles.map(file => `${shownPath(file)} is not served: the contract has no such list or image`),
      ...imageErrors.map(({ file, message }) => `${file} is not served: ${message}`),
      ...catalogue.warnings
    ]
  })
}

/** @throws {CatalogueErrors} for any errors, each once: the files of an unreadable directory share one */
function assertNone (errors: readonly DataError[], base?: Directory): void {
  if (errors.length === 0) return
  const missing = base && shownPath(base.path)
  throw new CatalogueErrors([...new Set(errors)].map(error => {
    if (error.rule !== 'missing' || error.file !== missing) return error
    return { ...error, message: `${error.message}; ${command} init ${pathWord(error.file)} makes one` }
  }))
}

/** Returns an error for each file in the overlay of a program that the data does not have. */
function overlayErrors (records: OverlayRecords, names: readonly string[]): DataError[] {
  const others = Object.keys(records).filter(name => !names.includes(name))
  return others.map(name => {
    const must = `must be one of ${names.join(', ')}`
    return fileError('', 'overlay', `overlay[${brief(name)}] ${must}`)
  })
}

/**
 * Reads authored data: validate → merge → check. Returns its sources, which have their errors, and a function that
 * returns the catalogue of valid data.
 */
async function readAuthored (files: Files, images: Images['images'], fitnessName: string) {
  const own = {} as Record<StoredName, List>
  const over: { [name in StoredName]?: List } = {}
  for (const [name, [source, patch]] of files as ReadonlyMap<StoredName, [Source, Source?]>) {
    own[name] = await parseStored(source)
    if (patch !== undefined) over[name] = await parseStored(patch)
  }
  const hasOverlay = Object.keys(over).length > 0
  const stored = hasOverlay ? applyOverlay(own, over) : own
  check(stored, images)
  const sources = [...files.values()].flat()
  return { sources, serve: () => serveAuthored(stored, images, fitnessName) }
}

/** Returns the catalogue of valid authored data. */
function serveAuthored (stored: StoredLists, images: Images['images'], fitnessName: string) {
  let updated = 0
  const warnings: string[] = []
  for (const list of Object.values(stored)) {
    const { value, source } = list.updated
    const time = Date.parse(value as string)
    updated = Math.max(updated, time)
    if (time <= Date.now()) continue
    const warning = errorAt({ source, pointer: '/updated' }, 'future', `${brief(value)} is in the future`)
    warnings.push(...locate(source, [warning]).map(errorLine))
  }
  return {
    ...nameFitness(linkLists(stored, images), fitnessName),
    fitnessName,
    differences: [],
    updated: new Date(updated),
    warnings
  }
}

async function parseStored (source: Source): Promise<List> {
  if (source.errors.length > 0) return createList(source)
  const name = source.name as StoredName
  const resource = storedKeyOf(name)
  source.root = `/${resource}`
  const { value: content, error } = attempt((): unknown => JSON.parse(source.text))
  if (error !== undefined) source.errors = syntaxErrors(source)
  if (source.errors.length > 0) return createList(source)
  source.records = valueAt(content, [resource])
  if (!validators[name](content)) {
    const { validate } = await import('./authored/validate.ts') // only invalid content needs Ajv
    source.errors = validate(pointer => ({ source, pointer }), stored[name], content)
  }
  const isOtherVersion = source.errors.some(({ pointer }) => pointer === '/version')
  if (isOtherVersion) return createList(source)
  return createList(source, source.records, valueAt(content, ['updated']))
}

/** Returns the files of a data directory that are not served, except hidden ones and notes in Markdown. */
function otherFilesOf (directory: Directory, isRecorded: boolean): string[] {
  const lists = fileNamesOf(isRecorded).map(name => `${name}.json`)
  const known = ['v1', 'v2', 'media', 'schemas', recordingFile, ...lists]
  const folders = { '': directory, 'v1/': directory.v1, 'v2/': directory.v2 }
  const others: string[] = []
  for (const [folder, { path, realPath }] of Object.entries(folders)) {
    for (const name of attempt(() => readdirSync(realPath)).value ?? []) {
      const isNote = name.startsWith('.') || name.endsWith('.md')
      if (!isNote && !known.includes(folder + name)) others.push(join(path, name))
    }
  }
  return others
}

function deepFreeze<Value> (value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const name in value) deepFreeze(value[name])
  return Object.freeze(value)
}
