import { visit, type JSONPath, type JSONVisitor } from 'jsonc-parser'
import { attempt } from '../../base/attempt.ts'
import { below, brief, type DataError } from './error.ts'
import { decode, errorAt, type Source } from './source.ts'

/** Converts a place that `visit` counts from 0, in UTF-16 code units, with lines that end in LF, CRLF or CR. */
const positionOf = (line: number, character: number) => ({ line: line + 1, column: character + 1 })

/**
 * Returns errors of a source with their lines and columns, in the same order; the records of a program have none.
 * @param end where the last of them ends at the latest, in bytes
 */
export function locate<Located extends DataError> (source: Source, errors: readonly Located[], end?: number): readonly Located[] {
  if (source.file === '') return errors.map(error => ({ ...error, line: null, column: null }))
  if (errors.every(({ line }) => line !== null) || source.start === '') return errors
  const text = end === undefined ? source.text : decode(source.bytes(), end)
  const [names, values, enclosing] = [new Map<string, object>(), new Map<string, object>(), new Set<string>()]
  const placesOf = ({ rule }: DataError) => rule === 'additionalProperties' ? names : values
  for (const error of errors) {
    placesOf(error).set(error.pointer, {}) // beyond the longest string it stays without a place
    const steps = error.pointer.split('/')
    for (const end of steps.keys()) enclosing.add(steps.slice(0, end).join('/'))
  }
  const take = (places: typeof names, pointer: string, line: number, character: number): boolean => {
    if (places.has(pointer)) places.set(pointer, positionOf(line, character))
    return enclosing.has(pointer) // false skips what the value contains
  }
  const begin: JSONVisitor['onObjectBegin'] = (_, _length, line, character, path) => take(values, below('', ...path()), line, character)
  visit(text, {
    onObjectBegin: begin,
    onArrayBegin: begin,
    onObjectProperty (name, _, _length, line, character, path) { take(names, below('', ...path(), name), line, character) },
    onLiteralValue (_, ...token) { begin(...token) },
    onObjectEnd () {}, // visit resumes its calls only in these
    onArrayEnd () {}
  })
  return errors.map(error => ({ ...error, ...placesOf(error).get(error.pointer) }))
}

/** Returns the errors of a source in the order of its text. */
export function errorsOf (source: Source): readonly DataError[] {
  return locate(source, source.errors).toSorted((a, b) => Number(a.line) - Number(b.line) || Number(a.column) - Number(b.column))
}

/** Deeper nesting is refused, because it could exhaust the stack. */
const maxLevels = 500

/** The syntax expected after each part of a file, an array and an object. */
const inFile = { begin: 'a value', value: 'the end of the file' }
const inArray = { begin: 'a value or ]', value: 'a comma or ]', ',': 'a value' }
const name = 'a property name in double quotes'
const inObject = { begin: `${name} or }`, name: 'a colon', ':': 'a value', value: 'a comma or }', ',': name }

/** The file, or an object or array that has not ended. */
type Level = { readonly syntax: Readonly<Record<string, string>>, readonly names: Set<string> }

/**
 * Returns the syntax error of a JSON text, or the errors that JSON.parse accepts: a name repeated in its object, or half of a surrogate
 * pair.
 */
export function scanForErrors (source: Source): { error?: Error, errors: DataError[] } {
  const { text } = source
  const [errors, noNames]: [DataError[], Set<string>] = [[], new Set()]
  const levels: Level[] = [{ syntax: inFile, names: noNames }]
  let after = 'begin'

  function note (path: JSONPath, rule: string, must: string, line: number, character: number): void {
    errors.push({ ...errorAt({ source, pointer: below('', ...path) }, rule, must), ...positionOf(line, character) })
  }

  function fail (expected: string, offset: number, line: number, character: number): never {
    errors.length = 0
    note([], 'syntax', `expected ${expected}, got ${lexeme(text, offset)}`, line, character)
    throw new SyntaxError(`expected ${expected} at offset ${offset}`)
  }

  function begin (level: Level, offset: number, line: number, character: number): void {
    if (levels.length > maxLevels + 1) fail(`at most ${maxLevels} levels`, offset, line, character)
    levels.push(level)
    after = 'begin'
  }

  function end (offset: number): void {
    if (offset === text.length) return // visit ends them before it reports the error
    levels.pop()
    after = 'value'
  }

  function checkPairs (string: string, length: number, line: number, character: number, path: () => JSONPath): void {
    // Text decoded from UTF-8 has half of a surrogate pair in escapes only.
    if (string.length + 2 === length || !/\p{Surrogate}/u.test(string)) return
    note(path(), 'surrogate', `must not have half of a surrogate pair, got ${brief(string)}`, line, character)
  }

  const { error } = attempt(() => visit(text, {
    onObjectBegin (offset, _, line, character) { begin({ syntax: inObject, names: new Set() }, offset, line, character) },
    onArrayBegin (offset, _, line, character) { begin({ syntax: inArray, names: noNames }, offset, line, character) },
    onObjectEnd: end,
    onArrayEnd: end,
    onObjectProperty (name, _, length, line, character, path) {
      const level = levels.at(-1) as Level
      checkPairs(name, length, line, character, path)
      if (level.names.size === level.names.add(name).size) {
        note([...path(), name], 'repeated', 'must occur only once in its object', line, character)
      }
      after = 'name'
    },
    onLiteralValue (value: unknown, _, length, line, character, path) {
      if (typeof value === 'string') checkPairs(value, length, line, character, path)
      after = 'value'
    },
    onSeparator (mark) { after = mark },
    onError (_, offset, length, line, character) {
      const at = invalidIn(text.slice(offset, offset + length))
      if (at === undefined) fail((levels.at(-1) as Level).syntax[after] as string, offset, line, character)
      fail(text[offset + at] === '\\' ? 'an escape such as \\n or \\u00e9' : 'a closing quote', offset + at, line, character + at)
    }
  }, { disallowComments: true }))
  return error === undefined ? { errors } : { error, errors }
}

/** Returns where a string is invalid or ends without a quote; undefined for a valid string and for other tokens. */
function invalidIn (token: string): number | undefined {
  const plain = token.replace(/\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/g, escape => ' '.repeat(escape.length))
  const at = 1 + plain.slice(1).search(/[^ !#-[\]-\uffff]|$/)
  return token.startsWith('"') && plain[at] !== '"' ? at : undefined
}

function lexeme (text: string, offset: number): string {
  if (offset === text.length) return 'the end of the file'
  if (/[\n\r]/.test(text.charAt(offset))) return 'the end of the line'
  const [found] = /^(?:"[^"\n\r]{0,40}"?|[\w.+-]{1,40})/.exec(text.slice(offset, offset + 50)) ?? []
  const character = String.fromCodePoint(Number(text.codePointAt(offset)))
  if (/[\p{Z}\p{C}]/u.test(character)) return `\\u${text.charCodeAt(offset).toString(16).padStart(4, '0')}`
  return found ?? JSON.stringify(character).slice(1, -1)
}

/**
 * Returns false only for a text without errors, in a fraction of the time of `scanForErrors`: the content has a repeated name only once.
 * The content must be valid, because deep nesting could exhaust the stack.
 */
export function needsScan (text: string, content: unknown): boolean {
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
