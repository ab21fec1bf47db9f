import { stripVTControlCharacters } from 'node:util'

const lengthOf = (text: string) => stripVTControlCharacters(text).length

/** Returns the width of text in a terminal; `columns` is 0 if the terminal doesn't know its own. */
export const textWidth = (columns: number, most = 100) => Math.min(columns || 80, most)

/** Wraps words, which may be coloured, into lines; a word that is too long has its own line. */
export function wrap (words: readonly string[], columns: number): string[] {
  const lines = ['']
  for (const word of words) {
    const line = lines.at(-1) ? `${lines.at(-1)} ${word}` : word
    if (lengthOf(line) <= columns) lines[lines.length - 1] = line
    else lines.push(word)
  }
  return lines
}

/** Wraps words next to their label, or below it if the label takes more than half of the columns. */
export function hang (label: string, words: readonly string[], columns: number): string[] {
  const indent = lengthOf(label)
  if (indent > columns / 2) return [label.trimEnd(), ...wrap(words, columns - 6).map(line => `      ${line}`)]
  return wrap(words, columns - indent).map((line, index) => (index === 0 ? label : ' '.repeat(indent)) + line)
}

/** Wraps a command so that it still runs as printed: never inside quotes, or between a flag and its value. */
export function wrapCommand (command: string, columns: number): string[] {
  const words = [...command.matchAll(/(?:-H )?(?:'[^']*'|"[^"]*"|[^ '"])+/g)].map(([word]) => word)
  return wrap(words, columns - 4).map((line, index, { length }) => (index > 0 ? '  ' : '') + line + (index < length - 1 ? ' \\' : ''))
}

/** Quotes a string for a POSIX shell. */
export const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Returns a path as a word of a command, quoted if necessary. */
export function pathWord (path: string): string {
  if (path === '') return '.'
  return /^[\w./@:+,-][\w./@:+,=-]*$/.test(path) ? path : quoted(path)
}
