/** Where the records of a list begin and end in its file: `spans[2 * i]` and `spans[2 * i + 1]`. */
export type Scanned = {
  readonly bytes: Buffer
  readonly spans: readonly number[]
  /** Where the list ends: at its closing bracket. */
  readonly end: number
  /** The text around the records, with 0 in the place of each. */
  readonly rest: string
}

const [quote, backslash, comma, colon] = [...Buffer.from('"\\,:')] as [number, number, number, number]
const [openArray, closeArray, openObject, closeObject] = [...Buffer.from('[]{}')] as [number, number, number, number]
export const maxLevels = 500

/**
 * Finds the records of an array, or of the results of a page; undefined for any other file. It reads bytes, because a string has at most
 * 512 MB. Only JSON.parse of the rest and of each record decides whether the file is JSON.
 */
export function scanRecords (bytes: Buffer): Scanned | undefined {
  const spans: number[] = []
  let [level, list, begin, end, isResults] = [0, 0, -1, -1, false]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte <= 0x20) continue
    if (list > 0 && level === list && (byte === comma || byte === closeArray)) {
      if (begin >= 0) spans.push(begin, end)
      begin = -1
      if (byte === closeArray) return { bytes, spans, end: at, rest: restOf(bytes, spans) }
      continue
    }
    if (list > 0 && level === list && begin < 0) begin = at
    if (byte === quote) {
      const start = at
      do at = bytes.indexOf(quote, at + 1); while (at > 0 && isEscaped(bytes, at))
      if (at < 0) return undefined
      if (list === 0 && level === 1) isResults = bytes.toString('latin1', start, at + 1) === '"results"'
    } else if (byte === openArray || byte === openObject) {
      if (++level > maxLevels) return undefined
      if (list === 0 && byte === openArray && (level === 1 || (level === 2 && isResults))) list = level
    } else if (byte === closeArray || byte === closeObject) level--
    else if (list === 0 && level === 1 && byte !== colon) isResults = false
    end = at + 1
  }
  return undefined
}

function isEscaped (bytes: Buffer, at: number): boolean {
  let before = at
  while (bytes[before - 1] === backslash) before--
  return (at - before) % 2 === 1
}

function restOf (bytes: Buffer, spans: readonly number[]): string {
  const parts = [bytes.toString('utf8', 0, spans[0] ?? bytes.length)]
  for (let index = 1; index < spans.length; index += 2) parts.push(bytes.toString('utf8', spans[index], spans[index + 1] ?? bytes.length))
  return parts.join('0')
}
