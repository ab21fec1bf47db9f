import { executionAsyncResource } from 'node:async_hooks'
import { setFlagsFromString } from 'node:v8'

/**
 * For how long garbage is not marked step by step, in milliseconds: V8 would begin with that just when the first clients come, and they
 * and a tenth of the start would pay for it. What takes longer to load is marked while it is loaded.
 */
const unmarked = 1000

/** What is held for as long as the process lives. */
const held: object[] = []

/** Sets V8 to what serves best, and so for the whole of the process. */
export function tuneV8 (): void {
  // Threads that help to collect garbage take more CPU time than they save: up to 6 µs a request, a tenth of a start with 100,000 bikes.
  setFlagsFromString('--no-parallel-scavenge')
  setFlagsFromString('--no-incremental-marking')
  setTimeout(() => setFlagsFromString('--incremental-marking'), unmarked).unref()
  // The shape of what Node queues in process.nextTick(), ten of which a request takes. A full collection that finds none of them in the
  // queue would take the shape with them, and V8 never again compile their literal, which has computed keys: 2 µs a request.
  process.nextTick(() => held.push(executionAsyncResource()))
}
