import { html } from 'ghtml'

/** The most characters of JSON in a browsable page: of several records, and of one. */
const listCharacters = 6000
const recordCharacters = 100_000

/** The JSON of `total` records, read as far as shown, and what a page has before them. */
type ListBody = { texts: Iterable<string>, total: number, envelope: object | undefined }

/** Returns the JSON of a list or page: its first records, as many as fit but at least one, which is cut if too long. */
export function listJson ({ texts, total, envelope }: ListBody, address: string): string {
  const frame = JSON.stringify(envelope === undefined ? [] : { ...envelope, results: [] }, null, 2)
  if (total === 0) return jsonPanel(frame, address)

  const most = total === 1 ? recordCharacters : listCharacters
  const shown: string[] = []
  let characters = 0
  for (const text of texts) {
    characters += text.length
    if (shown.length > 0 && characters > most) break
    shown.push(cutAtLine(text, most))
  }
  const rest = total - shown.length
  if (rest > 0) shown.push(`… ${rest} more`)

  const indent = envelope === undefined ? '' : '  '
  const lines = `\n${shown.join(',\n')}`.replaceAll('\n', `\n${indent}  `)
  const json = frame.replace(/\[\](?=\n?\}?$)/, () => `[${lines}\n${indent}]`)
  return jsonPanel(json, address, rest > 0 || characters > most)
}

/** Returns JSON in colours; a script adds a button that copies it. A part has the `address` of the whole instead. */
export function jsonPanel (json: string, address: string, hasMore = false): string {
  const isPart = hasMore || json.length > recordCharacters
  const shown = walkJson(cutAtLine(json, recordCharacters))
  const link = html`<p>A part of it. <a href="${address}">Open the whole response</a></p>`
  return html`<div class="titled">
<div class="over">!${isPart ? link : ''}</div>
<div class="json"><pre tabindex="0"!${isPart ? '' : ' data-copy="the JSON"'}>!${shown}</pre></div>
</div>
`
}

/** Cuts a text after the last line that fits, or within its only line. */
function cutAtLine (text: string, most: number): string {
  if (text.length <= most) return text
  const line = text.lastIndexOf('\n', most)
  return `${text.slice(0, line < 0 ? most : line)}\n  …\n}`
}

/** Strings, as names with their colons; numbers and words; arrays and objects without parts; other text. */
const token =
  /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|(-?\d[\d.eE+-]*|\b(?:true|false|null)\b)|(\[\s*\]|{\s*})|[^"\w[\]{},-]+|[^]/g

/** A place in a list, or the name of a property as it is written in JSON. */
export type JsonStep = number | string

/**
 * Converts JSON, also a part of it, to HTML: strings in `i`, numbers and words in `var`; URLs are links. Calls a
 * function for each value without parts, with the steps that lead to it, and its text.
 */
export function walkJson (json: string, onLeaf?: (steps: readonly JsonStep[], text: string) => void): string {
  const steps: JsonStep[] = []
  let coloured = ''
  for (const [text, string, colon, word, empty] of json.matchAll(token)) {
    const last = steps.length - 1
    const step = steps[last]
    if (string !== undefined && colon !== undefined) steps[last] = string
    else if (string ?? word ?? empty) onLeaf?.(steps, text)
    else if (text === '[') steps.push(0)
    else if (text === '{') steps.push('')
    else if (text === ']' || text === '}') steps.pop()
    else if (text === ',' && typeof step === 'number') steps[last] = step + 1

    if (word !== undefined) coloured += `<var>${text}</var>`
    else if (string === undefined || colon !== undefined) coloured += escapeText(text)
    else if (/^"https?:\/\/[^\s"\\]+"$/.test(text)) {
      const address = text.slice(1, -1)
      coloured += html`"<a href="${address}">${address}</a>"`
    } else coloured += `<i>${escapeText(text)}</i>`
  }
  return coloured
}

/** Escapes text outside of attributes, where quotes may stay: JSON has many. */
export const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
