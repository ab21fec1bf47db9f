import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { checksum, idOf, partsOf } from '../settings/issued.ts'
import type { Settings } from '../settings/settings.ts'
import { errors, type ApiError } from './errors.ts'

/** The tokens of a server. */
export type Tokens = {
  issue: () => string
  /** The name of whose token it is, or undefined for a bad one. */
  verify: (token: string) => string | undefined
  /** Tells whether issued tokens are good only as long as the process runs. */
  endWithProcess: boolean
  /** Tells whether /tokens/ issues them. */
  hasForm: boolean
  /** What must not stand in a log, the longest first. */
  secrets: () => readonly string[]
  /** Goes by other settings from now on; a secret that was made at start stays. */
  renew: (settings: Settings) => void
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Makes the tokens that the settings ask for: fixed ones, and those issued under a secret until they end or are revoked. */
export function createTokens (settings: Settings, now = Date.now): Tokens {
  const madeSecret = randomBytes(32).toString('base64url')
  let rules = rulesOf(settings)

  return {
    endWithProcess: rules.ownSecret === undefined,
    hasForm: settings.tokenForm,
    secrets: () => rules.secrets,
    renew (settings) { rules = rulesOf(settings) },
    issue: () => issueToken(rules.ownSecret ?? madeSecret, new Date(now())),
    verify (token) {
      const { fixed, ownSecret, revoked, lifetime } = rules
      const own = digest(token)
      // Every fixed token is compared, each in constant time, so that the time taken tells nothing.
      if (fixed.filter(known => timingSafeEqual(known, own)).length > 0) return own.toString('base64url')
      const issued = verifyToken(ownSecret ?? madeSecret, token)
      if (issued === undefined || revoked.has(issued.id)) return undefined
      return now() - issued.issuedAt.getTime() <= lifetime ? issued.id : undefined
    }
  }
}

function rulesOf (settings: Settings) {
  const { tokens = [], tokensFile = [], tokenSecret, tokenSecretFile, tokenLifetime = Infinity } = settings
  const { revokedTokens = [], revokedTokensFile = [] } = settings
  const secrets = [...tokens, ...tokensFile, tokenSecret, tokenSecretFile].filter(secret => secret !== undefined)
  return {
    fixed: [...tokens, ...tokensFile].map(digest),
    ownSecret: tokenSecret ?? tokenSecretFile,
    revoked: new Set([...revokedTokens, ...revokedTokensFile].map(idOf)),
    lifetime: 1000 * tokenLifetime,
    secrets: secrets.sort((a, b) => b.length - a.length)
  }
}

/** The name of whose token a request carries, or the 401 of what is wrong with its credentials. */
export function authenticate ({ headers }: FastifyRequest, { verify }: Tokens): string | ApiError {
  const token = readCredentials(headers.authorization)
  return typeof token === 'string' ? verify(token) ?? errors.invalidToken() : token
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Decodes a header as Node has it, one character a byte; undefined for bytes that are not UTF-8. */
function decode (bytes: string): string | undefined {
  try {
    return utf8.decode(Buffer.from(bytes, 'latin1'))
  } catch {
    return undefined
  }
}

/** The token of an Authorization header, read as DRF's TokenAuthentication does, or the 401 of what is wrong with it. */
export function readCredentials (header = ''): string | ApiError {
  const [keyword = '', credentials, ...rest] = header.split(/[ \t\v\f]+/).filter(word => word !== '')
  if (keyword.toLowerCase() !== 'token') return errors.notAuthenticated()
  if (credentials === undefined) return errors.noCredentials()
  if (rest.length > 0) return errors.spacesInToken()
  return decode(credentials) ?? errors.invalidCharacters()
}

function mac (secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url').slice(0, 24)
}

export function issueToken (secret: string, now: Date): string {
  const time = Buffer.alloc(6)
  time.writeUIntBE(Math.floor(now.getTime() / 1000), 0, 6)
  const head = `bct_${randomBytes(9).toString('base64url')}${time.toString('base64url')}`
  const signed = head + mac(secret, head)
  return signed + checksum(signed)
}

/** What an issued token says of itself, or undefined when it is mistyped or was not issued under the secret. */
export function verifyToken (secret: string, token: string): { id: string, issuedAt: Date } | undefined {
  const parts = partsOf(token)
  if (parts === undefined) return undefined
  const { head, id, time, signature } = parts
  if (!timingSafeEqual(Buffer.from(mac(secret, head)), Buffer.from(signature))) return undefined
  return { id, issuedAt: new Date(Buffer.from(time, 'base64url').readUIntBE(0, 6) * 1000) }
}
