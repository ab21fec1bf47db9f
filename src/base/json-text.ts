import { isPlainObject } from './json.ts'

/** Serialises a value as DRF's JSONRenderer does: it escapes U+2028 and U+2029, so that JSON is valid JavaScript. */
export function toJson (value: unknown, indent = 0): string {
  return escapeLines(JSON.stringify(value, null, indent))
}

export const escapeLines = (json: string) => json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')

/** Matches the strings, the punctuation, and the numbers and other words of JSON. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},:]|[^\s"[\]{},:]+/g

/** Indents JSON as JSON.stringify does; numbers and strings are copied, so that their digits and escapes stay. */
export function indentJson (text: string, indent: number): string {
  let result = ''
  let line = '\n'
  let last = ''
  for (const [token] of text.matchAll(tokens)) {
    const isClosing = token === '}' || token === ']'
    const isFirst = last === '{' || last === '['
    if (isClosing) line = line.slice(0, -indent)
    if (isClosing ? !isFirst : isFirst || last === ',') result += line
    if (token === '{' || token === '[') line += ' '.repeat(indent)
    result += token === ':' ? ': ' : token
    last = token
  }
  return result
}

/** Parses JSON with its numbers as they are written, in strings that begin with NUL. Objects have no prototype. */
export function readExactly (text: string): unknown {
  const exact = text.replace(tokens, token => /^[-\d]/.test(token) ? `"\\u0000${token}"` : token)
  return JSON.parse(exact, (_name, value: unknown): unknown => {
    return isPlainObject(value) ? Object.assign(Object.create(null), value) : value
  })
}

/** Writes a value of `readExactly`, with its numbers as they were written. */
export function writeExactly (value: unknown, indent?: number): string {
  return String(JSON.stringify(value, null, indent)).replace(/"\\u0000([-+.\dEe]+)"/g, '$1')
}
