import { parentPort, workerData } from 'node:worker_threads'
import { CatalogueFaults, type Fault } from './fault.ts'
import { loadCatalogue } from './load.ts'

// The program of a thread that checks a data directory and says what it found.

/** What was found: the digest of data without faults, or the faults. */
export type Checked = { digest: string, faults?: undefined } | { digest?: undefined, faults: readonly Fault[] }

async function check (directory: string): Promise<Checked> {
  try {
    const { digest } = await loadCatalogue(directory)
    return { digest }
  } catch (error) {
    if (error instanceof CatalogueFaults) return { faults: error.faults }
    throw error
  }
}

parentPort?.postMessage(await check(workerData as string))
