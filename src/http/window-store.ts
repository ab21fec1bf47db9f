import { limitWindow } from '../settings/settings.ts'

/** The requests of a client's window, and the time that is left of it, in milliseconds. */
export type CountedWindow = { current: number, ttl: number }

/**
 * A store of windows with the interface of those of @fastify/rate-limit. Calls back with an error where it cannot
 * count.
 */
export type WindowStore = {
  incr: (client: string, callback: (error: Error | null, counted?: CountedWindow) => void) => void
}

/** The clients that each limit remembers in memory. */
export const maxClients = 5000

/** Counts at once; the oldest window goes when there are too many. */
export function createMemoryStore (): WindowStore {
  const windows = new Map<string, { current: number, end: number }>() // in the order of their ends
  return {
    incr (client, callback) {
      const now = Date.now()
      let window = windows.get(client)
      if (window === undefined || window.end <= now) {
        window = { current: 0, end: now + limitWindow.milliseconds }
        windows.delete(client)
        windows.set(client, window)
        if (windows.size > maxClients) windows.delete(windows.keys().next().value as string)
      }
      window.current++
      callback(null, { current: window.current, ttl: window.end - now })
    }
  }
}
