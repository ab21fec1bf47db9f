import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { errors, type ApiError } from './errors.ts'
import { corsHeaders } from './headers.ts'

/** The most pending responses of a connection; clients that pipeline more requests are disconnected. */
const maxPending = 1_000

/** How long a client may take to read the last responses of a connection that reads no more requests, in milliseconds. */
const lingerTime = 2_000

/** Responses of each connection in the order of its requests; sent ones are removed with the next request. */
const responsesOf = new WeakMap<Socket, ServerResponse[]>()

/** Serves a request when all earlier ones of its connection have their responses, unless the client has left or too many wait. */
export function enqueue (socket: Socket, response: ServerResponse, serve: () => void): void {
  let responses = responsesOf.get(socket)
  if (responses === undefined) responsesOf.set(socket, responses = [])
  while (responses[0]?.destroyed === true) responses.shift()
  const earlier = responses.at(-1)
  if (responses.push(response) > maxPending) socket.destroy()
  if (earlier?.destroyed === false) earlier.once('close', () => { if (socket.writable) serve() })
  else if (socket.writable) serve()
}

/** Returns whether a connection has sent all its responses, or has received nothing. */
export function isIdle (socket: Socket): boolean {
  return socket.writableLength === 0 && (responsesOf.get(socket)?.at(-1)?.destroyed ?? socket.bytesRead === 0)
}

function afterResponse (response: ServerResponse | undefined, callback: () => void): void {
  if (response === undefined || response.destroyed) callback()
  else response.once('close', callback)
}

/** An error of Node's parser; `bytesParsed` is where in the packet it gave up. */
type ParserError = Pick<NodeJS.ErrnoException, 'code'> & { reason?: string, rawPacket?: Buffer, bytesParsed?: number }

/** Returns a handler of requests that Node cannot parse, which logs them if there is a logger. */
export function createClientErrorHandler (logger: Logger | undefined) {
  return (thrown: Error, socket: Socket): void => {
    const error = thrown as ParserError
    const status = errorOf(error.code)?.statusCode
    if (logger !== undefined && status !== undefined) {
      logger.info({ ...requestLineOf(error), status, ip: socket.remoteAddress, reason: error.reason ?? error.code }, 'unparsable')
    }
    answerUnparsable(error, socket)
  }
}

/** Returns the method and target of the request that the parser gave up; empty where there is no request line. */
function requestLineOf ({ rawPacket = Buffer.of(), bytesParsed = 0 }: ParserError) {
  const earlier = rawPacket.lastIndexOf('\r\n\r\n', bytesParsed - 4) // ends the request before it
  const text = rawPacket.toString('utf8', earlier === -1 ? 0 : earlier + 4)
  const [, method, url] = /^([A-Z-]+) (.{1,8000}?)(?: HTTP\/[\d.]+)?\r?(?:\n|$)/.exec(text) ?? []
  return method === undefined ? {} : { method, url }
}

/** Responds to a request that Node cannot parse, after the responses before it, and closes the connection; none gets two responses. */
export function answerUnparsable ({ code }: ParserError, socket: Socket): void {
  const error = errorOf(code)
  if (error === undefined) {
    socket.destroy()
    return
  }
  const responses = responsesOf.get(socket) ?? []
  const last = responses.at(-1)
  if (last === undefined || last.req.complete) afterResponse(last, () => end(messageOf(error)))
  else afterResponse(responses.at(-2), () => last.headersSent ? afterResponse(last, () => end('')) : end(messageOf(error)))

  function end (text: string): void {
    if (!socket.writable) return
    socket.end(text)
    destroyLater(socket)
  }
}

/** Responds to CONNECT. Node has detached its connection, and does not finish earlier responses that wait for the client. */
export function answerConnect ({ socket }: { socket: Socket }): void {
  socket.on('error', () => {})
  destroyLater(socket)
  answerUnparsable({ code: 'HPE_INVALID_METHOD' }, socket)
}

/** Closing at once would reset a connection with unread bytes, and lose the response (RFC 9112, 9.6). */
function destroyLater (socket: Socket): void {
  setTimeout(() => socket.destroy(), lingerTime).unref()
}

/** Returns the error of an unparsable request; undefined for a failed connection or TLS handshake. */
function errorOf (code = ''): ApiError | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return errors.requestTimeout()
  if (code === 'HPE_HEADER_OVERFLOW') return errors.headersTooLarge()
  return code.startsWith('HPE_') ? errors.badRequest() : undefined
}

function messageOf ({ statusCode, body }: ApiError): string {
  const text = JSON.stringify(body)
  const ownHeaders = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), 'cache-control': 'no-store' }
  const headers = { ...corsHeaders, ...ownHeaders, connection: 'close' }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${head}\r\n${text}`
}
