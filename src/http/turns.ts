let last = Promise.resolve()

/**
 * Waits for a turn at work that takes long: each time around the event loop one caller has one, so that requests in
 * between are answered however many wait.
 */
export function takeTurn (): Promise<void> {
  last = last.then(() => new Promise(resolve => setImmediate(resolve)))
  return last
}

/** Does work that takes a while once for all who want it, by its name, until it is done. */
export function createShare<T> () {
  const underWay = new Map<string, Promise<T>>()

  return (name: string, work: () => T | Promise<T>): T | Promise<T> => {
    const known = underWay.get(name)
    if (known !== undefined) return known
    const done = work()
    if (!(done instanceof Promise)) return done
    const shared = done.finally(() => underWay.delete(name))
    underWay.set(name, shared)
    return shared
  }
}

/** A function that does work, so many at once; what is more waits, first come, first served. */
export function createPool (size: number) {
  let free = size
  const waiting: (() => void)[] = []

  return async function inTurn<T> (work: () => Promise<T>): Promise<T> {
    if (free > 0) free--
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}

/** Begins at once; what is thrown becomes a rejection. */
export async function begin<T> (work: () => T | Promise<T>): Promise<T> {
  return work()
}
