import { below, brief } from './fault.ts'

/** A value to locate in a JSON text; `scan` sets the offsets of its name and its first character. */
export type Wanted = { readonly parts: Map<string, Wanted>, name: number, value: number }

export const nowhere = (): Wanted => ({ parts: new Map(), name: 0, value: 0 })

/** Reports the first offset at which a text is not JSON, and the syntax expected there. */
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

/** Receives the offset, pointer and rule of a value or name, and the end of a sentence about it. */
type Note = (offset: number, pointer: string, rule: string, must: string) => void

type Options = {
  /** The values to locate. */
  root?: Wanted
  /** Receives what JSON.parse accepts but is an error: a name repeated in its object, or half of a surrogate pair. */
  flaw?: Note
  /** Receives what JavaScript changes: a number, or the order of names. */
  change?: Note
}

/** Deeper nesting is refused, because it could exhaust the stack. */
const maxLevels = 500

const space = /[\t\n\r ]+/y
const literal = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const plainCharacters = /[ !#-[\]-\uffff]+/y
/** A name that JavaScript orders first: an array index. */
const index = /^(?:0|[1-9]\d{0,8})$/
const halfPair = /\p{Surrogate}/u
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

/**
 * Parses a JSON text without keeping its values.
 *
 * @throws {NotJson} at the first syntax error
 */
export function scan (text: string, { root, flaw, change }: Options): void {
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

  function takeString (): string {
    const start = offset++
    let isEscaped = false
    while (take(plainCharacters) || (take(escape) && (isEscaped = true)));
    if (text[offset] === '\\') fail('an escape such as \\n or \\u00e9')
    if (text[offset] !== '"') fail('a closing quote')
    offset++
    if (!isEscaped) return text.slice(start + 1, offset - 1) // text decoded from UTF-8 has half of a surrogate pair in escapes only
    const string = JSON.parse(text.slice(start, offset)) as string
    if (halfPair.test(string)) {
      flaw?.(start, below('', ...path), 'surrogate', `must not have half of a surrogate pair, got ${brief(string)}`)
    }
    return string
  }

  function takeObject (wanted: Wanted | undefined, depth: number): void {
    const names = new Set<string>()
    let last = -1
    let orClose = ' or }'
    do {
      const start = offset
      if (text[offset] !== '"') fail(`a property name in double quotes${orClose}`)
      orClose = ''
      const name = takeString()
      const child = wanted?.parts.get(name)
      path.push(name)
      if (names.has(name)) flaw?.(start, below('', ...path), 'repeated', 'must occur only once in its object')
      names.add(name)
      const rank = index.test(name) ? Number(name) : Infinity
      if (rank < last) {
        change?.(start, below('', ...path), 'order', 'is served before other names, because JavaScript orders whole numbers first')
      }
      last = rank
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
    if (depth > maxLevels) fail(`at most ${maxLevels} levels`)
    if (wanted !== undefined) wanted.value = offset
    if (text[offset] === '"') takeString()
    else if (takeMark('{')) takeMark('}') || takeObject(wanted, depth + 1)
    else if (takeMark('[')) takeMark(']') || takeArray(wanted, depth + 1)
    else takeLiteral(expected)
  }

  function takeLiteral (expected: string): void {
    const start = offset
    if (!take(literal)) fail(expected)
    if (change === undefined) return
    const [own, served] = [text.slice(start, offset), JSON.stringify(JSON.parse(text.slice(start, offset)))]
    if (own !== served) change(start, below('', ...path), 'number', `is served as ${served}, because JavaScript cannot hold ${own}`)
  }

  take(space)
  takeValue(root, 0)
  take(space)
  if (offset < text.length) fail('the end of the file')
}

/**
 * Returns false only for a text without flaws, in a fraction of the time of `scan`.
 *
 * Compares the names in the text with those in its content, where a repeated name occurs once. The content must be valid, because deep
 * nesting could exhaust the stack.
 */
export function mayHaveFlaws (text: string, content: unknown): boolean {
  return /\\u[dD]/.test(text) || countQuotedColons(text) !== countNames(content)
}

/** Counts the colons that follow a quote: one after each name, and some in strings such as `"\": "`. */
function countQuotedColons (text: string): number {
  let count = 0
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) {
    let before = at - 1
    while (text.charAt(before) <= ' ') before--
    if (text[before] === '"') count++
  }
  return count
}

function countNames (value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countNames(item), 0)
  let count = 0
  for (const name in value) count += 1 + countNames((value as Record<string, unknown>)[name])
  return count
}
