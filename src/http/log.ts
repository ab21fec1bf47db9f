import type { FastifyReply, FastifyRequest } from 'fastify'
import { pino, type Logger } from 'pino'
import { maskNamed } from '../base/mask.ts'
import { printableJson } from '../base/text.ts'
import { clientAddress } from './forwarded.ts'

/**
 * Receives log entries, one JSON object a line; `flush` calls back when the last one is written, after which none may
 * follow.
 */
export type LogStream = { write: (line: string) => void, flush?: (done: () => void) => void }

/** Returns a function that logs the first warning about a request. */
export function warnOnce (
  logger: Logger, warningOf: (request: FastifyRequest) => string | undefined
): (request: FastifyRequest) => void {
  let hasWarned = false
  return request => {
    const warning = hasWarned ? undefined : warningOf(request)
    if (warning === undefined) return
    hasWarned = true
    logger.warn(warning)
  }
}

/**
 * Creates a log from a level on; its lines are printable. Masks issued tokens, secrets, and parameters with secret
 * names in what clients send; `secrets` has the longest first.
 */
export function createLogger (level: string, stream: LogStream, secrets: () => readonly string[]): Logger {
  const mask = (text: string) => withoutSecrets(maskNamed(text), secrets())
  const serializers = { url: mask, requestId: mask, traceparent: mask }
  const hooks = { streamWrite: printableJson }
  return pino({ level, base: null, serializers, hooks }, stream)
}

/** Longer ids of requests are cut, in characters. */
const maxLoggedId = 200

/**
 * Returns the ids by which a request is found in other logs (https://www.w3.org/TR/trace-context/), as far as its
 * client sends them.
 */
function traceOf ({ headers }: FastifyRequest): { requestId?: string, traceparent?: string } {
  const { 'x-request-id': id, traceparent: parent } = headers
  const trace: ReturnType<typeof traceOf> = {}
  if (id !== undefined) trace.requestId = String(id).slice(0, maxLoggedId)
  if (parent !== undefined) trace.traceparent = String(parent).slice(0, maxLoggedId)
  return trace
}

/**
 * Logs a response without its headers, which may contain a token, with notes; `cut` is true if its end was not sent.
 */
export function logResponse (request: FastifyRequest, reply: FastifyReply, notes: object = {}): void {
  const { server, method, originalUrl: url } = request
  const { statusCode: status, elapsedTime, raw } = reply
  const isCut = raw.destroyed && !raw.writableFinished
  const ms = Math.round(10 * elapsedTime) / 10
  const ip = clientAddress(request)
  const line = { method, url, status, ms, ip, ...traceOf(request), ...notes, cut: isCut || undefined }
  server.logger.info(line, isCut ? 'cut' : 'responded')
}

export function logError (error: unknown, { server, method, originalUrl: url }: FastifyRequest): void {
  server.logger.error({ err: error, method, url })
}

const tokenPattern = /bct_[\w-]/

/**
 * Returns whether a string, escaped or not, contains an issued token or a secret: a short secret as a whole word, a
 * long one anywhere.
 */
export function hasSecret (text: string, secrets: readonly string[]): boolean {
  const isIn = (reading: string) => tokenPattern.test(reading) || secrets.some(secret => reveals(reading, secret))
  const spaced = text.replaceAll('+', ' ')
  return isIn(text) || isIn(decoded(text)) || isIn(decoded(spaced))
}

/** A secret of 8 characters is in no word by chance. */
function reveals (text: string, secret: string): boolean {
  if (!text.includes(secret)) return false
  return secret.length >= 8 || isWord(secret, text)
}

function isWord (secret: string, text: string): boolean {
  const around = text.split(secret)
  for (const [index, before] of around.slice(0, -1).entries()) {
    const after = around[index + 1] as string
    if (!/[\p{L}\p{N}-]$/u.test(before) && !/^[\p{L}\p{N}-]/u.test(after)) return true
  }
  return false
}

/** Masks the segments, names and values of a URL that contain a token or a secret, and the user of an absolute one. */
export function withoutSecrets (url: string, secrets: readonly string[]): string {
  const masked = (text: string) => hasSecret(text, secrets) ? '*' : text
  const parts = url.replace(/^(https?:\/\/)[^/?#]*@/i, '$1*@').split(/([/?&=])/)
  return masked(parts.map(masked).join('')) // a secret may contain a slash or an ampersand
}

/** Decodes valid escapes. */
export function decoded (text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, escapes => Buffer.from(escapes.replaceAll('%', ''), 'hex').toString())
}
