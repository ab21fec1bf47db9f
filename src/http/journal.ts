import type { ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { pino, type Logger } from 'pino'
import { encodeUri } from './target.ts'

/** Where the entries of a journal go, a JSON text each; `flush` calls back when all that could be written is written. */
export type JournalStream = { write: (line: string) => void, flush?: (done: () => void) => void }

/** Keeps entries from a level on; in their `url` no secret, of which the longest are first, and no issued token stands. */
export function createJournal (level: string, stream: JournalStream, secrets: () => readonly string[] = () => []): Logger {
  return pino({ level, base: null, serializers: { url: (url: string) => withoutSecrets(url, secrets()) } }, stream)
}

/** Writes an entry when an answer was handed over, which has been ended or will be. */
export type AnswerLog = (request: FastifyRequest, answer: ServerResponse) => void

/** Makes entries in the form of a journal's, in a tenth of the time that Fastify's logger takes; no headers, which may hold a token. */
export function createAnswerLog (stream: JournalStream, secrets: () => readonly string[]): AnswerLog {
  return (request, answer) => {
    // Nearly every answer is the kernel's at once; to wait for one costs as much as half an entry.
    if (answer.writableFinished && !answer.req.socket.destroyed) write(request, answer)
    else answer.on('finish', () => write(request, answer))
  }

  function write ({ method, originalUrl, askedAt, ip = '' }: FastifyRequest, { statusCode }: ServerResponse): void {
    // Two small integers, because V8 takes longer to write a number with a fraction than all else here.
    const tenths = Math.round(10 * (performance.now() - askedAt))
    const ms = `${Math.floor(tenths / 10)}.${tenths % 10}`
    const url = quoted(withoutSecrets(originalUrl, secrets()))
    const rest = `"url":${url},"status":${statusCode},"ms":${ms},"ip":${quoted(ip)},"msg":"answered"}\n`
    stream.write(`{"level":30,"time":${Date.now()},"method":"${method}",${rest}`)
  }
}

/** A text in JSON (RFC 8259, 7). */
const quoted = (text: string): string => isSimple(text) ? `"${text}"` : JSON.stringify(text)

/** Tells whether a text has letters, digits and what is between - and : only; a regular expression takes three times as long. */
function isSimple (text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x2d || code > 0x7a || (code > 0x3a && code < 0x41) || (code > 0x5a && code < 0x61)) return false
  }
  return true
}

const issuedToken = /bct_[\w-]*/g
const secretName = /token|secret|auth|key|pass|credential/i
/** What stands in every address that is to be masked, but for those that hold a secret as it is. */
const suspicious = new RegExp(`%|bct_|${secretName.source}`, 'i')

/** A request target with an asterisk in place of what is secret, escaped or not, and of what a parameter of such a name holds. */
function withoutSecrets (url: string, secrets: readonly string[]): string {
  if ((isSimple(url) || !suspicious.test(url)) && !secrets.some(secret => url.includes(secret))) return url
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
