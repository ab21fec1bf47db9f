import type { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Writable } from 'node:stream'
import { oneOf } from '../settings/kinds.ts'

type Fault = { means: string }

/** A fault of a connection: how it ends in place of an answer. What lies below a TLS connection can be reset, itself it cannot. */
type Cut = Fault & { cut: (socket: Socket, tcp: Socket | undefined) => void }

/** A fault of a body: of so many bytes, how many are sent, how many are announced, and whether they come in pieces. */
type Broken = Fault & { sent: (length: number) => number, announced: (length: number) => number, isSlow: boolean }

const half = (length: number) => Math.floor(length / 2)
const all = (length: number) => length

/** The faults in place of an answer. */
export const cuts = {
  reset: { means: 'the connection is reset before a byte', cut: (socket, tcp) => { (tcp?.resetAndDestroy() ?? socket.destroy()) } },
  empty: { means: 'the connection is closed before a byte', cut: socket => socket.destroySoon() }
} satisfies Record<string, Cut>

/** The faults in the body of an answer. */
export const breaks = {
  truncate: { means: 'the connection is closed in the middle of the body', sent: half, announced: all, isSlow: false },
  drip: { means: 'the body comes in pieces over the delay, or over 3 seconds', sent: all, announced: all, isSlow: true },
  malformed: { means: 'the body breaks off, and is announced as that long', sent: half, announced: half, isSlow: false }
} satisfies Record<string, Broken>

type CutFault = keyof typeof cuts
type BodyFault = keyof typeof breaks
export type FaultName = CutFault | BodyFault

const cutFaults = Object.keys(cuts) as CutFault[]
const bodyFaults = Object.keys(breaks) as BodyFault[]

export const fault = oneOf([...cutFaults, ...bodyFaults])

/** How long a body takes to come in pieces when no delay is asked for, in milliseconds. */
export const usualDrip = 3_000

/** In how many pieces it comes, at least. */
const dripPieces = 20

/** Whether a fault comes in place of an answer. */
export function isCut (fault: FaultName): fault is CutFault {
  return fault in cuts
}

/** Breaks a body of so many bytes as it is written. */
export function breakBody (raw: ServerResponse, fault: BodyFault, length: number, milliseconds: number, { pause }: Pauses): void {
  const { sent, announced, isSlow } = breaks[fault]
  const write = raw.write.bind(raw)
  const end = raw.end.bind(raw)
  let left = sent(length)
  // A chunk is done with when it is sent, because the next may stand in the same memory.
  const body = new Writable({ write: (chunk: Buffer, _, done) => { feed(chunk).then(() => done(), done) } })
  body.on('drain', () => raw.emit('drain')).on('error', error => raw.destroy(error))
  Object.assign(raw, { write: body.write.bind(body), end: body.end.bind(body) })

  async function feed (chunk: Buffer): Promise<void> {
    if (left === 0) return // what nobody gets
    for (const piece of piecesOf(chunk.subarray(0, left))) {
      if (isSlow) await new Promise<void>(resolve => pause(milliseconds * piece.length / length, raw, resolve))
      await new Promise(resolve => write(piece, resolve))
      left -= piece.length
    }
    if (left > 0) return
    if (sent(length) < announced(length)) raw.req.socket.destroySoon()
    else end()
  }

  function * piecesOf (chunk: Buffer): Generator<Buffer> {
    const size = isSlow ? Math.ceil(length / dripPieces) : chunk.length
    for (let at = 0; at < chunk.length; at += size) yield chunk.subarray(at, at + size)
  }
}

/** Waits that take a timer each and nothing else. */
type Pauses = {
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
