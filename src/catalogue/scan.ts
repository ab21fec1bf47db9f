import { below, label, parts, shown } from './fault.ts'

/** A value that is looked for in a JSON text, with the offsets at which its name and its first character were found. */
export type Wanted = { readonly parts: Map<string, Wanted>, name: number, value: number }

export const nowhere = (): Wanted => ({ parts: new Map(), name: 0, value: 0 })

/** Is thrown at the first thing in a text that is not JSON; says what would be. */
export class NotJson extends Error {
  override readonly name = 'NotJson'
  readonly offset: number
  readonly expected: string

  constructor (offset: number, expected: string) {
    super(`expected ${expected} at offset ${offset}`)
    this.offset = offset
    this.expected = expected
  }
}

/** What a JSON text says that no parser minds. */
export type Flaw = { readonly offset: number, readonly pointer: string, readonly rule: string, readonly message: string }

/** A text nested deeper than this is refused, so that it cannot exhaust the stack. */
const deepest = 500

const space = /[\t\n\r ]+/y
const literal = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const plainCharacters = /[ !#-[\]-\uffff]+/y
const halfPair = /\p{Surrogate}/u
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

/**
 * Walks a JSON text once, notes where the wanted values are and returns what no parser minds: names that stand twice in one
 * object, and halves of surrogate pairs; throws NotJson.
 *
 * Unlike a parser it needs no memory per value, so that a fault in a file of 100,000 bikes is found in seconds.
 */
export function scan (text: string, root: Wanted): Flaw[] {
  const flaws: Flaw[] = []
  const path: (string | number)[] = []
  let offset = 0

  function fail (expected: string): never {
    throw new NotJson(offset, expected)
  }

  function take (pattern: RegExp): boolean {
    pattern.lastIndex = offset
    const found = pattern.test(text)
    if (found) offset = pattern.lastIndex
    return found
  }

  function takeMark (mark: string): boolean {
    take(space)
    const found = text[offset] === mark
    if (found) offset++
    if (found) take(space)
    return found
  }

  function note (offset: number, rule: string, must: string): void {
    const pointer = path.reduce(below, '')
    flaws.push({ offset, pointer, rule, message: `${label(pointer)} ${must}`.trimStart() })
  }

  function takeString (): string {
    const start = offset++
    while (take(plainCharacters) || take(escape));
    if (text[offset] === '\\') fail('an escape such as \\n or \\u00e9')
    if (text[offset] !== '"') fail('a closing quote')
    offset++
    const string = JSON.parse(text.slice(start, offset)) as string
    if (halfPair.test(string)) note(start, 'surrogate', `must not have half of a surrogate pair, got ${shown(string)}`)
    return string
  }

  function takeObject (wanted: Wanted | undefined, depth: number): void {
    const names = new Set<string>()
    let orClose = ' or }'
    do {
      const start = offset
      if (text[offset] !== '"') fail(`a property name in double quotes${orClose}`)
      orClose = ''
      const name = takeString()
      const child = wanted?.parts.get(name)
      path.push(name)
      if (names.has(name)) note(start, 'repeated', 'must stand only once in its object')
      names.add(name)
      if (child !== undefined) child.name = start
      if (!takeMark(':')) fail('a colon')
      takeValue(child, depth)
      path.pop()
    } while (takeMark(','))
    if (!takeMark('}')) fail('a comma or }')
  }

  function takeArray (wanted: Wanted | undefined, depth: number): void {
    let index = 0
    do {
      path.push(index)
      takeValue(wanted?.parts.get(String(index)), depth, index === 0 ? 'a value or ]' : 'a value')
      path.pop()
      index++
    } while (takeMark(','))
    if (!takeMark(']')) fail('a comma or ]')
  }

  function takeValue (wanted: Wanted | undefined, depth: number, expected = 'a value'): void {
    if (depth > deepest) fail(`at most ${deepest} levels`)
    if (wanted !== undefined) wanted.value = offset
    if (text[offset] === '"') takeString()
    else if (takeMark('{')) takeMark('}') || takeObject(wanted, depth + 1)
    else if (takeMark('[')) takeMark(']') || takeArray(wanted, depth + 1)
    else if (!take(literal)) fail(expected)
  }

  take(space)
  takeValue(root, 0)
  take(space)
  if (offset < text.length) fail('the end of the file')
  return flaws
}

/** A place in a text as editors count it, from 1; the column counts UTF-16 code units. */
export type Position = { readonly line: number, readonly column: number }

/** Turns offsets of a text into positions; lines end in LF, CRLF or CR. */
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

/** Pairs pointers with the positions of their values, or of their names, in one walk through a JSON text. */
export function positions<Place extends { readonly pointer: string, readonly atName?: boolean }> (text: string, places: readonly Place[]) {
  const root = nowhere()
  const wanted = places.map(place => ({ place, found: want(root, place.pointer) }))
  scan(text, root)
  const position = lineColumn(text)
  return wanted.map(({ place, found }) => [place, position(place.atName === true ? found.name : found.value)] as const)
}
