import util from 'node:util' // Node 18 has no styleText, and would refuse its import before src/engine.ts says why

/** Control and formatting characters (C0, C1, bidirectional) and line separators. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Escapes characters that would break a line or control the terminal. */
export function printable (text: string): string {
  return text.replace(unprintable, sign => {
    const code = Number(sign.codePointAt(0))
    return shortEscapes[sign] ?? `\\u{${code.toString(16)}}`
  })
}

/** Escapes the same characters, except line feeds, in JSON; its value stays the same. */
export function printableJson (json: string): string {
  return json.replace(unprintable, sign => {
    return sign === '\n' ? sign : sign.split('').map(escapedUnit).join('')
  })
}

/** Writes a UTF-16 code unit as an escape of JSON. */
export function escapedUnit (unit: string): string {
  const digits = unit.charCodeAt(0).toString(16).padStart(4, '0')
  return `\\u${digits}`
}

export const short = (text: string, length = 120) => text.length > length ? `${text.slice(0, length - 1)}…` : text

/** Shortens two texts that differ; long ones begin shortly before their difference. */
export function shortPair (one: string, other: string): [one: string, other: string] {
  let same = 0
  while (same < one.length && one[same] === other[same]) same++
  if (same < 60) return [short(one), short(other)]
  return [short(`…${one.slice(same - 20)}`), short(`…${other.slice(same - 20)}`)]
}

export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** A stream, or a part of one for tests. */
export type Output = { write: (text: string) => unknown, isTTY?: boolean, hasColors?: () => boolean }

export type Paint = (style: Parameters<typeof util.styleText>[0], text: string) => string

export function painter (coloured: boolean): Paint {
  return (style, text) => coloured && text !== '' ? util.styleText(style, text, { validateStream: false }) : text
}

/** Returns a workflow command of GitHub Actions, escaped as @actions/core does; lines of the message are printable. */
export function annotation (
  level: 'error' | 'warning' | 'notice', properties: object, message: string
): string {
  const list: string[] = []
  for (const [key, value] of Object.entries(properties)) {
    const text = annotationText(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')
    list.push(`${key}=${text}`)
  }
  const command = list.length === 0 ? level : `${level} ${list.join()}`
  return `::${command}::${annotationText(message)}`
}

function annotationText (text: string): string {
  const lines = text.replaceAll('%', '%25').split('\n')
  return lines.map(printable).join('%0A')
}

const replacement = '\ufffd'

/** Returns the index of the first byte that is not UTF-8, which decoding replaces; the length if there is none. */
export function invalidByteAt (bytes: Buffer): number {
  let at = 0
  for (const text of bytes.toString().split(replacement)) {
    at += Buffer.byteLength(text)
    if (!bytes.subarray(at, at + 3).equals(Buffer.from(replacement))) break
    at += 3 // the bytes have this one too
  }
  return at
}

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
  const indent = ' '.repeat(label.length)
  const [first = '', ...others] = wrap(words, columns - label.length)
  const indented = others.map(line => indent + line)
  return [label + first, ...indented]
}

/** Quotes a string for a POSIX shell. */
export const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Returns a path as a word of a command, quoted if necessary. */
export function pathWord (path: string): string {
  if (path === '') return '.'
  return /^[\w./@:+,-][\w./@:+,=-]*$/.test(path) ? path : quoted(path)
}
