import { now } from '../base/timers.ts'
import { limitWindow } from '../settings/limits.ts'

/** The requests of a client's window, and the time that is left of it, in milliseconds. */
export type CountedWindow = { current: number, ttl: number }

/** Counts a request of a client, and calls back with its window. */
export type CountWindow = (client: string, callback: (counted: CountedWindow) => void) => void

/** The clients that each limit remembers in memory. */
export const maxClients = 5000

/** Counts at once; the oldest window goes when there are too many. */
export function createMemoryStore (): CountWindow {
  const windows = new Map<string, { current: number, end: number }>() // in the order of their ends
  return (client, callback) => {
    const time = now()
    let window = windows.get(client)
    if (window === undefined || window.end <= time) {
      window = { current: 0, end: time + limitWindow.milliseconds }
      windows.delete(client)
      windows.set(client, window)
      if (windows.size > maxClients) windows.delete(windows.keys().next().value as string)
    }
    window.current++
    callback({ current: window.current, ttl: window.end - time })
  }
}
