import { printParseErrorCode, visit, type JSONVisitor } from 'jsonc-parser'
import { attempt } from '../../base/attempt.ts'
import { escapedUnit } from '../../base/text.ts'
import { below, type DataError } from './error.ts'
import { decodeUtf8, errorAt, type Source } from './source.ts'

/** Converts a place that `visit` counts from 0, in UTF-16 code units, with lines that end in LF, CRLF or CR. */
const positionOf = (line: number, character: number) => ({ line: line + 1, column: character + 1 })

type Position = ReturnType<typeof positionOf>

/**
 * Returns errors of a source with their lines and columns, in the same order; the records of a program have none.
 * @param end where the last of them ends at the latest, in bytes
 */
export function locate<Located extends DataError> (
  source: Source, errors: readonly Located[], end?: number
): readonly Located[] {
  if (source.file === '') return errors.map(error => ({ ...error, line: null, column: null }))
  const areLocated = errors.every(({ line }) => line !== null)
  if (areLocated || source.start === '') return errors
  const text = end === undefined ? source.text : decodeUtf8(source.bytes(), end)
  const positions = errorPositions(text, errors)
  return errors.map(error => {
    const position = positions.get(nodeOf(error))
    return { ...error, ...position }
  })
}

/** Returns the value at which an error is, or the name of an unknown property. */
function nodeOf ({ rule, pointer }: DataError): string {
  return rule === 'additionalProperties' ? `name ${pointer}` : pointer
}

/** Returns the positions of errors; some thousand levels down, and beyond the longest string, they have none. */
function errorPositions (text: string, errors: readonly DataError[]): ReadonlyMap<string, Position> {
  const positions = new Map<string, Position>()
  const nodes = new Set(errors.map(nodeOf))
  /** The pointers of all values that contain an error: '' and /a for /a/b. */
  const enclosing = new Set<string>()
  for (let { pointer } of errors) {
    while (pointer !== '') {
      pointer = pointer.slice(0, pointer.lastIndexOf('/'))
      enclosing.add(pointer)
    }
  }
  const add = (node: string, line: number, character: number) => {
    if (nodes.has(node)) positions.set(node, positionOf(line, character))
  }
  const begin: JSONVisitor['onObjectBegin'] = (_, _length, line, character, path) => {
    const pointer = below('', ...path())
    add(pointer, line, character)
    return enclosing.has(pointer) // false skips the content of the value
  }
  attempt(() => visit(text, {
    onObjectBegin: begin,
    onArrayBegin: begin,
    onObjectProperty (name, _, _length, line, character, path) {
      add(`name ${below('', ...path(), name)}`, line, character)
    },
    onLiteralValue (_, ...token) { begin(...token) },
    onObjectEnd () {}, // visit resumes its calls only in these
    onArrayEnd () {}
  }))
  return positions
}

/** Returns the errors of a source in the order of its text. */
export function locatedErrors (source: Source): readonly DataError[] {
  return locate(source, source.errors).toSorted((one, other) => {
    return Number(one.line) - Number(other.line) || Number(one.column) - Number(other.column)
  })
}

/** The expected syntax by the error codes of jsonc-parser. */
const expectedSyntax: Readonly<Record<string, string>> = {
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

/** Returns the first syntax error of a JSON text, or that it is nested too deeply; none if JSON.parse accepts it. */
export function syntaxErrors (source: Source): DataError[] {
  const { text } = source
  const place = { source, pointer: '' }
  const errors: DataError[] = []
  const { error: tooDeep } = attempt(() => visit(text, {
    onError (code, offset, _, line, character) {
      const expected = expectedSyntax[printParseErrorCode(code)]
      const error = errorAt(place, 'syntax', `expected ${expected}, got ${lexeme(text, offset)}`)
      errors.push({ ...error, ...positionOf(line, character) })
    }
  }, { disallowComments: true }))
  return tooDeep === undefined ? errors.slice(0, 1) : [errorAt(place, 'syntax', 'is nested too deeply')]
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
      const pointer = below('', ...path(), name)
      const error = errorAt({ source, pointer }, 'repeated', 'must occur only once in its object')
      errors.push({ ...error, ...positionOf(line, character) })
    }
  })
  return errors
}

function lexeme (text: string, offset: number): string {
  if (offset === text.length) return 'the end of the file'
  const character = String.fromCodePoint(Number(text.codePointAt(offset)))
  const isInvisible = /[\p{Z}\p{C}]/u.test(character)
  if (isInvisible) return escapedUnit(text.charAt(offset))
  const stringOrWord = /^(?:"[^"\n\r]{0,40}"?|[\w.+-]{1,40})/
  const [found] = stringOrWord.exec(text.slice(offset, offset + 50)) ?? []
  return found ?? JSON.stringify(character).slice(1, -1)
}
