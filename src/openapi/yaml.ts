/** How many characters a line of a text has at most, and where one goes on in the next line. */
const width = 100
const folds = new RegExp(`(?=.{${width}}.)(.{1,${width}}) `, 'g')

/** What JSON leaves as it is but a file in YAML may not hold, or holds as the end of a line. */
const odd = /(?!\n)[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufeff\ufffe\uffff]/u
const everyOdd = new RegExp(odd, 'gu')

/** What stands for itself without quotes, but for the words that readers of YAML take for something else. */
const plain = /^-?[A-Za-z/$](?:[!-9;-~\xa1-\u024f\u2010-\u2027]|:(?=[^ ])| (?=[^ #]))*$/
const reserved = /^(?:true|false|null|yes|no|on|off|y|n)$/i

/**
 * Writes an object of JSON as YAML 1.2.2 in blocks, as a person would. A library takes 70 to 110 ms for the OpenAPI document, which is more
 * than a request may take.
 */
export function writeYaml (value: object): string {
  const parts: string[] = []
  write(value, '\n')
  return `${parts.join('')}\n`

  /** Writes a value whose lines after the first begin with a line break and what they are indented by. */
  function write (value: unknown, line: string): void {
    if (!isBlock(value)) {
      parts.push(typeof value === 'string' ? text(value, line) : JSON.stringify(value))
      return
    }
    const inner = `${line}  `
    let before = ''
    for (const [name, own] of Object.entries(value)) {
      parts.push(before, Array.isArray(value) ? '- ' : `${word(name)}:${isBlock(own) ? inner : ' '}`)
      write(own, inner)
      before = line
    }
  }
}

/** Tells whether a value takes lines of its own. */
function isBlock (value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

/** A text of several lines as it is, a long one in several lines that YAML folds into one, and others in one line. */
function text (value: string, line: string): string {
  const hasLines = value.includes('\n')
  if ((value.length <= width && !hasLines) || /^\s|\s$| {2}/.test(value) || odd.test(value)) return word(value)
  return hasLines ? `|-\n${value.replace(/^(?=.)/gm, line.slice(1))}` : `>-${line}${value.replace(folds, `$1${line}`)}`
}

function word (value: string): string {
  if (plain.test(value) && !reserved.test(value)) return value
  return JSON.stringify(value).replace(everyOdd, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
