import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { storedV1, storedV2 } from '../../schemas/stored.ts'
import { PictureManifest } from '../../schemas/v2/picture.ts'
import type { Catalogue } from './catalogue.ts'
import { check } from './check.ts'
import { CatalogueFaults } from './fault.ts'
import { faultsOf, readDataFiles, type DataFile } from './files.ts'
import { byBrand, linkV1, linkV2 } from './link.ts'

function updateOf ({ content }: DataFile): number {
  return Date.parse((content as { readonly updated: string }).updated)
}

function digestOf (files: readonly DataFile[]): string {
  return createHash('sha256').update(files.map(({ digest }) => digest).join()).digest('hex').slice(0, 12)
}

/**
 * Loads the catalogue of a data directory: read → validate → check → link → freeze.
 *
 * Throws CatalogueFaults with everything that is wrong, in the order of the files and of their text.
 */
export async function loadCatalogue (directory: string): Promise<Catalogue> {
  const v1 = await readDataFiles(join(directory, 'v1'), storedV1)
  const v2 = await readDataFiles(join(directory, 'v2'), storedV2)
  const { manifest } = await readDataFiles(join(directory, 'media'), { manifest: PictureManifest })
  const pictures = manifest.fault?.rule === 'missing' ? [] : [manifest]

  const faults = (await Promise.all([...check(v1, v2), ...pictures].map(faultsOf))).flat()
  // All files of a missing directory share one fault.
  if (faults.length > 0) throw new CatalogueFaults([...new Set(faults)])

  const files = [...Object.values(v1), ...Object.values(v2), manifest]
  const lists = linkV1(v1)
  return Object.freeze({
    ...lists,
    updated: new Date(Math.max(...[...Object.values(v1), ...Object.values(v2)].map(updateOf))),
    digest: digestOf(files),
    bikesById: new Map(lists.bikes.map(bike => [bike.id, bike])),
    bikesByBrand: byBrand(lists.bikes),
    details: linkV2(lists, v2, manifest)
  })
}
