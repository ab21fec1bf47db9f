import { stripVTControlCharacters } from 'node:util'

const lengthOf = (text: string) => stripVTControlCharacters(text).length

/** Returns the width of text in a terminal of so many columns, which are 0 when the terminal does not know them. */
export const textWidth = (columns: number, most = 100) => Math.min(columns || 80, most)

/** Wraps words, which may be coloured, into lines of at most so many columns; a longer word has its own line. */
export function wrap (words: readonly string[], columns: number): string[] {
  const lines = ['']
  for (const word of words) {
    const line = lines.at(-1) ? `${lines.at(-1)} ${word}` : word
    if (lengthOf(line) <= columns) lines[lines.length - 1] = line
    else lines.push(word)
  }
  return lines
}

/** Puts words next to their label, or below one that takes more than half of the columns, and wraps them there. */
export function hang (label: string, words: readonly string[], columns: number): string[] {
  const indent = lengthOf(label)
  if (indent > columns / 2) return [label.trimEnd(), ...wrap(words, columns - 6).map(line => `      ${line}`)]
  return wrap(words, columns - indent).map((line, index) => (index === 0 ? label : ' '.repeat(indent)) + line)
}

/** Wraps a command between its words, quoted ones and flags with a value as a whole, so that it still runs as printed. */
export function wrapCommand (command: string, columns: number): string[] {
  const words = [...command.matchAll(/(?:(?:-H|--cacert) )?(?:'[^']*'|"[^"]*"|[^ '"])+/g)].map(([word]) => word)
  return wrap(words, columns - 4).map((line, index, { length }) => (index > 0 ? '  ' : '') + line + (index < length - 1 ? ' \\' : ''))
}

/** Quotes a text for a POSIX shell. */
export const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Returns a path as a word of a command, quoted where it has to be. */
export function pathWord (path: string): string {
  if (path === '') return '.'
  return /^[\w./@:+,=-]+$/.test(path) ? path : quoted(path)
}
