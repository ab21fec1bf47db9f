import { isAscii, isUtf8, transcode } from 'node:buffer'
import type { FileHandle } from 'node:fs/promises'
import { countNames, hasHalfPair, isCompact, separatorAt, type Separator } from './compact.ts'
import { code, walk, type Walk } from './walk.ts'

/** A JSON file taken apart: the items of its list, and its content with an empty array in their place. */
export type Pieces = { readonly items: readonly unknown[], readonly content: unknown }

/** What is done with a file while it is read: with its bytes, and with items as they come, which may be refused. */
export type Visitor = { readonly bytes: (bytes: Buffer) => void, readonly accepts: (items: readonly unknown[]) => boolean }

/** How much is read at once, parsed at once without a walk, held at most until an item ends, and may stand around the list, in bytes. */
const [readBytes, runBytes, mostBytes, mostAround] = [2 ** 18, 2 ** 16, 2 ** 24, 2 ** 12]

/**
 * Reads a JSON file in pieces, so that neither its text nor its parsed whole is ever in memory: the items of the first array
 * in its object are parsed a few at a time.
 *
 * Undefined for everything out of the ordinary: what is not JSON or not accepted, a name twice in one object, half a
 * surrogate pair, an item of 16 MiB, much around the list, which may be nested deeply. What exactly it is, `scan` finds in the whole text.
 */
export async function readInPieces (file: FileHandle, { bytes: visit, accepts }: Visitor): Promise<Pieces | undefined> {
  const { take, finish } = createTaker(accepts)
  let [bytes, held, position] = [Buffer.allocUnsafeSlow(readBytes), lead, 0]
  for (;;) {
    if (held === bytes.length) {
      if (held >= mostBytes) return undefined
      bytes = Buffer.concat([bytes], 2 * held)
    }
    const { bytesRead } = await file.read(bytes, held, bytes.length - held, position)
    if (bytesRead === 0) return finish(bytes.subarray(lead, held))
    visit(bytes.subarray(held, held + bytesRead))
    position += bytesRead
    held += bytesRead
    const taken = take(bytes.subarray(0, held))
    if (taken === undefined) return undefined
    bytes.copyWithin(lead, taken, held)
    held -= taken - lead
  }
}

/** What stands in front of the bytes that are held, for a bracket. */
const lead = 1

/** Takes a text apart that comes in pieces, each beginning, after the lead, where the last one was taken up to. */
function createTaker (accepts: Visitor['accepts']) {
  const items: unknown[] = []
  let head: Buffer | undefined
  let [isOpen, isAfterComma, isHeadOdd] = [false, false, false]
  let surplus = 0 // of colons over names, when a name stands twice
  let [separator, isRegular]: [Separator | undefined, boolean] = [undefined, true]

  function takeItems (bytes: Buffer, { end, colons, isOdd }: Walk): boolean {
    const some = parse(textOf(bytes), '[', ']') as unknown[] | undefined
    if (some === undefined || (some.length === 0 && (isAfterComma || end === ','))) return false
    if (!accepts(some) || (isOdd && hasHalfPair(some))) return false // what is accepted is not nested deeply
    for (const item of some) items.push(item)
    surplus += colons - countNames(some)
    isAfterComma = isOpen = end === ','
    return true
  }

  /**
   * Takes items without a walk, up to the last place nearby that looks like the one between the first items; gives where it came to.
   * Had that place been within a text or an array, what is before it would not be JSON.
   */
  function takeRun (bytes: Buffer, from: number): number {
    if (separator === undefined) return from
    const at = bytes.lastIndexOf(separator.bytes, from + runBytes) + separator.comma
    if (at <= from + separator.comma) return from
    // Brackets in place of what stands around the run, so that the parser gets a text that has not to be put together.
    bytes[from - 1] = code.openArray
    bytes[at] = code.closeArray
    const text = textOf(bytes.subarray(from - 1, at + 1))
    bytes[at] = code.comma
    const some = parse(text) as unknown[] | undefined
    if (some === undefined || !accepts(some) || !isCompact(text as string, some, separator.blanks)) {
      [separator, isRegular] = [undefined, false]
      return from
    }
    for (const item of some) items.push(item)
    return at + 1
  }

  /** How many of the bytes are done with; undefined when they are out of the ordinary. */
  function take (bytes: Buffer): number | undefined {
    let taken = lead
    if (head === undefined) {
      const opening = walk(bytes, lead, false)
      if (opening.end !== '[') return lead
      taken = opening.at + 1
      head = Buffer.from(bytes.subarray(lead, taken))
      surplus += opening.colons
      isHeadOdd = opening.isOdd
      isOpen = true
    }
    while (isOpen) {
      const run = takeRun(bytes, taken)
      if (run > taken) {
        taken = run
        continue
      }
      const found = walk(bytes, taken, true)
      if (found.end === undefined) return taken
      if (!takeItems(bytes.subarray(taken, found.at), found)) return undefined
      if (isRegular && isOpen) separator ??= separatorAt(bytes, found.at)
      taken = found.at + (isOpen ? 1 : 0)
    }
    return taken
  }

  function finish (rest: Buffer): Pieces | undefined {
    const { end, colons, isOdd } = walk(rest, 0, false, head === undefined ? 0 : 2)
    const around = Buffer.concat([head ?? Buffer.of(), rest])
    if (isOpen || end === '[' || around.length > mostAround) return undefined
    const content = parse(textOf(around))
    if (content === undefined || ((isHeadOdd || isOdd) && hasHalfPair(content))) return undefined
    return surplus + colons === countNames(content) ? { items, content } : undefined
  }

  return { take, finish }
}

/** A text in UTF-8; what is none is undefined. */
function textOf (bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString('latin1')
  // A third of the time that Node 20 and 22 take from UTF-8 to a string.
  return isUtf8(bytes) ? transcode(bytes, 'utf8', 'ucs2').toString('ucs2') : undefined
}

function parse (text: string | undefined, before = '', after = ''): unknown {
  try {
    return JSON.parse(`${before}${text}${after}`)
  } catch {
    return undefined
  }
}
