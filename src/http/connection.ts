import { STATUS_CODES, type RequestListener, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { setTimeout } from '../base/timers.ts'
import { errors, type ApiError } from './errors.ts'
import { corsHeaders } from './headers.ts'

/** How long a client may take to read the error of a connection that reads no more requests, in milliseconds. */
const lingerTime = 2_000

/** The response to the last request of each connection. */
const lastResponses = new WeakMap<Socket, ServerResponse>()

/** Returns a listener that also remembers the last response of each connection. */
export function tracked (listener: RequestListener): RequestListener {
  return (request, response) => {
    lastResponses.set(request.socket, response)
    listener(request, response)
  }
}

/** An error of Node's parser; `bytesParsed` is where in the packet it gave up. */
type ParserError = Pick<NodeJS.ErrnoException, 'code'> & { reason?: string, rawPacket?: Buffer, bytesParsed?: number }

/**
 * Returns a handler of requests that Node cannot parse. It responds after the responses to all earlier requests and closes the connection,
 * and logs the request if there is a logger.
 */
export function createClientErrorHandler (logger: Logger | undefined) {
  return (thrown: Error, socket: Socket): void => {
    const error = thrown as ParserError
    const response = errorOf(error.code)
    if (response === undefined) socket.destroy()
    if (response === undefined || !socket.writable) return
    const { statusCode: status } = response
    logger?.info({ ...requestLineOf(error), status, ip: socket.remoteAddress, reason: error.reason ?? error.code }, 'unparsable')
    // Closing at once would reset a connection with unread bytes, and lose the response (RFC 9112, 9.6).
    socket.once('finish', () => setTimeout(() => socket.destroy(), lingerTime).unref())
    const last = lastResponses.get(socket)
    const hasBadBody = last?.req.complete === false // the error is in the body of the last request, not after it
    if (last === undefined || last.writableFinished || (hasBadBody && !last.headersSent && last.socket === socket)) end()
    else last.once('close', end)

    function end (): void {
      if (socket.writable) socket.end(hasBadBody && last?.headersSent ? '' : messageOf(response as ApiError))
    }
  }
}

/** Returns the method and target of the request that the parser gave up; empty where there is no request line. */
function requestLineOf ({ rawPacket = Buffer.of(), bytesParsed = 0 }: ParserError) {
  const earlier = rawPacket.lastIndexOf('\r\n\r\n', bytesParsed - 4) // ends the request before it
  const text = rawPacket.toString('utf8', earlier === -1 ? 0 : earlier + 4)
  const [, method, url] = /^([A-Z-]+) (.{1,8000}?)(?: HTTP\/[\d.]+)?\r?(?:\n|$)/.exec(text) ?? []
  return method === undefined ? {} : { method, url }
}

/** Returns the error of an unparsable request; undefined for a failed connection or TLS handshake. */
function errorOf (code = ''): ApiError | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return errors.requestTimeout()
  if (code === 'HPE_HEADER_OVERFLOW') return errors.headersTooLarge()
  return code.startsWith('HPE_') ? errors.badRequest() : undefined
}

function messageOf ({ statusCode, body }: ApiError): string {
  const text = JSON.stringify(body)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), 'cache-control': 'no-store' }
  const head = Object.entries({ ...corsHeaders, ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${head}\r\n${text}`
}
