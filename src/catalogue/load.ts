import { hash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { attempt } from '../attempt.ts'
import { command } from '../package.ts'
import type { OverlayRecords } from '../settings/kinds.ts'
import type { Settings } from '../settings/settings.ts'
import type { Catalogue, Lists } from './catalogue.ts'
import { check } from './check.ts'
import { CatalogueFaults, shownPath } from './fault.ts'
import { directoryFaults, faultsOf, nameOf, readDataFiles, resolveLinks, type DataFile, type Directory } from './files.ts'
import { nameFitness, neutralName } from './fitness.ts'
import { deepFreeze, linkLists, type AuthoredLists } from './link.ts'
import { apart, isDirectory, layOver } from './overlay.ts'
import { readPictures, type Pictures } from './pictures.ts'
import { kindOf, knownFiles, loadRecording } from './recording.ts'
import { positions } from './positions.ts'

/** The settings of a catalogue. */
export type Source = Pick<Settings, 'data' | 'overlay' | 'fitnessName'>

/**
 * Loads the catalogue of a data directory: read → validate → check → link → freeze; or, of a recording: read → ids → merge → freeze.
 * The catalogue of a recording has its `remarks`: each kind of difference from the contract, with its first place and how many more
 * there are.
 *
 * @param mayBeEmpty whether an overlay without files is valid, as after its last file was deleted
 * @throws {CatalogueFaults} with every fault, in the order of the files and of their text
 */
export async function loadCatalogue (
  data: string, { overlay, fitnessName = neutralName }: Partial<Omit<Source, 'data'>> = {}, mayBeEmpty = false
): Promise<Catalogue> {
  const base = resolveLinks(data)
  const over = typeof overlay === 'string' ? resolveLinks(overlay) : overlay
  const directories = over !== undefined && isDirectory(over) ? [base, over] : [base]
  try {
    return await load(base, over, directories, fitnessName, mayBeEmpty)
  } catch (error) {
    // The version being read can be removed when a link is swapped.
    if (isDeepStrictEqual(directories, directories.map(({ path }) => resolveLinks(path)))) throw error
    return loadCatalogue(data, { overlay, fitnessName }, mayBeEmpty)
  }
}

async function load (
  base: Directory, over: Directory | OverlayRecords | undefined, directories: readonly Directory[], fitnessName: string,
  mayBeEmpty: boolean
): Promise<Catalogue> {
  const unread = directories.flatMap(directoryFaults).map(fault => fault.rule === 'missing' && fault.file === shownPath(base.path)
    ? { ...fault, message: `${fault.message}; ${command} init ${fault.file} makes one` }
    : fault)
  if (unread.length > 0) throw new CatalogueFaults(unread)
  const { isRecorded, faults: ofKinds } = kindOf(directories)
  if (ofKinds.length > 0) throw new CatalogueFaults(ofKinds)
  const folders = directories.map(({ media }) => media)
  const media = readPictures(folders)
  const ofMedia = [...folders.flatMap(directoryFaults).filter(({ rule }) => rule !== 'missing'), ...media.faults]
  const unserved = [...directories.flatMap(unknownFiles), ...media.others].map(file =>
    `${shownPath(file)} is not served: the contract has no list or picture of it`)
  if (isRecorded) {
    const { faults, digests, warnings, ...recording } = await loadRecording(base, over, fitnessName)
    if (faults.length + ofMedia.length > 0) throw new CatalogueFaults([...faults, ...ofMedia])
    const { pictures } = media
    return deepFreeze({
      ...recording, cranksets: [], isRecorded, digest: digestOf(digests, media), pictures, warnings: [...unserved, ...warnings]
    })
  }
  const stored = { v1: await readDataFiles(base, 'v1'), v2: await readDataFiles(base, 'v2') }
  const { v1, v2, faults: ofOverlay } = over === undefined ? { ...stored, faults: [] } : await layOver(over, stored, mayBeEmpty)
  const files = check(v1, v2, media).flatMap(apart)
  const faults = [
    ...ofOverlay,
    ...files.flatMap(faultsOf),
    ...ofMedia
  ]
  // All files of a missing directory share one fault.
  if (faults.length > 0) throw new CatalogueFaults([...new Set(faults)])

  const dated = [...Object.values(v1), ...Object.values(v2)]
  return Object.freeze({
    ...nameLists(linkLists(v1, v2, media), fitnessName),
    updated: new Date(Math.max(...dated.map(file => Date.parse(updatedOf(file))))),
    isRecorded,
    fitnessName,
    remarks: Object.freeze([]),
    digest: digestOf(dated.map(({ digest }) => digest), media),
    pictures: media.pictures,
    warnings: Object.freeze([
      ...unserved,
      ...dated.filter(file => Date.parse(updatedOf(file)) > Date.now()).map(file =>
        `${placeOfUpdate(file.updatedAt === undefined ? file : file.over as DataFile)} updated "${updatedOf(file)}" is in the future`)
    ])
  })
}

/** Renames the fitness fields of bikes, the only records with them. */
function nameLists (lists: AuthoredLists, name: string): Lists {
  const [bikes, bikesV2] = [nameFitness(lists.bikes, name), nameFitness(lists.bikesV2, name)]
  return deepFreeze({ ...lists, bikes, bikesV2, featured: bikes.filter(bike => bike.is_featured) })
}

/** Returns the name of a file with the line and column of its `updated`; that of a program's overlay has none. */
function placeOfUpdate (file: DataFile): string {
  if (file.givenAs !== undefined) return `${file.givenAs}:`
  const [[, { line, column }] = [undefined, { line: 1, column: 1 }]] = positions(file.text, [{ pointer: '/updated' }])
  return `${nameOf(file)}:${line}:${column}`
}

function updatedOf ({ content }: DataFile): string {
  return (content as { readonly updated: string }).updated
}

function digestOf (digests: readonly string[], { pictures }: Pictures): string {
  const facts = JSON.stringify([...pictures])
  return hash('sha256', digests.join() + facts).slice(0, 12)
}

/** Returns the files of a data directory that are not served, except hidden ones and notes in Markdown. */
function unknownFiles (directory: Directory): string[] {
  const known = new Set(['v1', 'v2', 'media', 'schemas', ...knownFiles])
  const namesIn = (folder: string) => attempt(() => readdirSync(folder)).value ?? []
  return [directory, directory.v1, directory.v2]
    .flatMap(({ path, realPath }) => namesIn(realPath).map(name => relative(directory.path, join(path, name))))
    .filter(path => !known.has(path) && !/(?:^|\/)\.|\.md$/.test(path))
    .map(path => join(directory.path, path))
}
