import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { Socket } from 'node:net'
import { roomFor } from '../settings/memory.ts'
import { createDrain, moment, type Drain } from './drain.ts'

/** A connection whose client takes nothing of an answer for so long, in milliseconds, is closed. */
const patience = 60_000

/** How long a connection waits for another request, in milliseconds: longer than the proxies in front of it, which close at 60 s. */
const keepAlive = 72_000

/** How often the memory of all connections is looked at, and requests that arrive too slowly are looked for, in milliseconds. */
const lookEvery = 1_000

/** How long a client may take to agree on a key, in milliseconds: less than a drain may take, which waits for it. */
const handshake = 5_000

/** With what a server serves HTTPS: a certificate and its key in PEM. */
export type Secure = { cert: string, key: string }

type Connection = {
  /** In their order; those that were taken in full go when the next request arrives. */
  readonly answers: ServerResponse[]
  /** Bytes that the client has taken, and when that was last seen to grow. */
  taken: number
  takenAt: number
  /** Whether somebody waits until all are taken. */
  isAwaited: boolean
}

/** The connections of one server. */
export type Connections = {
  /** The server, which has this handler answer its requests. */
  serve: (handler: RequestListener) => Server
  /** Goes on with another certificate, for connections from now on. */
  renew: (secure: Secure) => void
  /**
   * Calls back when every request that a connection has sent in full is answered, and tells whether its last one, whose body is still
   * to come, is so too; only the first callback of a connection counts.
   */
  afterAnswers: (socket: Socket, callback: (isAnsweredEarly: boolean) => void) => void
  /**
   * Gives those whose clients have not taken what was sent a minute to take some of it, and closes those that have taken nothing for
   * longest until the others hold no more memory than they may.
   */
  relieve: () => void
  count: () => { open: number, answering: number }
  readonly drain: Drain
}

/**
 * Makes a server that knows its connections; the answers that wait on them hold at most `maxBytes`, give or take what a second brings.
 * With a certificate it serves HTTPS.
 */
export function createConnections (secure?: Secure, maxBytes = roomFor(256 * 2 ** 20), now = Date.now): Connections {
  const open = new Map<Socket, Connection>()
  const options = {
    requireHostHeader: false,
    joinDuplicateHeaders: true, // two Hosts are no host and two tokens no token, as with gunicorn; Node would drop all but the first
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: keepAlive,
    connectionsCheckingInterval: lookEvery
  }
  const secureServer = secure && createSecureServer({ ...options, ...secure, handshakeTimeout: handshake })
  const server = secureServer ?? createServer(options)
  const drain = createDrain(server, open, isOwing, now)
  server.on('timeout', closeSilent)
  server.on(secure === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    open.set(socket, { answers: [], taken: 0, takenAt: now(), isAwaited: false })
    socket.once('close', () => open.delete(socket))
    if (drain.isBegun) socket.setTimeout(moment)
  })
  server.on('listening', () => {
    const looking = setInterval(relieve, lookEvery).unref()
    server.once('close', () => clearInterval(looking))
  })

  return {
    serve,
    renew: secure => secureServer?.setSecureContext(secure),
    afterAnswers,
    relieve,
    count,
    drain
  }

  function serve (handler: RequestListener): Server {
    const listener = (request: IncomingMessage, response: ServerResponse) => receive(request, response, handler)
    // A server may ignore an expectation that it does not know (RFC 9110, 10.1.1), as gunicorn does.
    return server.on('request', listener).on('checkExpectation', listener)
  }

  function receive (request: IncomingMessage, response: ServerResponse, handler: RequestListener): void {
    const connection = open.get(request.socket)
    // A connection that was reset has no address, and nobody who reads an answer.
    if (connection === undefined || request.socket.remoteAddress === undefined) return
    const { 'transfer-encoding': coding, connection: wanted } = request.headers
    // Node takes it for unreadable, but only after it (RFC 9112, 6.3).
    if (coding !== undefined && !/\bchunked$/i.test(coding)) return
    // The change of protocol is not made; Node loses what the client sends meanwhile.
    if (wanted !== undefined && /upgrade/i.test(wanted)) response.setHeader('connection', 'close')
    const { answers } = connection
    while (answers[0]?.closed === true) answers.shift()
    answers.push(response)
    if (!drain.isBegun) return handler(request, response)
    request.socket.setTimeout(0)
    drain.answer(() => {
      // Only the last of the requests that arrived together may be answered with the end of the connection.
      if (response === answers.at(-1)) response.setHeader('connection', 'close')
      handler(request, response)
    })
  }

  function afterAnswers (socket: Socket, callback: (isAnsweredEarly: boolean) => void): void {
    const connection = open.get(socket)
    if (connection === undefined) socket.destroy() // it has closed, or never agreed on a key
    if (connection === undefined || connection.isAwaited) return
    connection.isAwaited = true
    const last = connection.answers.at(-1)
    let isTold = false
    const tell = () => {
      if (isTold || isAnswering(connection)) return
      isTold = true
      callback(last !== undefined && last.headersSent && !last.req.complete)
    }
    for (const answer of untaken(connection)) answer.once('close', tell)
    tell()
  }

  function closeSilent (socket: Socket): void {
    const { bytesRead } = socket
    // Timers come before what has arrived, which is read first.
    setImmediate(() => {
      const connection = open.get(socket)
      const isMaking = connection !== undefined && isOwing(connection) && socket.writableLength === 0
      if (socket.bytesRead === bytesRead && !isMaking) socket.destroy()
    })
  }

  function relieve (): void {
    for (const [socket, connection] of open) look(socket, connection)
    const holding = [...open].filter(([, connection]) => isOwing(connection)).sort(([, a], [, b]) => a.takenAt - b.takenAt)
    let total = holding.reduce((sum, [, connection]) => sum + heldBytes(connection), 0)
    for (const [socket, connection] of holding) {
      if (total <= maxBytes) return
      total -= heldBytes(connection)
      socket.destroy()
    }
  }

  function look (socket: Socket, connection: Connection): void {
    const { bytesWritten, writableLength } = socket
    const taken = bytesWritten - writableLength
    if (taken !== connection.taken || writableLength === 0) connection.takenAt = now()
    connection.taken = taken
    // A timer for those that keep us waiting: for every request it would cost a microsecond.
    if (writableLength > 0 && !socket.timeout) socket.setTimeout(patience)
  }

  function count () {
    return { open: open.size, answering: [...open.values()].filter(isAnswering).length }
  }
}

/** The answers that are not yet taken in full. */
function untaken ({ answers }: Connection): ServerResponse[] {
  return answers.filter(({ closed }) => !closed)
}

/** Tells whether there are any: they are taken in their order, so that the last one tells. */
function isOwing ({ answers }: Connection): boolean {
  return answers.at(-1)?.closed === false
}

/** Tells whether an answer is to be taken from a connection: to a request that has arrived in full, or one that has begun. */
function isAnswering (connection: Connection): boolean {
  return untaken(connection).some(({ req, headersSent }) => req.complete || headersSent)
}

function heldBytes (connection: Connection): number {
  return untaken(connection).reduce((sum, { writableLength }) => sum + writableLength, 0)
}
