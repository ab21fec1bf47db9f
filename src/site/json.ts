import { html } from 'ghtml'

/** The most characters of JSON in a browsable page: of a list, and of a single record. */
const [listCharacters, recordCharacters] = [9000, 100_000]

/** The JSON of `total` records, read as far as shown, and what a page has before them. */
type ListBody = { texts: Iterable<string>, total: number, envelope: object | undefined }

/** Returns the JSON of a list or page: its first records, at least one. */
export function listJson ({ texts, total, envelope }: ListBody, address: string): string {
  if (total === 0) return jsonSection('JSON', JSON.stringify(envelope ?? [], null, 2))
  const shown: string[] = []
  let characters = 0
  for (const text of texts) {
    characters += text.length
    if (shown.length > 0 && characters > listCharacters) break
    shown.push(cut(text, listCharacters))
  }
  const rest = total - shown.length
  const all = [...shown, ...rest > 0 ? [`… ${rest} more`] : []].join(',\n')
  const frame = JSON.stringify({ ...envelope, results: [] }, null, 2)
  const [head, foot, indent] = envelope === undefined ? ['[', ']', '\n  '] : [frame.slice(0, -3), '  ]\n}', '\n    ']
  const isCut = rest > 0 || characters > listCharacters
  return jsonSection('JSON', `${head}${`\n${all}`.replaceAll('\n', indent)}\n${foot}`, isCut ? address : undefined)
}

/** Returns a section with JSON and a heading (HTML); a script adds a button that copies it. A part has the `address` of the whole. */
export function jsonSection (heading: string, json: string, address?: string): string {
  const whole = address === undefined ? '' : html`<a href="${address}">Open the whole response</a>`
  const copy = address === undefined && json.length <= recordCharacters ? ' data-copy="the JSON"' : ''
  return html`<section id="json" class="titled">
<div class="over"><h2>!${heading}</h2>!${whole}</div>
<div class="json"><pre tabindex="0"!${copy}>!${highlight(cut(json, recordCharacters))}</pre></div>
</section>
`
}

/** Cuts a text after the last line that fits. */
const cut = (text: string, most: number) => text.length > most ? `${text.slice(0, text.lastIndexOf('\n', most))}\n  …\n}` : text

/** Matches a name with its colon, a string, a number or a word in JSON. */
const token = /("[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/

/** Converts JSON to HTML: strings in `i`, numbers and words in `var`; URLs are links. */
export function highlight (json: string): string {
  return json.split(token).map((text, index) => index % 2 === 0 ? escape(text) : coloured(text)).join('')
}

function coloured (token: string): string {
  if (!token.startsWith('"')) return `<var>${token}</var>`
  if (token.endsWith(':')) return escape(token)
  const [, address] = /^"(https?:\/\/[^\s"\\]+)"$/.exec(token) ?? []
  return address === undefined ? `<i>${escape(token)}</i>` : html`"<a href="${address}">${address}</a>"`
}

/** Escapes text outside of attributes, where quotes may stay: JSON has many. */
const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
