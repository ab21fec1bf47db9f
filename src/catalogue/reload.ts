import { readdir, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Catalogue } from './catalogue.ts'
import type { Checked } from './checker.ts'
import type { Current } from './current.ts'
import { CatalogueFaults, faultLine, type Fault } from './fault.ts'
import { loadCatalogue, type Source } from './load.ts'

/** Data files of so many bytes in all are checked in a thread of their own: it takes longer to start than they take to be checked. */
const checkedApart = 4 * 2 ** 20

/** How many faults are told one by one. */
const toldFaults = 20

/** Where it is written down what comes of the data of a server that runs. */
export type Journal = Record<'info' | 'warn' | 'error', (message: string) => void>

/**
 * A function that reads the data anew and serves them in place of the last ones; faults are told, and leave the last ones in
 * place. It never rejects. Whoever calls it while data are read shares one more reading with all others who do.
 */
export function createReload (source: Source, current: Current, journal: Journal): () => Promise<void> {
  let standing: readonly Fault[] = []
  let last = Promise.resolve()
  let next: Promise<void> | undefined

  return () => {
    if (next === undefined) {
      next = last.then(() => {
        next = undefined
        return read()
      })
      last = next
    }
    return next
  }

  async function read (): Promise<void> {
    try {
      const catalogue = await loadBeside(source)
      const { digest, warnings } = current.catalogue()
      await current.replace(catalogue)
      tellFaults([])
      for (const warning of catalogue.warnings) if (!warnings.includes(warning)) journal.warn(warning)
      journal.info(`the data were read anew: digest ${catalogue.digest}${catalogue.digest === digest ? ', as before' : ''}`)
    } catch (error) {
      if (error instanceof CatalogueFaults) tellFaults(error.faults)
      else journal.error(`the data could not be read anew; the last good data are still served: ${(error as Error).message}`)
    }
  }

  function tellFaults (faults: readonly Fault[]): void {
    const stays = new Set(faults.map(identityOf))
    const mended = standing.filter(fault => !stays.has(identityOf(fault)))
    tellSome(mended, fault => journal.info(`mended: ${identityOf(fault)}`))
    tellSome(faults, fault => journal.error(faultLine(fault)))
    const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`
    if (faults.length > 0) journal.error(`${count} in the data; the last good data are still served`)
    standing = faults
  }

  function tellSome (faults: readonly Fault[], tell: (fault: Fault) => void): void {
    faults.slice(0, toldFaults).forEach(tell)
    if (faults.length > toldFaults) journal.info(`… and ${faults.length - toldFaults} more`)
  }
}

/** A fault wherever in its file it stands, because lines move. */
const identityOf = ({ file, message }: Fault) => `${file} ${message}`

/** Loads a catalogue while another one is served, so that nobody has to wait long for an answer. */
async function loadBeside (source: Source): Promise<Catalogue> {
  const { data, overlay } = source
  return loadCatalogue(data, { overlay, checked: await sizeOf(source) < checkedApart ? undefined : await checkApart(source) })
}

/** The size of all data files in bytes; what cannot be read has none. */
async function sizeOf ({ data, overlay }: Source): Promise<number> {
  const folders = [data, overlay ?? []].flat().flatMap(directory => ['v1', 'v2'].map(version => join(directory, version)))
  const sizes = await Promise.all(folders.map(async folder => {
    const files = await readdir(folder).catch(() => [])
    return Promise.all(files.map(file => stat(join(folder, file)).then(({ size }) => size, () => 0)))
  }))
  return sizes.flat().reduce((sum, size) => sum + size, 0)
}

/** The digest of data that a thread of their own has found good; undefined where it could not tell. Throws CatalogueFaults. */
async function checkApart ({ data, overlay }: Source): Promise<string | undefined> {
  const { Worker } = await import('node:worker_threads')
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(`./checker${extname(import.meta.url)}`, import.meta.url), { workerData: { data, overlay } })
    worker.unref() // nobody waits for it at the end
    worker.once('error', reject)
    worker.once('message', ({ digest, faults }: Checked) => faults === undefined ? resolve(digest) : reject(new CatalogueFaults(faults)))
  })
}
