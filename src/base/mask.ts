/** Replaces a secret in texts. */
const mask = '*'

/** A secret of fewer characters may be a part of other words. */
const leastInWords = 8

const patterns = new WeakMap<readonly string[], RegExp>()

/**
 * Replaces known secrets, and issued tokens of this server, in a text, however JSON or URLs escape them. Mask a text
 * before it is shortened and before its control characters are escaped. The pattern of an array is made once.
 */
export function maskSecrets (text: string, secrets: readonly string[]): string {
  const isPlain = !/[%\\+]/.test(text)
  // Most texts have none, and a server may have a thousand tokens.
  if (isPlain && !text.includes('bct_') && !secrets.some(secret => text.includes(secret))) return text
  let pattern = patterns.get(secrets)
  if (pattern === undefined) {
    const longestFirst = secrets.filter(Boolean).sort((one, other) => other.length - one.length)
    pattern = new RegExp(['bct_[\\w-]+', ...longestFirst.map(secretPattern)].join('|'), 'gu')
    patterns.set(secrets, pattern)
  }
  return text.replace(pattern, mask)
}

/** Returns a pattern of a secret; a short one is a whole word. */
function secretPattern (secret: string): string {
  const signs = Array.from(secret, signPattern).join('')
  if (secret.length >= leastInWords) return signs
  return `(?<=^|[^\\p{L}\\p{N}-]|%[0-9A-Fa-f]{2})${signs}(?![\\p{L}\\p{N}-])`
}

/** Returns a pattern of a character: as it is, in JSON (`\"`, `\u00fc`), in URLs (`%22`, `+`), or in one in a URL. */
function signPattern (sign: string): string {
  const hex = (digits: string) => digits.replace(/[a-f]/g, letter => `[${letter}${letter.toUpperCase()}]`)
  const bytes = [...Buffer.from(sign)].map(byte => `%(?:25)*${hex(byte.toString(16).padStart(2, '0'))}`)
  const units = sign.split('').map(unit => `\\\\+u${hex(unit.charCodeAt(0).toString(16).padStart(4, '0'))}`)
  const plain = sign.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')
  const all = [plain, bytes.join(''), units.join('')]
  if (sign === ' ') all.push('\\+')
  if (/["\\/]/.test(sign)) all.unshift(`\\\\+${plain}`)
  return `(?:${all.join('|')})`
}

/** Names of headers and parameters whose values are secret, without hyphens and underscores. */
const secretNames = new RegExp([
  'authorization', 'cookie', 'token', 'api-?key', 'subscription-?key', 'access-?key', 'password', 'passwd', 'secret',
  'credential', 'signature', 'session-?id', 'csrf', 'xsrf', 'jwt'
].join('|').replaceAll('-?', ''))

/**
 * Returns whether the value of a header, parameter or property is secret by its name, such as `Authorization`,
 * `Cookie`, `X-Api-Key`, `X-CSRFToken`, `access_token`, `api_key` or `password`.
 */
export function isSecretName (name: string): boolean {
  const letters = name.toLowerCase().replaceAll(/[^a-z]/g, '')
  return secretNames.test(letters) || ['auth', 'pwd', 'pass', 'sig', 'key'].includes(letters)
}

/** Separates parameters in a URL, in a text with URLs, and in a URL that is itself a parameter. */
const separator = /([?&;#\s"'<>]|%(?:25)*(?:3f|26|3b|23))/i

/**
 * Masks the values of parameters with secret names in a text with URLs, such as a target, a Referer or a Link, and the
 * user of each URL. With the name of a header that is secret, masks all of it.
 */
export function maskNamed (text: string, header = ''): string {
  if (isSecretName(header)) return mask
  const parts = text.replaceAll(/(\w:\/\/)[^/?#\s"@]*(?:@[^/?#\s"@]*)*@/g, `$1${mask}@`).split(separator)
  const masked = parts.map(part => {
    const [, name = '', equals = ''] = /^(.*?)(=|%(?:25)*3d)./is.exec(part) ?? []
    const plainName = name.replaceAll(/%(?:25)*([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(parseInt(code, 16)))
    return isSecretName(plainName) ? name + equals + mask : part
  })
  return masked.join('')
}
