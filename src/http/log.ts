import type { FastifyReply, FastifyRequest } from 'fastify'
import { pino, type Logger } from 'pino'
import { encodeUri } from './target.ts'

/** Receives log entries, a JSON text each; `flush` calls back when the last one is written, after which none may follow. */
export type LogStream = { write: (line: string) => void, flush?: (done: () => void) => void }

/** Creates a log from a level on. Masks issued tokens and secrets in `url`; `secrets` has the longest first. */
export function createLogger (level: string, stream: LogStream, secrets: () => readonly string[] = () => []): Logger {
  return pino({ level, base: null, serializers: { url: (url: string) => withoutSecrets(url, secrets()) } }, stream)
}

/** Logs a response without its headers, which may hold a token. */
export function logResponse ({ server, method, originalUrl: url, ip }: FastifyRequest, { statusCode: status, elapsedTime }: FastifyReply) {
  server.logger.info({ method, url, status, ms: Math.round(10 * elapsedTime) / 10, ip }, 'answered')
}

/** Logs an internal error. */
export function logFault (error: unknown, { server, method, originalUrl: url }: FastifyRequest): void {
  server.logger.error({ err: error, method, url })
}

const issuedToken = /bct_[\w-]*/g
/** Matches names of parameters and headers that carry credentials. */
export const secretName = /token|secret|auth|key|pass|credential/i

/** Replaces secrets, escaped or not, and the values of parameters with a secret's name by asterisks. */
export function withoutSecrets (url: string, secrets: readonly string[]): string {
  const plain = url.replace(/(?:%[0-9a-f]{2})+/gi, escapes => Buffer.from(escapes.replaceAll('%', ''), 'hex').toString())
  const masked = secrets.reduce((text, secret) => text.replaceAll(secret, '*'), plain).replace(issuedToken, '*')
  const [path = '', query] = masked.split(/\?(.*)/s)
  const shown = query === undefined ? path : `${path}?${query.split('&').map(withoutValue).join('&')}`
  return shown === plain ? url : encodeUri(shown)
}

function withoutValue (parameter: string): string {
  const [name = '', value] = parameter.split(/=(.*)/s)
  return value !== undefined && secretName.test(name) ? `${name}=*` : parameter
}
