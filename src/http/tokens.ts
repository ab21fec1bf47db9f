import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { readHeaderLine } from '../settings/kinds.ts'
import { developmentTokenOf } from '../settings/read.ts'
import { developmentTokens, type Settings } from '../settings/settings.ts'

const digest = (text: string) => hash('sha256', text, 'buffer')

/**
 * An issued token: `bct_`, then in base64url an id of 9 bytes, and the first 18 bytes of an HMAC-SHA256 of the parts
 * before. Each part fills whole characters, so that each token has one spelling.
 */
const issuedToken = /^(bct_([\w-]{12}))([\w-]{24})$/

/** Creates the tokens of a server: fixed ones, and issued ones, which any server with the same secret verifies. */
export function createTokens (settings: Settings) {
  const generatedSecret = randomBytes(32).toString('base64url')
  let known = knownTokens(settings)
  const sign = (text: string) => {
    const hmac = createHmac('sha256', known.secret ?? generatedSecret)
    return hmac.update(text).digest('base64url').slice(0, 24)
  }

  return {
    invalidAfterRestart: known.secret === undefined,
    /** Returns values to mask in the log, the longest first. */
    secrets: () => known.secrets,
    /** Replaces the settings; a secret generated at the start stays. */
    renew (settings: Settings) { known = knownTokens(settings) },
    issue (): string {
      const head = `bct_${randomBytes(9).toString('base64url')}`
      return head + sign(head)
    },
    /** Returns a name for the owner of a token, without revealing it; undefined for an invalid one. */
    verify (token: string): string | undefined {
      const own = digest(token)
      // Compares every fixed token in constant time, so that timing reveals nothing.
      const equal = known.fixed.filter(fixed => timingSafeEqual(fixed, own))
      if (equal.length > 0) return own.toString('base64url')
      const [, head, id, signature] = issuedToken.exec(token) ?? []
      if (head === undefined || signature === undefined) return undefined
      const expected = Buffer.from(sign(head))
      return timingSafeEqual(expected, Buffer.from(signature)) ? id : undefined
    }
  }
}

export type Tokens = ReturnType<typeof createTokens>

function knownTokens (settings: Settings) {
  const { tokens = [], tokensFile = [], tokenSecret, tokenSecretFile } = settings
  const own = tokens === developmentTokens ? tokensFile : [...tokens, ...tokensFile]
  const secrets = [...own, tokenSecret, tokenSecretFile, ...gatewaySecrets(settings)]
    .filter(secret => secret !== undefined)
  const development = developmentTokenOf(settings) // everybody knows it, so it is no secret
  const fixed = development === undefined ? own : [development]
  return {
    fixed: fixed.map(digest),
    secret: tokenSecret ?? tokenSecretFile,
    secrets: secrets.sort((a, b) => b.length - a.length)
  }
}

/** Returns the credentials in the headers for the service, without their scheme, and the password of a user. */
function gatewaySecrets ({ upstreamHeader = [] }: Settings): string[] {
  const secrets: string[] = []
  for (const line of upstreamHeader) {
    const [, value] = readHeaderLine(line)
    const credentials = value.replace(/^\S+ +/, '')
    secrets.push(credentials)
    if (/^basic /i.test(value)) secrets.push(Buffer.from(credentials, 'base64').toString().replace(/^[^:]*:/, ''))
  }
  return secrets.filter(Boolean)
}
