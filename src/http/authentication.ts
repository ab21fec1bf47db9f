import { isUtf8 } from 'node:buffer'
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { checksum, idOf, partsOf } from '../settings/tokens.ts'
import type { Settings } from '../settings/settings.ts'
import { errors, type ApiError } from './errors.ts'

/** The limits of the token form: methods, requests a minute from one address, bytes of a body, characters of a label. */
export const formLimits = { methods: 'GET, HEAD, POST', perMinute: 10, bytes: 4096, labelCharacters: 100 } as const

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Creates the tokens of a server: fixed ones, and issued ones that are valid until they expire or are revoked. */
export function createTokens (settings: Settings, now = Date.now) {
  const generatedSecret = randomBytes(32).toString('base64url')
  let rules = rulesOf(settings)
  const sign = (text: string) => createHmac('sha256', rules.secret ?? generatedSecret).update(text).digest('base64url').slice(0, 24)

  return {
    invalidAfterRestart: rules.secret === undefined,
    /** Returns values to mask in the log, the longest first. */
    secrets: () => rules.secrets,
    /** Replaces the settings; a secret generated at the start stays. */
    renew (settings: Settings) { rules = rulesOf(settings) },
    issue (): string {
      const time = Buffer.alloc(6)
      time.writeUIntBE(Math.floor(now() / 1000), 0, 6)
      const head = `bct_${randomBytes(9).toString('base64url')}${time.toString('base64url')}`
      const signed = head + sign(head)
      return signed + checksum(signed)
    },
    /** Returns a name for the owner of a token, without revealing it; undefined for an invalid one. */
    verify (token: string): string | undefined {
      const own = digest(token)
      // Compares every fixed token in constant time, so that timing reveals nothing.
      if (rules.fixed.filter(known => timingSafeEqual(known, own)).length > 0) return own.toString('base64url')
      const parts = partsOf(token)
      if (parts === undefined || rules.revoked.has(parts.id)) return undefined
      const { head, id, time, signature } = parts
      const issuedAt = 1000 * Buffer.from(time, 'base64url').readUIntBE(0, 6)
      const isValid = timingSafeEqual(Buffer.from(sign(head)), Buffer.from(signature)) && now() - issuedAt <= rules.lifetime
      return isValid ? id : undefined
    }
  }
}

export type Tokens = ReturnType<typeof createTokens>

function rulesOf (settings: Settings) {
  const { tokenSecret, tokenSecretFile, tokenLifetime = Infinity } = settings
  const fixed = [...settings.tokens ?? [], ...settings.tokensFile ?? []]
  const revoked = [...settings.revokedTokens ?? [], ...settings.revokedTokensFile ?? []]
  const secrets = [...fixed, tokenSecret, tokenSecretFile].filter(secret => secret !== undefined)
  return {
    fixed: fixed.filter(token => !revoked.includes(token)).map(digest), // a fixed token of 12 characters looks like an id
    secret: tokenSecret ?? tokenSecretFile,
    revoked: new Set(revoked.map(idOf)),
    lifetime: 1000 * tokenLifetime,
    secrets: secrets.sort((a, b) => b.length - a.length)
  }
}

/** Returns the name of the owner of a request's token, or a 401; reads the header as DRF's TokenAuthentication does. */
export function authenticate ({ headers: { authorization = '' } }: FastifyRequest, { verify }: Pick<Tokens, 'verify'>): string | ApiError {
  const [keyword = '', credentials, ...rest] = authorization.split(/[ \t\v\f]+/).filter(word => word !== '')
  if (keyword.toLowerCase() !== 'token') return errors.notAuthenticated()
  if (credentials === undefined) return errors.noCredentials()
  if (rest.length > 0) return errors.spacesInToken()
  const bytes = Buffer.from(credentials, 'latin1') // as Node reads headers
  if (!isUtf8(bytes)) return errors.invalidCharacters()
  return verify(bytes.toString()) ?? errors.invalidToken()
}
