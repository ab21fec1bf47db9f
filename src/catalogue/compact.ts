/** What stands between the items of a list that have been seen, and where in it the comma is and which blanks follow that. */
export type Separator = { readonly bytes: Buffer, readonly comma: number, readonly blanks: string }

/** What tells the end of an item: its last two bytes, a comma, blanks, and the name that the next one begins with. */
const separatorForm = /^[^]\},(\s*)\{"\w+"/

/** What stands around a comma between two objects; undefined where it is of another form, or not there as a whole. */
export function separatorAt (bytes: Buffer, comma: number): Separator | undefined {
  const [text, blanks = ''] = separatorForm.exec(bytes.toString('latin1', comma - 2, comma + 100)) ?? []
  return text === undefined ? undefined : { bytes: Buffer.from(text, 'latin1'), comma: 2, blanks }
}

/**
 * Whether a text is nothing but an array of these values as JSON.stringify writes it, with these blanks before each: then no name has
 * stood twice. What only looks otherwise, such as half a surrogate pair, is false too.
 *
 * Texts are compared by their lengths, because to write the values takes ten times as long.
 */
export function isCompact (text: string, values: readonly unknown[], blanks: string): boolean {
  let saved = 0 // by numbers that may be written shorter, as 1e3 for 1000
  let length = values.length * (blanks.length + 1) + 1

  function lengthOf (value: unknown): number {
    if (typeof value === 'string') return value.length + 2
    if (typeof value === 'number') return lengthOfNumber(value)
    if (typeof value === 'boolean') return value ? 4 : 5
    if (value === null) return 4
    let length = 1
    if (Array.isArray(value)) {
      for (const item of value) length += lengthOf(item) + 1
    } else {
      for (const name in value as object) length += name.length + 4 + lengthOf((value as Record<string, unknown>)[name])
    }
    return Math.max(length, 2)
  }

  function lengthOfNumber (value: number): number {
    if (value > 0 && Number.isSafeInteger(value) && value % 1000 !== 0) return digitsOf(value)
    if (value === 0) return 1
    const text = String(value)
    if (!Number.isSafeInteger(value)) saved += text.length
    else if (value % 1000 === 0) saved += text.length - text.search(/0*$/) - 2
    return text.length
  }

  for (const value of values) length += lengthOf(value)
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', at)) {
    const isCode = text[at + 1] === 'u'
    if (isCode && /d/i.test(text.charAt(at + 2))) return false // may be half a surrogate pair
    length += isCode ? 5 : 1
    at += isCode ? 6 : 2
  }
  return text.length === length && saved < shortestRepeated && (blanks === '' || countSetOff(text, blanks) >= values.length)
}

/**
 * How many objects stand behind these blanks, where one without them would make up for a name that stands twice. Nothing within a string
 * looks so, because a quote ends it.
 */
function countSetOff (text: string, blanks: string): number {
  const start = `${blanks}{"`
  let count = 0
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) {
    if (/\w/.test(text.charAt(at + start.length))) count++
  }
  return count
}

/** How many digits an integer above 0 has, without a text of them. */
function digitsOf (integer: number): number {
  let digits = 1
  for (let bound = 10; bound <= integer; bound *= 10) digits++
  return digits
}

/** The length of the shortest `"":0,` that a name standing twice adds. */
const shortestRepeated = 5

/** Whether a text in a value has half a surrogate pair, or a backslash that looks like one. */
export const hasHalfPair = (value: unknown) => JSON.stringify(value).includes('\\ud')

/** How many names the objects of a value have in all; a name that stood twice in the text counts once. */
export function countNames (value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) count += countNames(item)
  } else {
    for (const name in value) count += 1 + countNames((value as Record<string, unknown>)[name])
  }
  return count
}
