import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { stored, type StoredName } from '../../schemas/stored.ts'
import { attempt } from '../base/attempt.ts'
import { groupBy } from '../base/group.ts'
import { valueAt } from '../base/json.ts'
import { command } from '../package.ts'
import type { OverlayRecords } from '../settings/kinds.ts'
import type { Settings } from '../settings/settings.ts'
import { pathWord } from '../base/text.ts'
import { check } from './authored/check.ts'
import { linkLists } from './authored/link.ts'
import { applyOverlay, sourcesOf } from './authored/overlay.ts'
import { validators } from './authored/validators.ts'
import type { Catalogue } from './catalogue.ts'
import { brief, CatalogueErrors, errorLine, fileError, shownPath, type DataError } from './errors/error.ts'
import {
  dataKindOf, digestOf, directoryErrors, namesOf, readSources, recordingFile, resolveLinks, type Directory, type Files
} from './files.ts'
import { nameFitness, neutralName } from './schema-fields.ts'
import { readImages, type Images } from './images.ts'
import { errorsOf, locate, syntaxErrors } from './errors/positions.ts'
import { loadRecording } from './recorded/recording.ts'
import { contractForms } from './recorded/responses.ts'
import { createList, errorAt, isMissing, type List, type Source } from './errors/source.ts'

export type DataSettings = Pick<Settings, 'data' | 'overlay' | 'fitnessName'>

/**
 * Loads the catalogue of a data directory.
 * Authored data: read → validate → check → link → freeze; a recording: read → ids → merge → freeze.
 *
 * @param mayBeEmpty whether an overlay may be missing or without files, as after they were deleted
 * @throws {CatalogueErrors} with every error, in the order of the files and of their text
 */
export async function loadCatalogue (
  data: string, { overlay, fitnessName = neutralName }: Partial<Omit<DataSettings, 'data'>> = {}, mayBeEmpty = false
): Promise<Catalogue> {
  const base = resolveLinks(data)
  const [directories, given] = typeof overlay === 'string' ? [[base, resolveLinks(overlay)], {}] : [[base], overlay]
  try {
    return await load(directories, given, fitnessName, mayBeEmpty)
  } catch (error) {
    // The version being read can be removed when a link is swapped.
    if (isDeepStrictEqual(directories, directories.map(({ path }) => resolveLinks(path)))) throw error
    return loadCatalogue(data, { overlay, fitnessName }, mayBeEmpty)
  }
}

async function load (directories: readonly Directory[], given: OverlayRecords = {}, fitnessName: string, mayBeEmpty: boolean) {
  const [base, over] = directories as [Directory, Directory?]
  const required = mayBeEmpty ? [base] : directories
  assertNone(required.flatMap(directoryErrors).map(error => error.rule === 'missing' && error.file === shownPath(base.path)
    ? { ...error, message: `${error.message}; ${command} init ${pathWord(error.file)} makes one` }
    : error))
  const [sources = [], read = []] = await Promise.all(directories.map(readSources))
  const { isRecorded, errors: ofKinds } = dataKindOf([...sources, ...read])
  assertNone(ofKinds)
  const names = namesOf(isRecorded)
  const patches = [...read.filter(source => !isMissing(source)), ...sourcesOf(given, isRecorded)]
  const folders = directories.map(({ media }) => media)
  const media = readImages(folders)
  const files: Files = groupBy([...sources, ...patches].filter(({ name }) => names.includes(name)), ({ name }) => name)
  const assertValid = (sources: readonly Source[]) => assertNone([
    ...over && !mayBeEmpty && patches.length === 0 ? [fileError(over.path, 'missing', 'has no data file, such as v1/bikes.json')] : [],
    ...Object.keys(given).filter(name => !names.includes(name))
      .map(name => fileError('', 'overlay', `overlay[${brief(name)}] must be one of ${names.join(', ')}`)),
    ...sources.flatMap(errorsOf),
    ...folders.flatMap(directoryErrors).filter(({ rule }) => rule !== 'missing'),
    ...isRecorded ? [] : media.errors
  ])
  const { sources: used, warnings, ...made } = isRecorded
    ? await loadRecording(base, files, media.images, fitnessName, assertValid)
    : await loadAuthored(files, media.images, fitnessName, assertValid)
  const unserved = [...directories.flatMap(directory => unknownFiles(directory, isRecorded)), ...media.others]
    .map(file => ({ file: shownPath(file), message: 'the contract has no list or image of it' }))
  const digests = used.map(({ name, digest }) => `${name} ${digest}`)
  return deepFreeze({
    ...made,
    isRecorded,
    digest: digestOf(digests.join() + JSON.stringify([...media.images])).slice(0, 12),
    images: media.images,
    warnings: [...[...unserved, ...media.errors].map(({ file, message }) => `${file} is not served: ${message}`), ...warnings]
  })
}

/** Loads authored data: validate → merge → check → link. `assertValid` throws the errors of sources. */
async function loadAuthored (
  files: Files, images: Images['images'], fitnessName: string, assertValid: (sources: readonly Source[]) => void
) {
  const [own, over] = [{} as Record<StoredName, List>, {} as { [name in StoredName]?: List }]
  for (const [name, [source, patch]] of files as ReadonlyMap<StoredName, [Source, Source?]>) {
    own[name] = await parseStored(source)
    if (patch !== undefined) over[name] = await parseStored(patch)
  }
  const lists = Object.keys(over).length === 0 ? own : applyOverlay(own, over)
  check(lists, images)
  const sources = [...files.values()].flat()
  assertValid(sources)
  let updated = 0
  const warnings: string[] = []
  for (const { updated: { value, source } } of Object.values(lists)) {
    const time = Date.parse(value as string)
    updated = Math.max(updated, time)
    if (time <= Date.now()) continue
    const warning = errorAt({ source, pointer: '/updated' }, 'future', `${brief(value)} is in the future`)
    warnings.push(...locate(source, [warning]).map(errorLine))
  }
  return {
    sources,
    ...nameFitness(linkLists(lists, images), fitnessName),
    forms: contractForms,
    fitnessName,
    differences: [],
    updated: new Date(updated),
    warnings
  }
}

async function parseStored (source: Source): Promise<List> {
  if (source.errors.length > 0) return createList(source)
  const [name, resource] = [source.name as StoredName, source.name.slice('v1/'.length)]
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
  return isOtherVersion ? createList(source) : createList(source, source.records, valueAt(content, ['updated']))
}

/** @throws {CatalogueErrors} for any errors, each once: files of a directory that cannot be read share one */
function assertNone (errors: readonly DataError[]): void {
  if (errors.length > 0) throw new CatalogueErrors([...new Set(errors)])
}

/** Returns the files of a data directory that are not served, except hidden ones and notes in Markdown. */
function unknownFiles (directory: Directory, isRecorded: boolean): string[] {
  const known = ['v1', 'v2', 'media', 'schemas', recordingFile, ...namesOf(isRecorded).map(name => `${name}.json`)]
  return Object.entries({ '': directory, 'v1/': directory.v1, 'v2/': directory.v2 }).flatMap(([folder, { path, realPath }]) =>
    (attempt(() => readdirSync(realPath)).value ?? [])
      .filter(name => !/^\.|\.md$/.test(name) && !known.includes(folder + name)).map(name => join(path, name)))
}

function deepFreeze<Value> (value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const name in value) deepFreeze(value[name])
  return Object.freeze(value)
}
