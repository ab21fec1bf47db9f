import type { Catalogue } from './catalogue.ts'

/** The catalogue that a server serves, and the values derived from it. */
export type LiveCatalogue = {
  catalogue: () => Catalogue
  /** Whether the last reload succeeded, and when it ended, in milliseconds since 1970; startup is the first. */
  lastReload: { isSuccessful: boolean, time: number }
  /** Derives a value from this catalogue, and from each later one before it is served; returns a getter. */
  derive: <T>(make: (catalogue: Catalogue) => T | Promise<T>) => Promise<() => T>
  /** Derives all values from the next catalogue, then swaps them together; none is swapped if one derivation fails. */
  replace: (catalogue: Catalogue) => Promise<void>
}

export function createLiveCatalogue (first: Catalogue): LiveCatalogue {
  let current = first
  const derived: { make: (catalogue: Catalogue) => unknown, value: unknown }[] = []

  return {
    catalogue: () => current,
    lastReload: { isSuccessful: true, time: Date.now() },
    async derive<T> (make: (catalogue: Catalogue) => T | Promise<T>) {
      const entry = { make, value: await make(current) }
      derived.push(entry)
      return () => entry.value
    },
    async replace (next) {
      const values: unknown[] = []
      for (const { make } of derived) values.push(await make(next))
      current = next
      for (const [index, entry] of derived.entries()) entry.value = values[index]
    }
  }
}
