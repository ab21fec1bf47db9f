import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileFault, type Fault } from './fault.ts'
import { lineColumn } from './position.ts'
import { nowhere, scan, type NotJson } from './scan.ts'

/** What a file held, with a digest of its bytes, or why it could not be read. */
export type Read<T> = { readonly value: T, readonly digest: string } | { readonly fault: Fault }

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'is missing',
  ENOTDIR: 'is not a directory',
  EISDIR: 'is a directory, not a file',
  EACCES: 'cannot be read: permission denied',
  ERR_STRING_TOO_LONG: 'is too large to be read as one text'
}

/** Gives the fault of a file or directory that the system refuses to read. */
export function unreadable (file: string, { code = '', message }: NodeJS.ErrnoException): Fault {
  return fileFault(file, code === 'ENOENT' ? 'missing' : 'file', reasons[code] ?? `cannot be read: ${message}`)
}

function textFault (file: string, text: string, offset: number, rule: string, message: string): { fault: Fault } {
  return { fault: { ...fileFault(file, rule, message), ...lineColumn(text)(offset) } }
}

const replacement = '\ufffd'

function notUtf8 (file: string, bytes: Buffer): { fault: Fault } {
  const text = bytes.toString()
  let [offset, byte] = [-1, 0]
  // A replacement character that stands in the file as such is good UTF-8.
  do {
    offset = text.indexOf(replacement, offset + 1)
    byte = Buffer.byteLength(text.slice(0, offset))
  } while (bytes.subarray(byte, byte + 3).equals(Buffer.from(replacement)))
  return textFault(file, text, offset, 'encoding', `must be UTF-8, got the byte 0x${bytes.toString('hex', byte, byte + 1)}`)
}

// Where the processor has no instructions for SHA-256, this is by far the faster one.
const digestOf = (bytes: Buffer) => createHash('sha512-256').update(bytes).digest('hex')

/** Reads a UTF-8 file as text. */
export async function readText (file: string): Promise<Read<string>> {
  try {
    const bytes = await readFile(file)
    if (!isUtf8(bytes)) return notUtf8(file, bytes)
    const text = bytes.toString()
    if (text.startsWith('\ufeff')) return textFault(file, text, 0, 'encoding', 'must be UTF-8 without a byte order mark')
    return { value: text, digest: digestOf(bytes) }
  } catch (error) {
    return { fault: unreadable(file, error as NodeJS.ErrnoException) }
  }
}

function lexeme (text: string, offset: number): string {
  if (offset === text.length) return 'the end of the file'
  if (/[\n\r]/.test(text.charAt(offset))) return 'the end of the line'
  const [found] = /^(?:"[^"\n\r]{0,40}"?|[\w.+-]{1,40})/.exec(text.slice(offset, offset + 50)) ?? []
  return found ?? JSON.stringify(String.fromCodePoint(Number(text.codePointAt(offset)))).slice(1, -1)
}

function notJson (file: string, text: string): { fault: Fault } {
  let [offset, expected] = [0, 'JSON']
  try {
    scan(text, nowhere())
  } catch (error) {
    ({ offset, expected } = error as NotJson)
  }
  return textFault(file, text, offset, 'syntax', `expected ${expected}, got ${lexeme(text, offset)}`)
}

/** Reads a JSON file, whose text is let go at once. */
export async function readJson (file: string): Promise<Read<unknown>> {
  const text = await readText(file)
  if ('fault' in text) return text
  try {
    return { value: JSON.parse(text.value), digest: text.digest }
  } catch {
    return notJson(file, text.value)
  }
}
