/** How far a walk goes at least within a list, in bytes: what it passes is parsed at once. */
const parsedBytes = 2 ** 14

/** What a walk came to, where, and the colons outside strings before it. */
export type Walk = { readonly end: ',' | '[' | ']' | undefined, readonly at: number, readonly colons: number, readonly isOdd: boolean }

export const code = {
  quote: 0x22, comma: 0x2c, colon: 0x3a, openArray: 0x5b, backslash: 0x5c, closeArray: 0x5d,
  d: 0x64, u: 0x75, openObject: 0x7b, closeObject: 0x7d
}

/**
 * Walks over bytes of JSON: outside a list to the array that opens it, within a list to a comma some way on, or its end.
 *
 * It takes on trust that the bytes are JSON, which is for the parser to say. An escape that may be half a surrogate pair is odd.
 */
export function walk (bytes: Buffer, from: number, isInList: boolean, depth = 0): Walk {
  const to = bytes.length
  let [end, at, colons, passed, isOdd]: [Walk['end'], number, number, number, boolean] = [undefined, to, 0, 0, false]
  for (let offset = from; offset < to; offset++) {
    switch (bytes[offset]) {
      case code.quote:
        for (offset++; offset < to && bytes[offset] !== code.quote; offset++) {
          if (bytes[offset] !== code.backslash) continue
          offset++
          if (bytes[offset] === code.u && (Number(bytes[offset + 1]) | 0x20) === code.d) isOdd = true
        }
        break
      case code.colon:
        passed++
        break
      case code.openArray:
        if (!isInList && depth === 1) return { end: '[', at: offset, colons: passed, isOdd }
        depth++
        break
      case code.openObject:
        depth++
        break
      case code.closeArray:
      case code.closeObject:
        if (isInList && depth === 0) return { end: ']', at: offset, colons: passed, isOdd }
        depth--
        break
      case code.comma:
        if (!isInList || depth > 0) break
        end = ','
        at = offset
        colons = passed
        if (offset - from > parsedBytes) return { end, at, colons, isOdd }
    }
  }
  return { end, at, colons: isInList ? colons : passed, isOdd }
}
