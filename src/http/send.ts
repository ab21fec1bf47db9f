import type { ServerResponse } from 'node:http'
import { takeTurn } from './turns.ts'

/** The body of an answer: whole, or in pieces, each of which is made when it is asked for, in the memory of the one before. */
export type Body = Buffer | (() => Iterable<Buffer>)

/**
 * Sends a body; pieces are made as fast as the client takes them, and no longer than it stays. One that cannot be made is told, and ends
 * the connection.
 */
export function sendBody (raw: ServerResponse, body: Body, tell: (error: unknown) => void): void {
  if (Buffer.isBuffer(body)) raw.end(body)
  else {
    sendPieces(raw, body()).catch((error: unknown) => {
      raw.destroy()
      tell(error)
    })
  }
}

async function sendPieces (raw: ServerResponse, pieces: Iterable<Buffer>): Promise<void> {
  for (const piece of pieces) {
    if (raw.destroyed) return
    await taken(raw, piece)
    await takeTurn()
  }
  raw.end()
}

/** Writes a piece, and waits until it is taken or the client has left. */
function taken (raw: ServerResponse, piece: Buffer): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      raw.off('close', done)
      resolve()
    }
    raw.on('close', done).write(piece, done)
  })
}
