import { isUtf8 } from 'node:buffer'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { fileFault, sentence, unreadable, type Fault } from './fault.ts'
import { lineColumn } from './positions.ts'
import { type NotJson, scan } from './scan.ts'

/** Reads a regular file as UTF-8, or returns its fault; rejects pipes, which could block forever. */
export async function readText ({ path, realPath }: { path: string, realPath: string }): Promise<string | Fault> {
  try {
    const file = await open(realPath, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const stats = await file.stat()
      if (stats.isFile()) return decode(path, await file.readFile())
      return fileFault(path, 'file', `is a ${stats.isDirectory() ? 'directory' : 'pipe or device'}, not a file`)
    } finally {
      await file.close()
    }
  } catch (error) {
    return unreadable(path, error as NodeJS.ErrnoException)
  }
}

function decode (path: string, bytes: Buffer): string | Fault {
  const text = bytes.toString()
  if (text.startsWith('\ufeff')) return textFault(path, text, 0, 'encoding', 'must be UTF-8 without a byte order mark')
  return isUtf8(bytes) ? text : notUtf8(path, text, bytes)
}

function textFault (path: string, text: string, offset: number, rule: string, message: string): Fault {
  return { ...fileFault(path, rule, message), ...lineColumn(text)(offset) }
}

const replacement = '\ufffd'

function notUtf8 (path: string, text: string, bytes: Buffer): Fault {
  let [offset, byte] = [text.indexOf(replacement), 0]
  byte = Buffer.byteLength(text.slice(0, offset))
  // A replacement character in the file itself is valid UTF-8.
  while (bytes.subarray(byte, byte + 3).equals(Buffer.from(replacement))) {
    const next = text.indexOf(replacement, offset + 1)
    byte += Buffer.byteLength(text.slice(offset, next))
    offset = next
  }
  return textFault(path, text, offset, 'encoding', `must be UTF-8, got the byte 0x${bytes.toString('hex', byte, byte + 1)}`)
}

/** Returns the syntax error of a JSON text, or its flaws. */
export function faultsOfText (path: string, text: string): Fault[] {
  try {
    const position = lineColumn(text)
    return scan(text).map(flaw => ({ ...fileFault(path, flaw.rule, sentence(flaw)), ...position(flaw.offset), pointer: flaw.pointer }))
  } catch (error) {
    const { offset, expected } = error as NotJson
    return [textFault(path, text, offset, 'syntax', `expected ${expected}, got ${lexeme(text, offset)}`)]
  }
}

function lexeme (text: string, offset: number): string {
  if (offset === text.length) return 'the end of the file'
  if (/[\n\r]/.test(text.charAt(offset))) return 'the end of the line'
  const [found] = /^(?:"[^"\n\r]{0,40}"?|[\w.+-]{1,40})/.exec(text.slice(offset, offset + 50)) ?? []
  return found ?? JSON.stringify(String.fromCodePoint(Number(text.codePointAt(offset)))).slice(1, -1)
}
