import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { setTimeout } from '../base/timers.ts'
import { errors, type ApiError } from './errors.ts'
import { corsHeaders } from './headers.ts'

/** The response to the last request of each connection. */
export const lastResponses = new WeakMap<Socket, ServerResponse>()

/**
 * Returns a handler of requests that Node cannot parse. It responds after the responses to all earlier requests and closes the connection,
 * and logs the reason if there is a logger.
 */
export function createClientErrorHandler (logger: Logger | undefined) {
  return ({ code, reason = code }: Error & { code?: string, reason?: string }, socket: Socket): void => {
    const response = errorOf(code)
    if (response === undefined) socket.destroy()
    if (response === undefined || !socket.writable) return
    logger?.info({ status: response.statusCode, ip: socket.remoteAddress }, `unparsable request: ${reason}`)
    // Closing at once would reset a connection with unread bytes, and lose the response (RFC 9112, 9.6): the client has 2 s to read it.
    socket.once('finish', () => setTimeout(() => socket.destroy(), 2_000).unref())
    const last = lastResponses.get(socket)
    const hasBadBody = last?.req.complete === false // the error is in the body of the last request, not after it
    if (last === undefined || last.writableFinished || (hasBadBody && !last.headersSent && last.socket === socket)) end()
    else last.once('close', end)

    function end (): void {
      if (socket.writable) socket.end(hasBadBody && last?.headersSent ? '' : messageOf(response as ApiError))
    }
  }
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
