import { createScanner } from 'jsonc-parser'

/** Serialises a value as DRF's JSONRenderer does: it escapes U+2028 and U+2029, so that JSON is valid JavaScript. */
export function toJson (value: unknown, indent = 0): string {
  return escapeLines(JSON.stringify(value, null, indent))
}

export const escapeLines = (json: string) => json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')

/** Indents JSON as JSON.stringify does; numbers and strings are copied, so that their digits and escapes stay. */
export function indentJson (text: string, indent: number): string {
  const scanner = createScanner(text, true)
  const next = () => {
    scanner.scan()
    const start = scanner.getTokenOffset()
    return text.slice(start, start + scanner.getTokenLength())
  }
  let result = ''
  let line = '\n'
  let last = ''
  for (let token = next(); token !== ''; last = token, token = next()) {
    const isClosing = token === '}' || token === ']'
    const isFirst = last === '{' || last === '['
    if (isClosing) line = line.slice(0, -indent)
    if (isClosing ? !isFirst : isFirst || last === ',') result += line
    if (token === '{' || token === '[') line += ' '.repeat(indent)
    result += token === ':' ? ': ' : token
  }
  return result
}
