import { once } from 'node:events'
import { createServer, STATUS_CODES, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createNetServer, Server as NetServer, type Socket } from 'node:net'
import type { Logger } from 'pino'
import { clearInterval, clearTimeout, now, setImmediate, setInterval, setTimeout, sleep } from '../base/timers.ts'
import { counted } from '../base/text.ts'
import { errors, type ApiError } from './errors.ts'
import { corsHeaders } from './headers.ts'

/** Times in milliseconds. */
const options = {
  requireHostHeader: false, // HTTP/1.0 has none
  joinDuplicateHeaders: true, // Node would drop all but the first Host or Authorization otherwise
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 72_000, // longer than that of proxies (60 s), so that they never reuse a closed connection
  connectionsCheckingInterval: 500,
  handshakeTimeout: 3_000 // of TLS: shorter than a drain
}

/** The response to the last request of each connection. */
const lastResponses = new WeakMap<Socket, ServerResponse>()

/** The unfinished response before that to a pipelined request. */
export const earlierResponses = new WeakMap<ServerResponse, ServerResponse>()

/**
 * For `announceTime` a closing server listens and its responses announce the close of their connections; at `maxTime`
 * it cuts the rest.
 */
export type DrainTimes = { readonly announceTime: number, readonly maxTime: number }

/** Creates an HTTP server, or an HTTPS server with a certificate and its key in PEM. */
export function createHttpServer (
  logger: Logger,
  secure?: { cert: string, key: string },
  { announceTime, maxTime }: DrainTimes = { announceTime: 0, maxTime: 4_000 }
) {
  const server = secure === undefined ? createServer(options) : createSecureServer({ ...options, ...secure })
  server.timeout = 75_000 // for a connection without progress; the longest simulated delay is 60 s
  /** Whether the server closes, and how many connections it has cut. */
  const drain = { isBegun: false, cut: 0 }
  const listeners: NetServer[] = [server] // others pass their connections to the first
  /** The sockets that carry HTTP, without those in a TLS handshake, and when they were opened. */
  const sockets = new Map<Socket, number>()
  server.on(secure === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    sockets.set(socket, now())
    socket.once('close', () => sockets.delete(socket))
  })

  /** The connections: when one was opened, undefined without a network, and the close of idle ones. */
  const connections = { openedAt: (socket: Socket) => sockets.get(socket), closeIdle }

  return { serve, alsoListen, drain, close, connections, countConnections: () => sockets.size }

  /** Returns the server, which calls the listener for every request. */
  function serve (listener: RequestListener): Server {
    const receive: RequestListener = (request, response) => {
      const last = lastResponses.get(request.socket)
      if (last?.writableFinished === false) earlierResponses.set(response, last)
      lastResponses.set(request.socket, response)
      listener(request, response)
    }
    // A server may ignore an expectation that it does not know (RFC 9110, 10.1.1).
    return server.on('request', receive).on('checkExpectation', receive)
  }

  /**
   * Serves another address of this machine too, unless the machine lacks it. @throws {NodeJS.ErrnoException} when the
   * port is in use
   */
  async function alsoListen (host: string, port: number): Promise<void> {
    const other = createNetServer({ allowHalfOpen: true, noDelay: true }, socket => server.emit('connection', socket))
    try {
      await once(other.listen({ host, port }), 'listening')
      listeners.push(other)
    } catch (error) {
      if (!['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(String((error as NodeJS.ErrnoException).code))) throw error
    }
  }

  /** Stops listening, and resolves when all connections are closed. */
  async function close (): Promise<void> {
    drain.isBegun = true
    if (!server.listening) return
    const cutting = setTimeout(cut, maxTime)
    server.headersTimeout = maxTime / 2 // half a request delays no close
    server.requestTimeout = maxTime / 2
    await sleep(announceTime)
    const closed = Promise.all(listeners.map(listener => once(listener, 'close')))
    // The close of HTTP servers closes idle connections too, with the unsent bytes of those that are sending a finished
    // response.
    for (const listener of listeners) {
      const { close } = listener instanceof NetServer ? NetServer.prototype : listener // Bun's is none
      close.call(listener)
    }
    // A busy event loop runs timers before it reads requests that have arrived, which still get their responses.
    const closing = setInterval(() => setImmediate(() => closeIdle()), 50)
    await closed
    clearInterval(closing)
    clearTimeout(cutting)
  }

  /**
   * Closes idle connections that were opened before a time. For Node, sending a finished response is idle
   * (nodejs/node#43890), but a new connection is not (#63452).
   */
  function closeIdle (before = Infinity): void {
    if ([...sockets.keys()].some(({ writableLength }) => writableLength > 0)) return
    server.closeIdleConnections()
    for (const [socket, openedAt] of sockets) if (socket.bytesRead === 0 && openedAt < before) socket.destroy()
  }

  function cut (): void {
    drain.cut = sockets.size
    logger.error(`${counted(drain.cut, 'connection')} cut after ${maxTime / 1000} s`)
    for (const socket of sockets.keys()) socket.destroy()
  }
}

export type Drain = ReturnType<typeof createHttpServer>['drain']

export type Connections = ReturnType<typeof createHttpServer>['connections']

/**
 * Returns a handler of requests that Node cannot parse. It responds after the responses to all earlier requests and
 * closes the connection, and logs the reason if there is a logger.
 */
export function createClientErrorHandler (logger: Logger | undefined) {
  return ({ code, reason = code }: Error & { code?: string, reason?: string }, socket: Socket): void => {
    const response = parseErrorOf(code)
    if (response === undefined) {
      socket.destroy()
      return
    }
    if (!socket.writable) return
    // Browsers open connections that they may not use.
    const isUsed = socket.bytesRead > 0
    const line = { status: response.statusCode, ip: socket.remoteAddress }
    if (isUsed) logger?.info(line, `unparsable request: ${reason}`)
    socket.once('finish', () => closeSoon(socket))
    endAfterLast(socket, rawMessageOf(response))
  }
}

/**
 * Closing at once would reset a connection with unread bytes, and lose the response (RFC 9112, 9.6): the client has 2 s
 * to read it.
 */
function closeSoon (socket: Socket): void {
  const closing = setTimeout(() => socket.destroy(), 2_000)
  closing.unref()
}

/**
 * Ends a connection with a message after its last response, in place of one that is not sent, or without it after the
 * begin of one.
 */
function endAfterLast (socket: Socket, message: string): void {
  const last = lastResponses.get(socket)
  const hasBadBody = last?.req.complete === false // the error is in the body of the last request, not after it
  const isPending = last !== undefined && !last.writableFinished
  const isUnsent = hasBadBody && !last.headersSent && last.socket === socket
  if (isPending && !isUnsent) last.once('close', end)
  else end()

  function end (): void {
    if (!socket.writable) return
    const isBegun = hasBadBody && last?.headersSent === true
    socket.end(isBegun ? '' : message)
  }
}

/** Returns the error of an unparsable request; undefined for a failed connection or TLS handshake. */
function parseErrorOf (code = ''): ApiError | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return errors.requestTimeout()
  if (code === 'HPE_HEADER_OVERFLOW') return errors.headersTooLarge()
  return code.startsWith('HPE_') ? errors.badRequest() : undefined
}

function rawMessageOf ({ statusCode, body }: ApiError): string {
  const text = JSON.stringify(body)
  const headers = {
    ...corsHeaders,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    connection: 'close'
  }
  let head = `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n`
  for (const [name, value] of Object.entries(headers)) head += `${name}: ${value}\r\n`
  return `${head}\r\n${text}`
}
