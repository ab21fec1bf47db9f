import type { EventEmitter } from 'node:events'

/** Waits that take a timer each and nothing else. */
export type Pauses = {
  /** Goes on after so many milliseconds; never when `client` closes before, and at once when the server ends. */
  pause: (milliseconds: number, client: EventEmitter, next: () => void) => void
  /** Ends every pause, and those to come. */
  end: () => void
  /** How many there are. */
  readonly count: number
}

export function createPauses (): Pauses {
  const waiting = new Set<() => void>()
  let isOver = false

  return { pause, end, get count () { return waiting.size } }

  function pause (milliseconds: number, client: EventEmitter, next: () => void): void {
    if (isOver || milliseconds === 0) return next()
    const timer = setTimeout(finish, milliseconds)
    waiting.add(finish)
    client.once('close', forget)

    function forget (): void {
      clearTimeout(timer)
      waiting.delete(finish)
    }

    function finish (): void {
      forget()
      client.off('close', forget)
      next()
    }
  }

  function end (): void {
    isOver = true
    for (const finish of waiting) finish()
  }
}
