import type { Logger } from 'pino'
import { errors } from './errors.ts'

/** Milliseconds: the longest normal turn of the event loop, a burst of longer turns that is served, and how often refusals are logged. */
const [maxTurn, maxBurst, reportInterval] = [250, 1_000, 1_000]

/** Throws the 503 of an overloaded server; called before work, not for cached responses. */
export type AssertCapacity = () => void

/**
 * Refuses work while the event loop has been busy for a second and for 250 ms without a pause. Node reads all sockets with data in one
 * turn, so the turn under way counts: `monitorEventLoopDelay` measures only finished turns.
 */
export function createCapacity (countRequests: () => number, logger: Logger, now = () => performance.now()): AssertCapacity {
  let last = 0
  let turnStart: number | undefined
  let busySince = 0
  let refused = 0

  return function assertCapacity (): void {
    const received = countRequests()
    if (received === last) return // injected requests may arrive without turns of the event loop between them
    last = received
    if (turnStart === undefined) beginTurn(now())
    else if (now() - turnStart > maxTurn && now() - busySince > maxBurst) {
      if (refused++ === 0) setTimeout(report, reportInterval).unref()
      throw errors.unavailable(1)
    }
  }

  function beginTurn (start: number): void {
    turnStart = start
    busySince ||= start
    setImmediate(() => {
      if (now() - start <= maxTurn) busySince = 0
      turnStart = undefined
    })
  }

  function report (): void {
    logger.warn(`too many requests: ${refused} of the last second were refused with 503`)
    refused = 0
  }
}
