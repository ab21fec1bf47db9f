import { html } from 'ghtml'
import { piecesOf, type Piece } from '#assets/json.js'

/** Bounds what a page shows of the records of a long answer, in characters of their JSON. */
const shownCharacters = 9000

/** Bounds what it shows of one record among others. */
const recordCharacters = 6000

/** Bounds what it shows of the link to another page. */
const linkCharacters = 2000

/** The body of an answer that is a list, or a page of one. */
export type ListBody = {
  /** The JSON of its records, in order; no more of them is asked for than is shown. */
  texts: Iterable<string>
  /** How many there are. */
  total: number
  /** What stands before the records of a page. */
  envelope: object | undefined
  /** Where the answer can be read in full, or undefined where a browser can't ask for it. */
  address: string | undefined
}

/** The JSON of an answer that is one object. */
export function objectBody (content: object): string {
  return section(html`<pre>!${highlight(JSON.stringify(content, null, 2))}</pre>`)
}

/** The JSON of a list: the first record open, the next ones folded, and where the rest can be read. */
export function listBody ({ texts, total, envelope, address }: ListBody): string {
  const shown = total === 1 ? [...texts] : firstOf(texts)
  const [head, foot] = envelope === undefined ? ['[', ']'] : [headOf(envelope), '  ]\n}']
  return section(html`
<pre>!${highlight(head)}</pre>
!${shown.map((text, index) => folded(text, index === 0))}
!${shown.length === total ? '' : more(total - shown.length, address)}
<pre>${foot}</pre>
`)
}

/** Writes an envelope up to its results; its links repeat the whole query, which may be long. */
function headOf (envelope: object): string {
  const short = (_: string, value: unknown) => {
    return typeof value === 'string' && value.length > linkCharacters ? `${value.slice(0, linkCharacters)} …` : value
  }
  return JSON.stringify({ ...envelope, results: [] }, short, 2).slice(0, -3)
}

function section (content: string): string {
  return html`<section id="json">
<h2>JSON</h2>
<div class="json">!${content}</div>
</section>
`
}

/** The first records, each cut where it is too long, until there are enough characters; one at least. */
function firstOf (texts: Iterable<string>): string[] {
  const shown: string[] = []
  let characters = 0
  for (const text of texts) {
    const own = cut(text, recordCharacters)
    characters += own.length
    if (shown.length > 0 && characters > shownCharacters) break
    shown.push(own)
  }
  return shown
}

/** Cuts a text that is too long after the last line that fits. */
function cut (text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, text.lastIndexOf('\n', length))}\n  …`
}

function more (rest: number, address: string | undefined): string {
  const way = address === undefined ? '' : html`: <a href="${address}">open the whole answer</a>`
  return html`<p class="small">&hellip; and ${rest} more!${way}</p>
`
}

/** How a folded record begins, so that one can tell which it is. */
const names = /^ {2}"(?:id|title|brand|brand_name|model|model_name)": .*[^,\n]/gm

function folded (json: string, isOpen: boolean): string {
  const known = [...json.matchAll(names)].map(([line]) => line.trim()).join(', ')
  return html`<details!${isOpen ? ' open' : ''}><summary><code>{ !${highlight(known)} &hellip; }</code></summary>
<pre tabindex="0">!${highlight(json)}</pre></details>
`
}

const colours: Readonly<Record<Piece['kind'], (text: string) => string>> = {
  name: text => html`<b>${text}</b>`,
  string: text => html`<i>${text}</i>`,
  word: text => html`<var>${text}</var>`,
  address: text => html`<a href="${text}">${text}</a>`,
  mark: text => html`${text}`
}

/** Writes a JSON text as HTML: names in `b`, strings in `i`, numbers and words in `var`; addresses are links. */
export function highlight (json: string): string {
  let shown = ''
  for (const { kind, text } of piecesOf(json)) shown += colours[kind](text)
  return shown
}
