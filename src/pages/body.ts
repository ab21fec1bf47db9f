import { html } from 'ghtml'

/** The most characters of JSON that a page shows of a list, and of each of several records. */
const [shownCharacters, recordCharacters] = [9000, 6000]

type ListBody = {
  /** The JSON of its records, in order; only those that are shown are serialised. */
  texts: Iterable<string>
  /** The number of records. */
  total: number
  /** The fields before the records of a page. */
  envelope: object | undefined
  /** The URL of the full JSON; undefined if a browser cannot request it. */
  address: string | undefined
}

/** Returns the JSON of a single object. */
export function objectBody (content: object): string {
  return section(html`<pre>!${highlight(JSON.stringify(content, null, 2))}</pre>`)
}

/** Returns the JSON of a list or page: the first record expanded, the next ones folded, and a link to the rest. */
export function listBody ({ texts, total, envelope, address }: ListBody): string {
  const shown = total === 1 ? [...texts] : firstOf(texts)
  const envelopeOnly = JSON.stringify({ ...envelope, results: [] }, null, 2)
  const [head, foot] = envelope === undefined ? ['[', ']'] : [envelopeOnly.slice(0, -3), '  ]\n}']
  return section(html`
<pre>!${highlight(head)}</pre>
!${shown.map((text, index) => folded(text, index === 0))}
!${shown.length === total ? '' : more(total - shown.length, address)}
<pre>${foot}</pre>
`)
}

function section (content: string): string {
  return html`<section id="json">
<h2>JSON</h2>
<div class="json">!${content}</div>
</section>
`
}

/** Returns the first records up to the most characters, at least one, each truncated after the last line that fits. */
function firstOf (texts: Iterable<string>): string[] {
  const shown: string[] = []
  let characters = 0
  for (const text of texts) {
    const own = text.length <= recordCharacters ? text : `${text.slice(0, text.lastIndexOf('\n', recordCharacters))}\n  …`
    characters += own.length
    if (shown.length > 0 && characters > shownCharacters) break
    shown.push(own)
  }
  return shown
}

function more (rest: number, address: string | undefined): string {
  const way = address === undefined ? '' : html`: <a href="${address}">open the whole answer</a>`
  return html`<p class="small">&hellip; and ${rest} more!${way}</p>
`
}

/** The start of a folded record, which identifies it. */
const names = /^ {2}"(?:id|title|brand|brand_name|model|model_name)": .*[^,\n]/gm

function folded (json: string, isOpen: boolean): string {
  const known = [...json.matchAll(names)].map(([line]) => line.trim()).join(', ')
  return html`<details!${isOpen ? ' open' : ''}><summary><code>{ !${highlight(known)} &hellip; }</code></summary>
<pre tabindex="0">!${highlight(json)}</pre></details>
`
}

/** Matches a name with its colon, a string, a number or a word of a JSON text. */
const token = /("(?:[^"\\]|\\.)*"(?:\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/

/** Matches a string that holds an address. */
const addressString = /^"(https?:\/\/[^\s"\\]+)"$/

/** Writes a JSON text as HTML: names in `b`, strings in `i`, numbers and words in `var`; addresses are links unless they are examples. */
export function highlight (json: string, areExamples = false): string {
  return json.split(token).map((text, index) => index % 2 === 0 ? html`${text}` : coloured(text, areExamples)).join('')
}

function coloured (token: string, isExample: boolean): string {
  if (!token.startsWith('"')) return html`<var>${token}</var>`
  const [, name, colon] = /^(.*")(\s*:)$/s.exec(token) ?? []
  if (name !== undefined) return html`<b>${name}</b>${colon}`
  const [, address] = addressString.exec(token) ?? []
  return address === undefined || isExample ? html`<i>${token}</i>` : html`${'"'}<a href="${address}">${address}</a>${'"'}`
}
