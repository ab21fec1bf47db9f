import { styleText } from 'node:util'

/** Control and formatting characters (C0, C1, bidirectional) and line separators. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Escapes characters that would break a line or reach the terminal as commands. */
export function printable (text: string): string {
  return text.replace(unprintable, sign => escapes[sign] ?? `\\u{${sign.codePointAt(0)?.toString(16)}}`)
}

/** Escapes the same characters, except line feeds, within a JSON text, which keeps its value. */
export function printableJson (json: string): string {
  const units = (sign: string) => sign.split('').map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
  return json.replace(unprintable, sign => sign === '\n' ? sign : units(sign))
}

export const short = (text: string, length = 120) => text.length > length ? `${text.slice(0, length - 1)}…` : text

export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string

export const painter = (coloured: boolean): Paint => (style, text) => coloured ? styleText(style, text, { validateStream: false }) : text

// Python's white space is not JavaScript's: it has U+0085, and not U+FEFF.
const blanks = '(?:(?!\\ufeff)[\\s\\x85])*'
const integer = new RegExp(`^${blanks}([+-]?\\p{Nd}+(?:_\\p{Nd}+)*)${blanks}$`, 'u')

const isBlank = (character = '') =>
  (/[\s\x85]/.test(character) && character !== '\ufeff') || (character >= '\x1c' && character <= '\x1f')

/** Removes white space at both ends as Python's `str.strip()` does: U+001C to U+001F, too. */
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

/** Parses a whole number as Python's `int()` does: white space around it, a sign, single underscores, digits of any script. */
export function readInteger (text: string): number | undefined {
  const [, number] = integer.exec(text) ?? []
  return number === undefined ? undefined : Number(number.replaceAll('_', '').replace(/(?![0-9])\p{Nd}/gu, digit))
}
