import type { Catalogue } from './catalogue.ts'

/** The catalogue that a server serves at the moment, and what is made of it. */
export type Current = {
  catalogue: () => Catalogue
  /** Makes something of the catalogue now, and of each later one before it is served; the function gives what belongs to the one served. */
  derive: <T>(make: (catalogue: Catalogue) => T | Promise<T>) => Promise<() => T>
  /** Serves another catalogue from one moment to the next, once everything is made of it; when that fails, the last one stays. */
  replace: (catalogue: Catalogue) => Promise<void>
}

export function createCurrent (first: Catalogue): Current {
  let current = first
  const preparations: ((next: Catalogue) => Promise<() => void>)[] = []

  return {
    catalogue: () => current,
    async derive (make) {
      let made = await make(current)
      preparations.push(async next => {
        const other = await make(next)
        return () => { made = other }
      })
      return () => made
    },
    async replace (next) {
      const swaps: (() => void)[] = []
      for (const prepare of preparations) swaps.push(await prepare(next))
      current = next
      for (const swap of swaps) swap()
    }
  }
}
