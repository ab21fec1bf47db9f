import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { errors, type ApiError } from './errors.ts'
import { corsHeaders } from './headers.ts'

/** The most pending responses of a connection; clients that pipeline more requests are disconnected. */
const maxPending = 1_000

/** How long a client may take to read the error of an unparsable request, in milliseconds, before its connection is closed. */
const lingerTime = 2_000

/** Responses of each connection in the order of its requests; sent ones are removed with the next request. */
const responsesOf = new WeakMap<Socket, ServerResponse[]>()

/** Adds a response of a connection; returns false when too many are pending. */
export function enqueue (socket: Socket, response: ServerResponse): boolean {
  let responses = responsesOf.get(socket)
  if (responses === undefined) responsesOf.set(socket, responses = [])
  while (responses[0]?.writableFinished === true) responses.shift()
  responses.push(response)
  return responses.length <= maxPending
}

/** Returns whether a connection has sent all its responses, or has received nothing. */
export function isIdle (socket: Socket): boolean {
  return socket.writableLength === 0 && (responsesOf.get(socket)?.at(-1)?.writableFinished ?? socket.bytesRead === 0)
}

/** Resolves when all earlier responses of the connection are sent, or the connection is closed. */
export function afterEarlier (response: ServerResponse): Promise<void> {
  const responses = responsesOf.get(response.req.socket) ?? []
  return new Promise(resolve => afterResponse(responses[responses.indexOf(response) - 1], resolve))
}

function afterResponse (response: ServerResponse | undefined, callback: () => void): void {
  if (response === undefined || response.writableFinished) callback()
  else response.once('close', callback)
}

/**
 * Responds to a request that Node cannot parse, after the responses to those before it, and closes the connection. A request with a
 * malformed body that already has its response gets no other.
 */
export function answerUnparsable ({ code = '' }: Pick<NodeJS.ErrnoException, 'code'>, socket: Socket): void {
  const error = errorOf(code)
  if (error === undefined) {
    socket.destroy()
    return
  }
  const responses = responsesOf.get(socket) ?? []
  const last = responses.at(-1)
  const isIncomplete = last !== undefined && !last.req.complete
  const isAnswered = isIncomplete && last.headersSent
  afterResponse(isIncomplete && !isAnswered ? responses.at(-2) : last, () => {
    if (!socket.writable) return
    socket.end(isAnswered ? '' : messageOf(error))
    // Closing at once would reset a connection with unread bytes, and lose the response (RFC 9112, 9.6).
    setTimeout(() => socket.destroy(), lingerTime).unref()
  })
}

/** Answers CONNECT. Node has detached its connection, and does not finish earlier responses that wait for the client. */
export function answerConnect ({ socket }: { socket: Socket }): void {
  socket.on('error', () => {})
  setImmediate(() => { // cached responses are sent by then
    if (responsesOf.get(socket)?.at(-1)?.writableFinished === false) socket.destroy()
    else answerUnparsable({ code: 'HPE_INVALID_METHOD' }, socket)
  })
}

/** Returns the error of an unparsable request; undefined for a failed connection or TLS handshake. */
function errorOf (code: string): ApiError | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return errors.requestTimeout()
  if (code === 'HPE_HEADER_OVERFLOW') return errors.headersTooLarge()
  return code.startsWith('HPE_') ? errors.badRequest() : undefined
}

function messageOf ({ statusCode, body }: ApiError): string {
  const text = JSON.stringify(body)
  const headers = {
    ...corsHeaders,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    'cache-control': 'no-store',
    connection: 'close'
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${head}\r\n${text}`
}
