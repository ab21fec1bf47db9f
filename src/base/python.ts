// Python's white space differs from JavaScript's: it includes U+0085, and excludes U+FEFF.
const blanks = '(?:(?!\\ufeff)[\\s\\x85])*'
const integer = new RegExp(`^${blanks}([+-]?\\p{Nd}+(?:_\\p{Nd}+)*)${blanks}$`, 'u')

const isBlank = (character = '') =>
  (/[\s\x85]/.test(character) && character !== '\ufeff') || (character >= '\x1c' && character <= '\x1f')

/** Removes white space at both ends as Python's `str.strip()` does, including U+001C to U+001F. */
export function strip (text: string): string {
  let [start, end] = [0, text.length]
  while (isBlank(text[start])) start++
  while (end > start && isBlank(text[end - 1])) end--
  return text.slice(start, end)
}

/** Returns the value of a decimal digit of any script; the ten digits of a script are consecutive in Unicode. */
function digit (character: string): string {
  const code = character.codePointAt(0) as number
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String((code - zero) % 10)
}

/** Parses an integer as Python's `int()` does, with surrounding white space, a sign, single underscores and digits of any script. */
export function readInteger (text: string): number | undefined {
  const [, number] = integer.exec(text) ?? []
  return number === undefined ? undefined : Number(number.replaceAll('_', '').replace(/(?![0-9])\p{Nd}/gu, digit))
}
