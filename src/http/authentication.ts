import { createHash, timingSafeEqual } from 'node:crypto'
import { errors, type ApiError } from './errors.ts'
import { verifyToken } from './token.ts'

/** Which tokens are good: the fixed ones, and those issued under the secret that have neither ended nor been revoked. */
export type TokenRules = {
  fixed: readonly string[]
  secret: string
  /** In seconds; undefined means that an issued token does not end. */
  lifetime: number | undefined
  revoked: readonly string[]
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Gives a function that tells whose token it is, as a name that gives nothing away, or undefined for a bad token. */
export function createVerifier ({ fixed, secret, lifetime, revoked }: TokenRules, now = Date.now) {
  const fixedDigests = fixed.map(digest)
  const ended = new Set(revoked)

  return function verify (token: string): string | undefined {
    const own = digest(token)
    // Every fixed token is compared, each in constant time, so that the time taken tells nothing.
    const matches = fixedDigests.filter(fixed => timingSafeEqual(fixed, own))
    if (matches.length > 0) return own.toString('base64url')
    const issued = verifyToken(secret, token)
    if (issued === undefined || ended.has(issued.id)) return undefined
    const age = (now() - issued.issuedAt.getTime()) / 1000
    return lifetime === undefined || age <= lifetime ? issued.id : undefined
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Decodes what Node gives of a header, one character a byte, or gives undefined for bytes that are not UTF-8. */
function decode (bytes: string): string | undefined {
  try {
    return utf8.decode(Buffer.from(bytes, 'latin1'))
  } catch {
    return undefined
  }
}

/** Reads an Authorization header as DRF's TokenAuthentication does; gives the token, or the 401 of what is wrong with it. */
export function readCredentials (header = ''): string | ApiError {
  const [keyword = '', credentials, ...rest] = header.split(/[ \t\v\f]+/).filter(word => word !== '')
  if (keyword.toLowerCase() !== 'token') return errors.notAuthenticated()
  if (credentials === undefined) return errors.noCredentials()
  if (rest.length > 0) return errors.spacesInToken()
  return decode(credentials) ?? errors.invalidCharacters()
}
