import { printParseErrorCode, visit, type JSONVisitor } from 'jsonc-parser'
import { attempt } from '../../base/attempt.ts'
import { below, type DataError } from './error.ts'
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
  const names = new Map<string, object>()
  const values = new Map<string, object>()
  const placesOf = ({ rule }: DataError) => rule === 'additionalProperties' ? names : values
  for (const error of errors) placesOf(error).set(error.pointer, {}) // beyond the longest string it stays without a place
  const enclosing = new Set(errors.flatMap(({ pointer }) => pointersAround(pointer)))
  const take = (places: typeof names, pointer: string, line: number, character: number): boolean => {
    if (places.has(pointer)) places.set(pointer, positionOf(line, character))
    return enclosing.has(pointer) // false skips what the value contains
  }
  const begin: JSONVisitor['onObjectBegin'] = (_, _length, line, character, path) => take(values, below('', ...path()), line, character)
  attempt(() => visit(text, { // beyond some thousand levels errors stay without a place
    onObjectBegin: begin,
    onArrayBegin: begin,
    onObjectProperty (name, _, _length, line, character, path) { take(names, below('', ...path(), name), line, character) },
    onLiteralValue (_, ...token) { begin(...token) },
    onObjectEnd () {}, // visit resumes its calls only in these
    onArrayEnd () {}
  }))
  return errors.map(error => ({ ...error, ...placesOf(error).get(error.pointer) }))
}

/** Returns the pointers of all values that contain the one at a pointer: '' and /a for /a/b. */
function pointersAround (pointer: string): string[] {
  const pointers: string[] = []
  for (let end = pointer.lastIndexOf('/'); end >= 0; end = pointer.lastIndexOf('/', end - 1)) {
    pointers.push(pointer.slice(0, end))
    if (end === 0) break
  }
  return pointers
}

/** Returns the errors of a source in the order of its text. */
export function errorsOf (source: Source): readonly DataError[] {
  return locate(source, source.errors).toSorted(byPosition)
}

function byPosition (a: DataError, b: DataError): number {
  return Number(a.line) - Number(b.line) || Number(a.column) - Number(b.column)
}

/** The words for each error code of jsonc-parser. */
const expected: Readonly<Record<string, string>> = {
  InvalidSymbol: 'a value',
  InvalidNumberFormat: 'a number',
  PropertyNameExpected: 'a property name in double quotes',
  ValueExpected: 'a value',
  ColonExpected: 'a colon',
  CommaExpected: 'a comma',
  CloseBraceExpected: 'a comma or }',
  CloseBracketExpected: 'a comma or ]',
  EndOfFileExpected: 'the end of the file',
  InvalidCommentToken: 'a value, a comma or a bracket',
  UnexpectedEndOfComment: 'a value, a comma or a bracket',
  UnexpectedEndOfString: 'a closing quote',
  UnexpectedEndOfNumber: 'a digit',
  InvalidUnicode: 'four hexadecimal digits after each \\u',
  InvalidEscapeCharacter: 'only escapes such as \\n or \\u00e9',
  InvalidCharacter: 'an escape for each control character'
}

/** Returns the first syntax error of a JSON text; none for a text that JSON.parse accepts, unless it is nested too deeply. */
export function syntaxErrors (source: Source): DataError[] {
  const { text } = source
  const place = { source, pointer: '' }
  const errors: DataError[] = []
  const { error } = attempt(() => visit(text, {
    onError (code, offset, _, line, character) {
      const must = `expected ${expected[printParseErrorCode(code)]}, got ${lexeme(text, offset)}`
      errors.push({ ...errorAt(place, 'syntax', must), ...positionOf(line, character) })
    }
  }, { disallowComments: true }))
  return error === undefined ? errors.slice(0, 1) : [errorAt(place, 'syntax', 'is nested too deeply')]
}

/** Returns an error for each name that is repeated in its object; JSON.parse takes the last of them. */
export function repeatedNames (source: Source): DataError[] {
  const errors: DataError[] = []
  const names: Set<string>[] = []
  visit(source.text, {
    onObjectBegin () { names.push(new Set()) },
    onObjectEnd () { names.pop() },
    onObjectProperty (name, _, _length, line, character, path) {
      const known = names.at(-1) as Set<string>
      if (known.size < known.add(name).size) return
      const place = { source, pointer: below('', ...path(), name) }
      const error = errorAt(place, 'repeated', 'must occur only once in its object')
      errors.push({ ...error, ...positionOf(line, character) })
    }
  })
  return errors
}

function lexeme (text: string, offset: number): string {
  if (offset === text.length) return 'the end of the file'
  const character = String.fromCodePoint(Number(text.codePointAt(offset)))
  const isInvisible = /[\p{Z}\p{C}]/u.test(character)
  if (isInvisible) return `\\u${text.charCodeAt(offset).toString(16).padStart(4, '0')}`
  const stringOrWord = /^(?:"[^"\n\r]{0,40}"?|[\w.+-]{1,40})/
  const [found] = stringOrWord.exec(text.slice(offset, offset + 50)) ?? []
  return found ?? JSON.stringify(character).slice(1, -1)
}
