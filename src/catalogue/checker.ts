import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import type { CatalogueFaults, Fault } from './fault.ts'
import { loadCatalogue, type Source } from './load.ts'

// The program of a thread that checks a data directory and says what it found.

/** What was found: the digest of data without faults, or the faults; neither where something else went wrong. */
export type Checked = { digest?: string, faults?: readonly Fault[] }

const { data, overlay } = workerData as Source

const tell = (checked: Checked) => (parentPort as MessagePort).postMessage(checked)

loadCatalogue(data, { overlay }).then(({ digest }) => tell({ digest }), ({ faults }: CatalogueFaults) => tell({ faults }))
