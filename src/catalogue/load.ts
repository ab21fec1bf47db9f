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
import { validators } from './authored/validators.ts'
import type { Catalogue } from './catalogue.ts'
import { brief, CatalogueErrors, errorLine, fileError, shownPath, type DataError } from './errors/error.ts'
import { createList, errorAt, isMissing, type List, type Source } from './errors/source.ts'
import {
  dataKindOf, digestOf, directoryErrors, fileNamesOf, readSources, recordingFile, resolveLinks, storedKeyOf,
  type Directory, type Files
} from './files.ts'
import { readImages, type Images } from './images.ts'
import { nameFitness, neutralName } from './schema-fields.ts'

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
  const patches = overSources.filter(source => !isMissing(source))
  if (Object.keys(records).length > 0) {
    const { sourcesOf } = await import('./authored/overlay.ts')
    patches.push(...sourcesOf(records, isRecorded))
  }
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
  for (const name of Object.keys(records)) {
    const must = `must be one of ${names.join(', ')}`
    if (!names.includes(name)) errors.push(fileError('', 'overlay', `overlay[${brief(name)}] ${must}`))
  }
  const located: (readonly DataError[])[] = []
  for (const source of data.sources) {
    if (source.errors.length === 0) continue
    const { locatedErrors } = await import('./errors/positions.ts') // only invalid data needs jsonc-parser
    located.push(locatedErrors(source))
  }
  const folderErrors = folders.flatMap(directoryErrors).filter(({ rule }) => rule !== 'missing')
  assertNone([...errors, ...located.flat(), ...folderErrors, ...isRecorded ? [] : imageErrors])

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

/**
 * Reads authored data: validate → merge → check. Returns its sources, which have their errors, and a function that
 * returns the catalogue of valid data.
 */
async function readAuthored (files: Files, images: Images['images'], fitnessName: string) {
  const own = {} as Record<StoredName, List>
  const over: { [name in StoredName]?: List } = {}
  for (const [name, [source, patch]] of files as ReadonlyMap<StoredName, [Source, Source?]>) {
    own[name] = await parseStored(source)
    if (patch !== undefined) over[name] = await parseStored(patch, own[name])
  }
  const hasOverlay = Object.keys(over).length > 0
  const stored = hasOverlay ? (await import('./authored/overlay.ts')).applyOverlay(own, over) : own
  check(stored, images)
  return { sources: [...files.values()].flat(), serve }

  async function serve () {
    let updated = 0
    const warnings: string[] = []
    for (const list of Object.values(stored)) {
      const { value, source } = list.updated
      const time = Date.parse(value as string)
      updated = Math.max(updated, time)
      if (time <= Date.now()) continue
      const { locate } = await import('./errors/positions.ts')
      const warning = errorAt({ source, pointer: '/updated' }, 'future', `${brief(value)} is in the future`)
      warnings.push(...locate(source, [warning]).map(errorLine))
    }
    const lists = nameFitness(linkLists(stored, images), fitnessName)
    return { ...lists, fitnessName, differences: [], updated: new Date(updated), warnings }
  }
}

/** Parses a file in the built-in format, and reports its errors; that of an overlay is merged into a list. */
async function parseStored (source: Source, base?: List): Promise<List> {
  if (source.errors.length > 0) return createList(source)
  const name = source.name as StoredName
  const resource = storedKeyOf(name)
  source.root = `/${resource}`
  const { value: content, error } = attempt((): unknown => JSON.parse(source.text))
  if (error !== undefined) {
    const { syntaxErrors } = await import('./errors/positions.ts')
    source.errors = syntaxErrors(source)
    return createList(source)
  }
  source.records = valueAt(content, [resource])
  const list = createList(source, source.records, valueAt(content, ['updated']))
  if (validators[name](content)) return list
  const { validate } = await import('./authored/validate.ts') // only invalid content needs Ajv
  source.errors = validate(source, stored[name], content)
  const isOtherVersion = source.errors.some(({ pointer }) => pointer === '/version')
  if (base !== undefined) source.errors = (await import('./authored/overlay.ts')).patchErrors(source, base)
  return isOtherVersion ? createList(source) : list
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
