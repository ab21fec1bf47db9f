import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { fileFault, unreadable } from './fault.ts'
import { lineColumn } from './positions.ts'
import { createSource, type Source } from './source.ts'

/** Reads a regular file as UTF-8; rejects pipes, which could block forever. */
export async function readSource (name: string, { path, realPath }: { path: string, realPath: string }): Promise<Source> {
  try {
    const file = await open(realPath, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const stats = await file.stat()
      if (stats.isFile()) return decode(name, path, await file.readFile(), stats.mtimeMs)
      const kind = stats.isDirectory() ? 'directory' : 'pipe or device'
      return createSource(name, path, '', { faults: [fileFault(path, 'file', `is a ${kind}, not a file`)] })
    } finally {
      await file.close()
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error // a bug
    return createSource(name, path, '', { faults: [unreadable(path, error as NodeJS.ErrnoException)] })
  }
}

function decode (name: string, path: string, bytes: Buffer, modified: number): Source {
  const text = bytes.toString()
  const refuse = (offset: number, message: string) =>
    createSource(name, path, text, { faults: [{ ...fileFault(path, 'encoding', message), ...lineColumn(text)(offset) }] })
  if (text.startsWith('\ufeff')) return refuse(0, 'must be UTF-8 without a byte order mark')
  if (isUtf8(bytes)) return createSource(name, path, text, { digest: hash('sha256', bytes), modified })
  const { offset, byte } = findInvalid(text, bytes)
  return refuse(offset, `must be UTF-8, got the byte 0x${bytes.toString('hex', byte, byte + 1)}`)
}

const replacement = '\ufffd'

/** Finds the first bytes that are not UTF-8, from which the text has a replacement character. */
function findInvalid (text: string, bytes: Buffer): { offset: number, byte: number } {
  let [offset, byte] = [text.indexOf(replacement), 0]
  byte = Buffer.byteLength(text.slice(0, offset))
  // A replacement character in the file itself is valid UTF-8.
  while (bytes.subarray(byte, byte + 3).equals(Buffer.from(replacement))) {
    const next = text.indexOf(replacement, offset + 1)
    byte += Buffer.byteLength(text.slice(offset, next))
    offset = next
  }
  return { offset, byte }
}
