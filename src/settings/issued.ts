import { createHash } from 'node:crypto'

/**
 * An issued token: `bct_`, then in base64url an id of 9 bytes, the time of issue as 6 bytes of Unix seconds, the first 18
 * bytes of an HMAC-SHA256 of all before, and a checksum of 3 bytes. Each part fills whole characters, so that no two
 * texts mean the same token.
 */
const form = /^(bct_([\w-]{12})([\w-]{8}))([\w-]{24})([\w-]{4})$/

/** What ends an issued token, so that a mistyped one is known without the secret. */
export function checksum (text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 4)
}

/** The parts of an issued token, whatever its secret; undefined when it is none, or mistyped. */
export function partsOf (token: string): Record<'head' | 'id' | 'time' | 'signature', string> | undefined {
  const [, head = '', id = '', time = '', signature = '', check] = form.exec(token) ?? []
  return checksum(head + signature) === check ? { head, id, time, signature } : undefined
}

/** The id that a revoked token is known by: it may stand alone, behind `bct_` or in the whole token; undefined for all else. */
export function idOf (revoked: string): string | undefined {
  const [, id] = /^(?:bct_)?([\w-]{12})$/.exec(revoked) ?? []
  return id ?? partsOf(revoked)?.id
}
