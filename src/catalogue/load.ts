import { join } from 'node:path'
import { storedV1 } from '../../schemas/stored.ts'
import type { Catalogue } from './catalogue.ts'
import { checkV1 } from './check.ts'
import { CatalogueFaults } from './fault.ts'
import { faultsOf, readDataFiles } from './files.ts'
import { linkV1 } from './link.ts'

export type { Catalogue } from './catalogue.ts'

/**
 * Loads the catalogue of a data directory: read → validate → check → link → freeze.
 *
 * Throws CatalogueFaults with everything that is wrong, in the order of the files and of their text.
 */
export async function loadCatalogue (directory: string): Promise<Catalogue> {
  const v1 = await readDataFiles(join(directory, 'v1'), storedV1)
  const faults = (await Promise.all(checkV1(v1).map(faultsOf))).flat()
  if (faults.length > 0) throw new CatalogueFaults(faults)
  return linkV1(v1)
}
