import { performance } from 'node:perf_hooks'
import type { Logger } from 'pino'
import { errors } from './errors.ts'
import { begin } from './turns.ts'

/** Does work at once, or when those before it in the line have had their turn; throws or rejects with a 503 where that takes too long. */
export type InLine = <T>(work: () => T | Promise<T>) => T | Promise<T>

/** Where work that is dear waits; `join` throws a 503 while who comes would wait too long. */
export type Line = { join: () => void, inLine: InLine }

/** For how long a turn of the event loop does such work, in milliseconds; all that costs little is done in between. */
const slice = 10

/** How long work may wait in line, and for how long there may be a line until that counts, in milliseconds of CPU time. */
const patience = { work: 250, line: 1_000 }

/** When a client that was refused may come back, in seconds. */
const retryAfter = 1

/** How often the log tells of refusals, in milliseconds. */
const tellEvery = 1_000

/**
 * The time, and how much CPU time the process has used, in milliseconds: on a machine that others use every server is slow and none is
 * to blame.
 */
type Clock = { now: () => number, spent: () => number }

const clock: Clock = {
  now: () => performance.now(),
  spent () {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}

type Waiting = { since: number, start: () => void, refuse: (error: Error) => void }

/**
 * Makes a line, so that answers that are dear to make slow down nobody else, and are refused early when more are asked for than can be
 * made. Only these: to refuse an answer that is kept would cost as much as to send it. A burst is worked off, however long it takes.
 */
export function createLine (journal: Logger, { now, spent }: Clock = clock): Line {
  const refusal = errors.unavailable(retryAfter)
  const line: Waiting[] = []
  /** When enough is done in this turn; undefined before anything is. */
  let end: number | undefined
  /** What had been spent when the line began, and when it moved last. */
  let [began, moved] = [0, 0]
  let isTooLong = false
  let refused = 0

  return { join, inLine }

  function join (): void {
    if (isTooLong) throw refuse()
  }

  function inLine<T> (work: () => T | Promise<T>): T | Promise<T> {
    if (line.length === 0 && hasTime()) return work()
    join()
    if (line.length === 0) began = moved = spent()
    return new Promise((resolve, reject) => {
      line.push({ since: moved, start: () => resolve(begin(work)), refuse: reject })
    })
  }

  function hasTime (): boolean {
    if (end !== undefined) return now() < end
    end = now() + slice
    setImmediate(move)
    return true
  }

  function move (): void {
    end = undefined
    if (line.length === 0) return
    const until = now() + slice
    do {
      const { since, start, refuse: reject } = line.shift() as Waiting
      if (isTooLong && moved - since > 2 * patience.work) reject(refuse())
      else start()
    } while (line.length > 0 && now() < until)
    moved = spent()
    isTooLong = line[0] !== undefined && moved - line[0].since > patience.work && moved - began > patience.line
    if (line.length > 0) setImmediate(move)
  }

  function refuse (): Error {
    if (refused++ === 0) setTimeout(report, tellEvery).unref()
    return refusal
  }

  function report (): void {
    journal.warn(`too many requests: ${refused} of the last second were refused with 503`)
    refused = 0
  }
}
