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

/** Logs a response without its headers, which may contain a token; `simulated` is its cause, and `cut` is true if its end was not sent. */
export function logResponse ({ server, method, originalUrl: url, ip }: FastifyRequest, reply: FastifyReply, simulated?: string): void {
  const { statusCode: status, elapsedTime, raw } = reply
  const cut = raw.destroyed && !raw.writableFinished ? true : undefined
  const ms = Math.round(10 * elapsedTime) / 10
  server.logger.info({ method, url, status, ms, ip, simulated, cut }, cut ? 'cut' : 'responded')
}

export function logError (error: unknown, { server, method, originalUrl: url }: FastifyRequest): void {
  server.logger.error({ err: error, method, url })
}

const issuedToken = /bct_[\w-]/
/** Words in the names of parameters and headers that carry credentials. */
const secretWord = new RegExp('^(?:(?:api|access|auth|csrf|csrfmiddleware|id|refresh)?(?:tokens?|keys?)|secrets?|session(?:id)?|jwt|' +
  'sig(?:nature)?|bearer|auth(?:orization)?|(?:user)?pass(?:word|wd|phrase|code)?|pwd|credentials?)$', 'i')

/** Returns whether a parameter or header carries credentials: `api_key` and `accessToken` do, `keyword` and `author` do not. */
export function isSecretName (name: string): boolean {
  return name.replace(/([a-z\d])([A-Z])/g, '$1 $2').split(/[^a-z]+/i).some(word => secretWord.test(word))
}

/** Returns whether a string, escaped or not, contains an issued token or a secret: a short secret as a whole word, a long one anywhere. */
export function hasSecret (text: string, secrets: readonly string[]): boolean {
  return [text, decoded(text), decoded(text.replaceAll('+', ' '))].some(text => issuedToken.test(text) ||
    secrets.some(secret => text.includes(secret) && (secret.length >= 8 || isWord(secret, text)))) // no long one is in a word by chance
}

function isWord (secret: string, text: string): boolean {
  const around = text.split(secret)
  return around.slice(1).some((after, index) => !/[\p{L}\p{N}-]$/u.test(around[index] as string) && !/^[\p{L}\p{N}-]/u.test(after))
}

/** Returns whether a text, escaped or not, has a parameter with a secret's name, also in its fragment. */
const hasSecretParameter = (text: string) => [text, decoded(text), decoded(decoded(text))].some(text =>
  text.split(/[?&#;]/).slice(1).some(parameter => isSecretName(parameter.replace(/=.*/s, ''))))

/** Masks segments and values that contain a secret, values of parameters with a secret's name, and the user of an absolute URL. */
export function withoutSecrets (url: string, secrets: readonly string[]): string {
  const masked = (text: string) => hasSecret(text, secrets) ? '*' : text
  const [path = '', query] = url.replace(/^(https?:\/\/)[^/?#]*@/i, '$1*@').split(/\?(.*)/s)
  const parameters = query?.split('&').map(parameter => {
    const [name = '', value] = parameter.split(/=(.*)/s)
    if (value === undefined) return masked(name)
    return `${masked(name)}=${isSecretName(decoded(name)) || hasSecretParameter(value) ? '*' : masked(value)}`
  })
  const segments = path.split('/').map(segment => hasSecretParameter(segment) ? '*' : masked(segment))
  const shown = [segments.join('/'), ...parameters === undefined ? [] : [parameters.join('&')]].join('?')
  return masked(shown) // a secret that contains a slash or an ampersand
}

/** Decodes valid escapes. */
export function decoded (text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, escapes => Buffer.from(escapes.replaceAll('%', ''), 'hex').toString())
}
