/** Wraps words into lines; a word that is too long has its own line. */
export function wrap (words: readonly string[], columns: number): string[] {
  const lines = ['']
  for (const word of words) {
    const line = lines.at(-1) ? `${lines.at(-1)} ${word}` : word
    if (line.length <= columns) lines[lines.length - 1] = line
    else lines.push(word)
  }
  return lines
}

/** Wraps words next to their label. */
export function hang (label: string, words: readonly string[], columns: number): string[] {
  return wrap(words, columns - label.length).map((line, index) => (index === 0 ? label : ' '.repeat(label.length)) + line)
}

/** Quotes a string for a POSIX shell. */
export const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Returns a path as a word of a command, quoted if necessary. */
export function pathWord (path: string): string {
  if (path === '') return '.'
  return /^[\w./@:+,-][\w./@:+,=-]*$/.test(path) ? path : quoted(path)
}
