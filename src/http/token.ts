import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * An issued token: `bct_`, then in base64url an id of 9 bytes, the time of issue as 6 bytes of Unix seconds, the first 18
 * bytes of an HMAC-SHA256 of all before, and a checksum of 3 bytes. Each part fills whole characters, so that no two
 * texts mean the same token.
 */
const form = /^(bct_([\w-]{12})([\w-]{8}))([\w-]{24})([\w-]{4})$/

/** What can be read from a token without the secret. */
export type IssuedToken = { id: string, issuedAt: Date }

function mac (secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url').slice(0, 24)
}

function checksum (text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 4)
}

/** Issues a token under a secret. */
export function issueToken (secret: string, now: Date): string {
  const time = Buffer.alloc(6)
  time.writeUIntBE(Math.floor(now.getTime() / 1000), 0, 6)
  const head = `bct_${randomBytes(9).toString('base64url')}${time.toString('base64url')}`
  const signed = head + mac(secret, head)
  return signed + checksum(signed)
}

/** What an issued token says of itself, or undefined when it is mistyped or was not issued under the secret. */
export function verifyToken (secret: string, token: string): IssuedToken | undefined {
  const [, head = '', id = '', time = '', signature = '', check] = form.exec(token) ?? []
  if (check === undefined || checksum(head + signature) !== check) return undefined
  if (!timingSafeEqual(Buffer.from(mac(secret, head)), Buffer.from(signature))) return undefined
  return { id, issuedAt: new Date(Buffer.from(time, 'base64url').readUIntBE(0, 6) * 1000) }
}
