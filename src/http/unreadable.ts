import type { Socket } from 'node:net'
import { STATUS_CODES } from 'node:http'
import { corsHeaders } from './headers.ts'
import { errors, type ApiError } from './errors.ts'

const byCode: Record<string, () => ApiError> = {
  ERR_HTTP_REQUEST_TIMEOUT: errors.requestTimeout,
  HPE_HEADER_OVERFLOW: errors.headersTooLarge
}

/** How long a client may take for the answer, in milliseconds, before its connection is closed with all that it still sends. */
const lingerTime = 2_000

/**
 * Answers bytes that Node cannot read as a request, in the form of every other error, and ends the connection. What is the rest of a
 * request that is answered already gets no answer of its own.
 */
export function answerUnreadable (error: Error & { code?: string }, socket: Socket, isAnswered = false): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { statusCode, body } = (byCode[error.code ?? ''] ?? errors.badRequest)()
  const text = JSON.stringify(body)
  const headers = {
    ...corsHeaders,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    'cache-control': 'no-store',
    connection: 'close'
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.end(isAnswered ? '' : `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${head}\r\n${text}`)
  // Closing at once would reset a connection with unread bytes, and the answer with it (RFC 9112, 9.6).
  setTimeout(() => socket.destroy(), lingerTime).unref()
}
