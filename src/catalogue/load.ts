import { hash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { OverlayRecords } from '../settings/kinds.ts'
import type { Settings } from '../settings/settings.ts'
import type { Catalogue } from './catalogue.ts'
import { check } from './check.ts'
import { CatalogueFaults, shownPath } from './fault.ts'
import { dataFileNames, directoryFaults, faultsOf, nameOf, readDataFiles, resolveLinks, type DataFile, type Directory } from './files.ts'
import { linkLists } from './link.ts'
import { apart, isDirectory, layOver } from './overlay.ts'
import { readPictures, type Pictures } from './pictures.ts'

/** The directories of a catalogue. */
export type Source = Pick<Settings, 'data' | 'overlay'>

/**
 * Loads the catalogue of a data directory: read → validate → check → link → freeze.
 *
 * @throws {CatalogueFaults} with every fault, in the order of the files and of their text
 */
export async function loadCatalogue (data: string, { overlay }: { overlay?: Source['overlay'] } = {}): Promise<Catalogue> {
  const base = resolveLinks(data)
  const over = typeof overlay === 'string' ? resolveLinks(overlay) : overlay
  const directories = over !== undefined && isDirectory(over) ? [base, over] : [base]
  try {
    return await load(base, over, directories)
  } catch (error) {
    // The version being read can be removed when a link is swapped.
    if (isDeepStrictEqual(directories, directories.map(({ path }) => resolveLinks(path)))) throw error
    return loadCatalogue(data, { overlay })
  }
}

async function load (base: Directory, over: Directory | OverlayRecords | undefined, directories: readonly Directory[]): Promise<Catalogue> {
  const unread = directories.flatMap(directoryFaults)
  if (unread.length > 0) throw new CatalogueFaults(unread)
  const stored = { v1: await readDataFiles(base, 'v1'), v2: await readDataFiles(base, 'v2') }
  const { v1, v2, faults: ofOverlay } = over === undefined ? { ...stored, faults: [] } : await layOver(over, stored)
  const folders = directories.map(({ media }) => media)
  const media = readPictures(folders)

  const files = check(v1, v2, media).flatMap(apart)
  const faults = [
    ...ofOverlay,
    ...(await Promise.all(files.map(faultsOf))).flat(),
    ...folders.flatMap(directoryFaults).filter(({ rule }) => rule !== 'missing'),
    ...media.faults
  ]
  // All files of a missing directory share one fault.
  if (faults.length > 0) throw new CatalogueFaults([...new Set(faults)])

  const dated = [...Object.values(v1), ...Object.values(v2)]
  return Object.freeze({
    ...linkLists(v1, v2, media),
    updated: new Date(Math.max(...dated.map(file => Date.parse(updatedOf(file))))),
    digest: digestOf(dated, media),
    pictures: media.pictures,
    warnings: Object.freeze([
      ...[...directories.flatMap(unknownFiles), ...media.others].map(file =>
        `${shownPath(file)} is not served: the contract has no list or picture of it`),
      ...dated.filter(file => Date.parse(updatedOf(file)) > Date.now()).map(file =>
        `${nameOf(file.updatedAt === undefined ? file : file.over as DataFile)}: updated "${updatedOf(file)}" is in the future`)
    ])
  })
}

function updatedOf ({ content }: DataFile): string {
  return (content as { readonly updated: string }).updated
}

function digestOf (files: readonly DataFile[], { pictures }: Pictures): string {
  const facts = JSON.stringify([...pictures])
  return hash('sha256', files.map(({ digest }) => digest).join() + facts).slice(0, 12)
}

/** Returns the files of a data directory that are not served, except hidden ones and notes in Markdown. */
function unknownFiles (directory: Directory): string[] {
  const known = new Set(['v1', 'v2', 'media', 'schemas', ...dataFileNames.map(name => `${name}.json`)])
  return [directory, directory.v1, directory.v2]
    .filter(({ realPath }) => existsSync(realPath))
    .flatMap(({ path, realPath }) => readdirSync(realPath).map(name => relative(directory.path, join(path, name))))
    .filter(path => !known.has(path) && !/(?:^|\/)\.|\.md$/.test(path))
    .map(path => join(directory.path, path))
}
