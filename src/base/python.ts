// Python's white space differs from JavaScript's: it includes U+0085 and excludes U+FEFF.
// `str.strip()` also removes U+001C to U+001F.
const blank = '\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'
const stripped = `[${blank}\\x1c-\\x1f]`
const ends = new RegExp(`^${stripped}+|(?<!${stripped})${stripped}+$`, 'g')
const integer = new RegExp(`^[${blank}]*([+-]?\\p{Nd}+(?:_\\p{Nd}+)*)[${blank}]*$`, 'u')

/** Removes white space at both ends as Python's `str.strip()` does. */
export const strip = (text: string) => text.replace(ends, '')

/** Returns the value of a decimal digit of any script; the ten digits of a script are consecutive in Unicode. */
function digit (character: string): string {
  const code = character.codePointAt(0) as number
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String((code - zero) % 10)
}

/** Parses an integer as Python's `int()` does: with white space around it, single underscores, digits of any script. */
export function readInteger (text: string): number | undefined {
  const [, number] = integer.exec(text) ?? []
  if (number === undefined) return undefined
  const digits = number.replaceAll('_', '').replace(/(?![0-9])\p{Nd}/gu, digit)
  return Number(digits)
}
