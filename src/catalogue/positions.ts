import { parts } from './fault.ts'
import { nowhere, scan, type Wanted } from './scan.ts'

/** A place in a text as editors count it: both from 1, columns in UTF-16 code units. */
export type Position = { readonly line: number, readonly column: number }

/** Returns a function from offsets of a text to positions; lines end in LF, CRLF or CR. */
export function lineColumn (text: string): (offset: number) => Position {
  const starts = [0]
  for (const lineEnd of text.matchAll(/\r\n?|\n/g)) starts.push(lineEnd.index + lineEnd[0].length)

  return offset => {
    let [line, after] = [0, starts.length]
    while (after - line > 1) {
      const middle = (line + after) >> 1
      if (offset < Number(starts[middle])) after = middle
      else line = middle
    }
    return { line: line + 1, column: offset - Number(starts[line]) + 1 }
  }
}

function want (root: Wanted, pointer: string): Wanted {
  let wanted = root
  for (const part of parts(pointer)) {
    const child = wanted.parts.get(part) ?? nowhere()
    wanted.parts.set(part, child)
    wanted = child
  }
  return wanted
}

/** Pairs pointers with the positions of their values, or of their names, in a JSON text. */
export function positions<Place extends { readonly pointer: string, readonly atName?: boolean }> (text: string, places: readonly Place[]) {
  const root = nowhere()
  const wanted = places.map(place => ({ place, found: want(root, place.pointer) }))
  scan(text, root)
  const position = lineColumn(text)
  return wanted.map(({ place, found }) => [place, position(place.atName === true ? found.name : found.value)] as const)
}
