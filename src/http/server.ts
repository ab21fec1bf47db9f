import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createNetServer, Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { enqueue, isIdle } from './connection.ts'

/** Times in milliseconds. */
const options = {
  requireHostHeader: false, // HTTP/1.0 has none
  joinDuplicateHeaders: true, // Node would drop all but the first Host or Authorization otherwise
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 72_000, // longer than that of proxies (60 s), so that they never reuse a closed connection
  connectionsCheckingInterval: 500,
  handshakeTimeout: 5_000 // of TLS: shorter than a drain
}

/**
 * The time without progress of a response after which its connection is closed, and the interval of the checks, in milliseconds. Node's own
 * timeout is set anew for each request, which is work on all of them.
 */
const [stallTime, checkInterval] = [75_000, 5_000]

/** A server stops listening when it has accepted no connection for this time, in milliseconds, or after this many rounds. */
const [acceptTime, maxRounds] = [50, 20]

const isBun = Number('bun' in process.versions)

/** Responses announce the close of their connections for `announceTime`; at `maxTime` the remaining ones are cut; in milliseconds. */
export type DrainTimes = { readonly announceTime: number, readonly maxTime: number }

type Options = { secure?: { cert: string, key: string } | undefined, drainTimes?: DrainTimes | undefined }

/** Creates an HTTP server, or an HTTPS server with a certificate and its key in PEM. */
export function createHttpServer (logger: Logger, { secure, drainTimes = { announceTime: 0, maxTime: 4_000 } }: Options = {}) {
  const server = secure === undefined ? createServer(options) : createSecureServer({ ...options, ...secure })
  const { announceTime, maxTime } = drainTimes
  /** Whether the server closes, and how many connections it has cut. */
  const drain = { isBegun: false, cut: 0 }
  /** The server, and those that pass it the connections of other addresses. */
  const listeners: NetServer[] = [server]
  let [accepted, connections] = [0, 0]
  /** Requests queued until the server has stopped listening. */
  let held: (() => void)[] | undefined
  /** TCP and TLS connections, detached ones too, with the bytes that they have sent and when the last of them was seen. */
  const sockets = new Map<Socket, { sent: number, at: number }>()
  const track = (socket: Socket) => {
    sockets.set(socket, { sent: 0, at: performance.now() })
    socket.once('close', () => sockets.delete(socket))
  }
  server.on('secureConnection', track).on('connection', track).on('connection', (socket: Socket) => {
    accepted++
    connections++
    socket.once('close', () => { connections-- })
  })
  const checking = setInterval(closeStalled, checkInterval).unref()

  return { serve, alsoListen, drain, close, countConnections: () => connections }

  /** Returns the server, which calls the listener for every request. */
  function serve (listener: RequestListener): Server {
    const receive = (request: IncomingMessage, response: ServerResponse) => enqueue(request.socket, response, () => {
      if (held === undefined) listener(request, response)
      else held.push(() => listener(request, response))
    })
    // A server may ignore an expectation that it does not know (RFC 9110, 10.1.1).
    return server.on('request', receive).on('checkExpectation', receive)
  }

  /** Serves another address of this machine too, unless the machine lacks it. @throws {NodeJS.ErrnoException} when the port is in use */
  async function alsoListen (host: string, port: number): Promise<void> {
    const other = createNetServer({ allowHalfOpen: true, noDelay: true }, socket => server.emit('connection', socket))
    try {
      await once(other.listen({ host, port }), 'listening')
      listeners.push(other)
    } catch (error) {
      const isMissing = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(String((error as NodeJS.ErrnoException).code))
      if (!isMissing) throw error
    }
  }

  /** Stops listening, and resolves when all connections are closed. */
  async function close (): Promise<void> {
    drain.isBegun = true
    clearInterval(checking)
    if (!server.listening) return
    const cutting = setTimeout(cut, maxTime)
    if (announceTime > 0 && connections > 0) await announce()
    const closed = Promise.all(listeners.map(listener => once(listener, 'close')))
    // The close of Node's HTTP servers would close connections with unsent bytes, as closeIdleConnections() does; Bun's has no other.
    for (const listener of listeners) ([NetServer.prototype, listener][isBun] as NetServer).close.call(listener)
    for (const answer of held ?? []) answer()
    held = undefined
    // A busy event loop runs timers before it reads requests that have arrived, which still get their responses.
    const closing = setInterval(() => setImmediate(closeIdle), acceptTime)
    await closed
    clearInterval(closing)
    clearTimeout(cutting)
  }

  /** Fastify announces the close of each connection in its next response; an unfinished head times out. */
  async function announce (): Promise<void> {
    server.headersTimeout = announceTime / 2
    await sleep(announceTime)
    // Stopping to listen resets connections that are not accepted yet. Clients that wait open no others, so that all are accepted soon.
    held = []
    for (let round = 0, before = -1; accepted > before && round < maxRounds; round++) {
      before = accepted
      await sleep(acceptTime)
      await nextTurn()
    }
  }

  function closeIdle (): void {
    for (const socket of sockets.keys()) if (isIdle(socket)) socket.destroy()
  }

  function closeStalled (): void {
    const now = performance.now()
    for (const [socket, seen] of sockets) {
      const sent = socket.bytesWritten - socket.writableLength
      if (socket.writableLength === 0 || sent > seen.sent) Object.assign(seen, { sent, at: now })
      else if (now - seen.at > stallTime) socket.destroy()
    }
  }

  function cut (): void {
    drain.cut = connections
    logger.error(`${drain.cut} connection${drain.cut === 1 ? ' was' : 's were'} cut after ${maxTime / 1000} s`)
    for (const socket of sockets.keys()) socket.destroy()
  }
}

export type Drain = ReturnType<typeof createHttpServer>['drain']
