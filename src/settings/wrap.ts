/** Sets words in lines of at most so many columns; a longer word has a line of its own. */
export function wrap (words: string[], columns: number): string[] {
  const lines = ['']
  for (const word of words) {
    const line = lines.at(-1) ? `${lines.at(-1)} ${word}` : word
    if (line.length <= columns) lines[lines.length - 1] = line
    else lines.push(word)
  }
  return lines
}
