/** Returns a question that suggests the nearest known name; empty when there is none. */
export function suggestion (name: string, known: readonly string[], before: string, after = ''): string {
  const near = nearest(name, known)
  return near === undefined ? '' : `; did you mean ${before}${near}${after}?`
}

/** Returns the known name with nearly the same spelling or the same first words; undefined when there is none. */
export function nearest (name: string, known: readonly string[]): string | undefined {
  const letters = lettersOf(name)
  const isNear = (edits: number) => (other: string) => isWithin(edits, letters, lettersOf(other))
  const hasSameBeginning = (other: string) => other.startsWith(`${name}-`) || name.startsWith(`${other}-`)
  const longNames = known.filter(({ length }) => length > 6)
  return known.find(isNear(1)) ?? known.find(hasSameBeginning) ?? longNames.find(isNear(2))
}

function lettersOf (name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '')
}

/** Returns whether at most so many missing, extra, changed or swapped letters turn one word into the other. */
function isWithin (edits: number, word: string, other: string): boolean {
  if (word === other) return true
  const rest = word.slice(1)
  const otherRest = other.slice(1)
  if (word[0] === other[0]) return isWithin(edits, rest, otherRest)
  const left = edits - 1
  if (left < 0) return false
  if (isWithin(left, rest, other) || isWithin(left, word, otherRest)) return true
  if (isWithin(left, rest, otherRest)) return true
  const isSwapped = word[0] === other[1] && word[1] === other[0]
  return isSwapped && isWithin(left, rest.slice(1), otherRest.slice(1))
}
