import type { FastifyReply, FastifyRequest } from 'fastify'
import { pino, type Logger } from 'pino'
import { printableJson } from '../base/text.ts'

/** Receives log entries, one JSON object a line; `flush` calls back when the last one is written, after which none may follow. */
export type LogStream = { write: (line: string) => void, flush?: (done: () => void) => void }

/** Returns a function that logs the first warning about a request. */
export function warnOnce (logger: Logger, warningOf: (request: FastifyRequest) => string | undefined): (request: FastifyRequest) => void {
  let hasWarned = false
  return request => {
    const warning = hasWarned ? undefined : warningOf(request)
    if (warning === undefined) return
    hasWarned = true
    logger.warn(warning)
  }
}

/** Creates a log from a level on; its lines are printable. Masks issued tokens and secrets in `url`; `secrets` has the longest first. */
export function createLogger (level: string, stream: LogStream, secrets: () => readonly string[] = () => []): Logger {
  const serializers = { url: (url: string) => withoutSecrets(url, secrets()) }
  return pino({ level, base: null, serializers, hooks: { streamWrite: printableJson } }, stream)
}

/** Logs a response without its headers, which may contain a token, with notes; `cut` is true if its end was not sent. */
export function logResponse ({ server, method, originalUrl: url, ip }: FastifyRequest, reply: FastifyReply, notes: object = {}): void {
  const { statusCode: status, elapsedTime, raw } = reply
  const cut = raw.destroyed && !raw.writableFinished ? true : undefined
  const ms = Math.round(10 * elapsedTime) / 10
  server.logger.info({ method, url, status, ms, ip, ...notes, cut }, cut ? 'cut' : 'responded')
}

export function logError (error: unknown, { server, method, originalUrl: url }: FastifyRequest): void {
  server.logger.error({ err: error, method, url })
}

const issuedToken = /bct_[\w-]/

/** Returns whether a string, escaped or not, contains an issued token or a secret: a short secret as a whole word, a long one anywhere. */
export function hasSecret (text: string, secrets: readonly string[]): boolean {
  return [text, decoded(text), decoded(text.replaceAll('+', ' '))].some(text => issuedToken.test(text) ||
    secrets.some(secret => text.includes(secret) && (secret.length >= 8 || isWord(secret, text)))) // no long one is in a word by chance
}

function isWord (secret: string, text: string): boolean {
  const around = text.split(secret)
  return around.slice(1).some((after, index) => !/[\p{L}\p{N}-]$/u.test(around[index] as string) && !/^[\p{L}\p{N}-]/u.test(after))
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
