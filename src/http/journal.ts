import { pino, type Logger } from 'pino'
import { encodeUri } from './paths.ts'

/** Where the entries of a journal go, a JSON text each; `flush` calls back when all that could be written is written. */
export type JournalStream = { write: (line: string) => void, flush?: (done: () => void) => void }

/** Keeps entries from a level on; in their `url` no secret, of which the longest are first, and no issued token stands. */
export function createJournal (level: string, stream: JournalStream, secrets: () => readonly string[] = () => []): Logger {
  return pino({ level, serializers: { url: (url: string) => withoutSecrets(url, secrets()) } }, stream)
}

const issuedToken = /bct_[\w-]*/g
const secretName = /token|secret|auth|key|pass|credential/i

/** A request target with an asterisk in place of what is secret, escaped or not, and of what a parameter of such a name holds. */
function withoutSecrets (url: string, secrets: readonly string[]): string {
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
