import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as arrived, setTimeout as passed } from 'node:timers/promises'

/**
 * How long a server that was told to end still listens, in milliseconds, so that those who share out requests hear of it, and after
 * how much silence it closes a connection then: longer than a busy client pauses, too short to annoy somebody at a terminal.
 */
export const moment = 1_000

/** It stops to listen when no connection has come for so long, in milliseconds: many times what one takes. */
const lull = 50

/** The end of a server that loses no request. */
export type Drain = {
  /** Has each answer announce the end of its connection, stops to listen, and resolves when no connection is left. */
  begin: () => Promise<void>
  whenBegun: (callback: () => void) => void
  readonly isBegun: boolean
  /** Answers a request that came since: after all that have arrived with it. */
  answer: (answer: () => void) => void
}

/** The end of a server with these connections, some of which owe an answer. */
export function createDrain<T> (
  server: Server, open: ReadonlyMap<Socket, T>, isOwing: (connection: T) => boolean, now: () => number
): Drain {
  const callbacks: (() => void)[] = []
  let isBegun = false
  let accepted = 0
  /** Requests that wait until the last connections are accepted. */
  let held: (() => void)[] | undefined
  server.on('connection', () => { accepted++ })

  return {
    begin,
    whenBegun: callback => callbacks.push(callback),
    get isBegun () { return isBegun },
    answer (answer) {
      if (held === undefined) setImmediate(answer)
      else held.push(answer)
    }
  }

  async function begin (): Promise<void> {
    isBegun = true
    for (const callback of callbacks) callback()
    // From here on a connection ends as its last answer says, or after a moment of silence.
    server.keepAliveTimeout = moment
    server.closeIdleConnections = () => {}
    for (const [socket, connection] of open) if (!isOwing(connection)) socket.setTimeout(moment)
    await arrived()
    if (open.size > 0) await passed(moment)
    const waiting = await acceptAll()
    const closed = new Promise(resolve => server.close(resolve))
    held = undefined
    for (const answer of waiting) answer()
    await closed
  }

  /**
   * A connection that has arrived and is not accepted when the server stops to listen would be reset. So nothing is answered until
   * none has come for a while: who waits for an answer opens no other connection.
   */
  async function acceptAll (): Promise<readonly (() => void)[]> {
    const waiting: (() => void)[] = held = []
    const until = now() + moment
    for (let before = -1; before < accepted && now() < until;) {
      before = accepted
      await passed(lull)
      await arrived() // what came while the loop was held up is accepted after its timers
    }
    return waiting
  }
}
