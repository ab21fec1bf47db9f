import type { FastifyRequest } from 'fastify'
import { pino, type Logger } from 'pino'
import { encodeUri } from './target.ts'

/** Where the entries of a journal go, a JSON text each; `flush` calls back when all that could be written is written. */
export type JournalStream = { write: (line: string) => void, flush?: (done: () => void) => void }

/** Keeps entries from a level on; in their `url` no secret, of which the longest are first, and no issued token stands. */
export function createJournal (level: string, stream: JournalStream, secrets: () => readonly string[] = () => []): Logger {
  return pino({ level, base: null, serializers: { url: (url: string) => withoutSecrets(url, secrets()) } }, stream)
}

/** Writes an entry for each answer, in the form of a journal's but in a fifth of the time; without headers, which may hold a token. */
export function createAnswerLog (stream: JournalStream, secrets: () => readonly string[]) {
  return (request: FastifyRequest, status: number): void => {
    const { method, originalUrl, askedAt, ip = '' } = request
    const url = quoted(withoutSecrets(originalUrl, secrets()))
    const ms = Math.round(10 * (performance.now() - askedAt)) / 10
    const rest = `"url":${url},"status":${status},"ms":${ms},"ip":${quoted(ip)},"msg":"answered"}\n`
    stream.write(`{"level":30,"time":${Date.now()},"method":"${method}",${rest}`)
  }
}

/** A text in JSON (RFC 8259, 7): nearly none has anything to escape. */
const quoted = (text: string): string => /["\\]|[^ -~]/.test(text) ? JSON.stringify(text) : `"${text}"`

const issuedToken = /bct_[\w-]*/g
const secretName = /token|secret|auth|key|pass|credential/i
/** What stands in every address that is to be masked, but for those that hold a secret as it is. */
const suspicious = new RegExp(`%|bct_|${secretName.source}`, 'i')

/** A request target with an asterisk in place of what is secret, escaped or not, and of what a parameter of such a name holds. */
function withoutSecrets (url: string, secrets: readonly string[]): string {
  if (!suspicious.test(url) && !secrets.some(secret => url.includes(secret))) return url
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
