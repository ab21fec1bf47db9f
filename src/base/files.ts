import { realpathSync } from 'node:fs'
import { attempt } from './attempt.ts'

/** Returns a path with its links resolved; undefined for a path that leads nowhere. */
export const realPathOf = (path: string): string | undefined => attempt(() => realpathSync(path)).value

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'is missing',
  ENOTDIR: 'is not a directory',
  EISDIR: 'is a directory',
  EACCES: 'cannot be read: permission denied',
  ERR_STRING_TOO_LONG: 'is too long: a file in the built-in format has at most 512 MB; leave out records'
}

/** Returns why a file or directory cannot be read, after its path. */
export function unreadable ({ code = '', message }: NodeJS.ErrnoException): string {
  return reasons[code] ?? `cannot be read: ${message}`
}

/** Returns whether a file begins with the byte order mark of UTF-16. */
export const isUtf16 = (bytes: Buffer) => ['fffe', 'feff'].includes(bytes.toString('hex', 0, 2))
