import { createHash } from 'node:crypto'
import type { Kind } from './kinds.ts'

/**
 * An issued token: `bct_`, then in base64url an id of 9 bytes, the time of issue as 6 bytes of Unix seconds, the first 18 bytes of an
 * HMAC-SHA256 of the parts before, and a checksum of 3 bytes. Each part fills whole characters, so that each token has one spelling.
 */
const form = /^(bct_([\w-]{12})([\w-]{8}))([\w-]{24})([\w-]{4})$/

/** Detects typing errors without the secret. */
export const checksum = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 4)

/** Returns the parts of an issued token, without checking its signature; undefined for any other or mistyped one. */
export function partsOf (token: string): Record<'head' | 'id' | 'time' | 'signature', string> | undefined {
  const [, head = '', id = '', time = '', signature = '', check] = form.exec(token) ?? []
  return checksum(head + signature) === check ? { head, id, time, signature } : undefined
}

/** Returns the id of a revoked token, given as id, with `bct_` before it, or as a whole; undefined for any other string. */
export function idOf (revoked: string): string | undefined {
  const [, id] = /^(?:bct_)?([\w-]{12})$/.exec(revoked) ?? []
  return id ?? partsOf(revoked)?.id
}

/** Describes valid entries of a list, and returns why an entry is invalid. */
type Entries = { expects: string, errorOf: (entry: string) => string | undefined }

export const fixedTokens: Entries = {
  expects: 'tokens without spaces', errorOf: entry => /\s/.test(entry) ? 'contains a space' : undefined
}

/** Also accepts whole tokens, because they are at hand when one is revoked. */
export const tokenIds: Entries = {
  expects: 'ids, the 12 characters after bct_, or whole tokens',
  errorOf: entry => {
    if (idOf(entry) !== undefined) return undefined
    return entry.startsWith('bct_') ? 'is mistyped or cut off' : 'is neither an id nor an issued token'
  }
}

/** Reads at least one entry, separated by commas or line ends. */
export const list = (entries: Entries): Kind<readonly string[]> => ({
  expects: `${entries.expects}, separated by commas`, asOption: `an array of ${entries.expects}`,
  read: text => {
    const read = readEntries('entry', entriesOf(text), entries)
    return read.length > 0 ? read : undefined
  }
})

/** Reads the entries of a file: one per line or separated by commas; lines that begin with `#` are comments. */
export function lines (entries: Entries, { canBeEmpty = false } = {}): Kind<readonly string[]> {
  return {
    expects: list(entries).expects,
    read: text => {
      const read = readEntries('line', text.split('\n').map(line => line.trimStart().startsWith('#') ? '' : line), entries)
      if (read.length === 0 && !canBeEmpty) throw new Error('it contains no entry')
      return read
    }
  }
}

const entriesOf = (text: string): string[] => text.split(/[,\n]/).map(entry => entry.trim()).filter(Boolean)

/** Returns the entries of some strings; throws for the first invalid one, with the number of its string. */
function readEntries (name: 'entry' | 'line', texts: string[], { errorOf }: Entries): string[] {
  return texts.flatMap((text, index) => entriesOf(text).map(entry => {
    const error = errorOf(entry)
    if (error !== undefined) throw new Error(`${name} ${index + 1} ${error}`)
    return entry
  }))
}
