import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Settings } from '../settings/settings.ts'
import { acceptors } from './acceptors.ts'
import type { Catalogue } from './catalogue.ts'
import { check } from './check.ts'
import { nameByBrand } from './detail.ts'
import { CatalogueFaults, shownPath } from './fault.ts'
import { directoryFaults, faultsOf, readDataFiles, type DataFile } from './files.ts'
import { linkV1, linkV2 } from './link.ts'
import { apart, layOver } from './overlay.ts'
import { complainAboutManifest, layPicturesOver, readPictures, type Pictures } from './pictures.ts'

/** The directories that a catalogue is read from. */
export type Source = Pick<Settings, 'data' | 'overlay'>

type Besides = { overlay?: string | undefined, checked?: string | undefined }

/**
 * Loads the catalogue of a data directory: read → validate → check → link → freeze.
 *
 * Throws CatalogueFaults with everything that is wrong, in the order of the files and of their text. Data with the digest
 * `checked` have been found to be without faults.
 */
export async function loadCatalogue (directory: string, { overlay, checked }: Besides = {}): Promise<Catalogue> {
  const unread = (await Promise.all([directory, overlay ?? []].flat().map(directoryFaults))).flat()
  if (unread.length > 0) throw new CatalogueFaults(unread)
  const stored = {
    v1: await readDataFiles(directory, 'v1'),
    v2: await readDataFiles(directory, 'v2')
  }
  const { v1, v2 } = overlay === undefined ? stored : await layOver(overlay, stored)
  const manifest = await readManifest(directory)
  const own = await readPictures(join(directory, 'media'))
  const media = overlay === undefined ? own : layPicturesOver(await readPictures(join(overlay, 'media')), own)
  const digest = digestOf([...Object.values(v1), ...Object.values(v2), manifest], media)

  if (digest !== checked) {
    const complaints = [...manifest.complaints, ...complainAboutManifest(manifest, own.pictures)]
    const files = [...check(v1, v2, media).flatMap(apart), { ...manifest, complaints }]
    const faults = [...(await Promise.all(files.map(faultsOf))).flat(), ...media.faults]
    // All files of a missing directory share one fault.
    if (faults.length > 0) throw new CatalogueFaults([...new Set(faults)])
  }

  const lists = await linkV1(v1)
  await setImmediate()
  const details = linkV2(lists, v2, media)
  await setImmediate()
  const namedByBrand = nameByBrand(lists.bikes, details)
  await setImmediate()
  return Object.freeze({
    ...lists,
    updated: new Date(Math.max(...[...Object.values(v1), ...Object.values(v2)].map(updateOf))),
    digest,
    bikesById: new Map(lists.bikes.map(bike => [bike.id, bike])),
    namedByBrand,
    details,
    pictures: media.pictures,
    warnings: Object.freeze([...[directory, overlay ?? []].flat().flatMap(unknownFiles), ...media.others].map(file =>
      `${shownPath(file)} is not served: the contract has no list or picture of it`))
  })
}

/** The manifest of the pictures, which may be missing. */
async function readManifest (directory: string): Promise<DataFile> {
  const { manifest } = await readDataFiles(directory, 'media')
  return manifest.faults[0]?.rule === 'missing' ? { ...manifest, faults: [] } : manifest
}

function updateOf ({ content }: DataFile): number {
  return Date.parse((content as { readonly updated: string }).updated)
}

function digestOf (files: readonly DataFile[], { pictures }: Pictures): string {
  const facts = JSON.stringify([...pictures])
  return createHash('sha256').update(files.map(({ digest }) => digest).join()).update(facts).digest('hex').slice(0, 12)
}

/** What a data directory has besides its files, notes in Markdown and what is hidden. */
function unknownFiles (directory: string): string[] {
  const files = Object.entries({ v1: acceptors.v1, v2: acceptors.v2 })
    .flatMap(([folder, files]) => [folder, ...Object.keys(files).map(name => `${folder}/${name}.json`)])
  const known = new Set(['media', 'schemas', ...files])
  return ['', 'v1', 'v2']
    .filter(folder => existsSync(join(directory, folder)))
    .flatMap(folder => readdirSync(join(directory, folder)).map(name => folder === '' ? name : `${folder}/${name}`))
    .filter(path => !known.has(path) && !/(?:^|\/)\.|\.md$/.test(path))
    .map(path => join(directory, path))
}
