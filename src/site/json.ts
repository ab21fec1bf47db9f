import { html } from 'ghtml'

/** The most characters of JSON in a browsable page: of several records, and of one. */
const listCharacters = 6000
const recordCharacters = 100_000

/** The JSON of `total` records, read as far as shown, and what a page has before them. */
type ListBody = { texts: Iterable<string>, total: number, envelope: object | undefined }

/** Returns the JSON of a list or page: its first records, at least one. */
export function listJson ({ texts, total, envelope }: ListBody, address: string): string {
  if (total === 0) return jsonPanel(emptyFrame(envelope))
  const most = total === 1 ? recordCharacters : listCharacters
  const { shown, isCut } = firstOf(texts, most)
  const rest = total - shown.length
  if (rest > 0) shown.push(`… ${rest} more`)
  const json = framed(shown.join(',\n'), envelope)
  const isWhole = !isCut && rest === 0
  return jsonPanel(json, isWhole ? undefined : address)
}

/** Returns an array without records, in the envelope of a page if there is one. */
function emptyFrame (envelope: object | undefined): string {
  return envelope === undefined ? '[]' : JSON.stringify({ ...envelope, results: [] }, null, 2)
}

/** Returns the first texts, as many as fit but at least one, which is cut if it is too long. */
function firstOf (texts: Iterable<string>, most: number): { shown: string[], isCut: boolean } {
  const shown: string[] = []
  let characters = 0
  for (const text of texts) {
    characters += text.length
    if (shown.length > 0 && characters > most) break
    shown.push(cutAtLine(text, most))
  }
  return { shown, isCut: characters > most }
}

/** Puts an array around records, or the envelope of a page. */
function framed (records: string, envelope: object | undefined): string {
  const indented = (spaces: string) => `\n${records}`.replaceAll('\n', `\n${spaces}`)
  if (envelope === undefined) return `[${indented('  ')}\n]`
  const frame = emptyFrame(envelope)
  return `${frame.slice(0, -'[]\n}'.length)}[${indented('    ')}\n  ]\n}`
}

/** Returns JSON in colours; a script adds a button that copies it. A part has the `address` of the whole instead. */
export function jsonPanel (json: string, address?: string): string {
  const isWhole = address === undefined && json.length <= recordCharacters
  const shown = highlight(cutAtLine(json, recordCharacters))
  const link = html`<p>A part of it. <a href="${address}">Open the whole response</a></p>`
  return html`<div class="titled">
<div class="over">!${address === undefined ? '' : link}</div>
<div class="json"><pre tabindex="0"!${isWhole ? ' data-copy="the JSON"' : ''}>!${shown}</pre></div>
</div>
`
}

/** Cuts a text after the last line that fits. */
function cutAtLine (text: string, most: number): string {
  return text.length > most ? `${text.slice(0, text.lastIndexOf('\n', most))}\n  …\n}` : text
}

/** Matches a name with its colon, a string, a number or a word in JSON. */
const token = /("[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/

/** Converts JSON to HTML: strings in `i`, numbers and words in `var`; URLs are links. */
export function highlight (json: string): string {
  const pieces = json.split(token) // texts between tokens and tokens alternate
  return pieces.map((text, index) => index % 2 === 0 ? escapeText(text) : coloured(text)).join('')
}

function coloured (token: string): string {
  if (!token.startsWith('"')) return `<var>${token}</var>`
  if (token.endsWith(':')) return escapeText(token)
  const text = token.slice(1, -1)
  if (/^https?:\/\/[^\s"\\]+$/.test(text)) return html`"<a href="${text}">${text}</a>"`
  return `<i>${escapeText(token)}</i>`
}

/** Escapes text outside of attributes, where quotes may stay: JSON has many. */
export const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
