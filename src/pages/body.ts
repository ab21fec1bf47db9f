import { html } from 'ghtml'
import { highlight } from './json.ts'

/** Bounds what a page shows of the records of a long answer, in characters of their JSON. */
const shownCharacters = 9000

/** Bounds what it shows of one record among others. */
const recordCharacters = 6000

/** The body of an answer that is a list, or a page of one. */
export type ListBody = {
  /** The JSON of its records, in order; no more of them is asked for than is shown. */
  texts: Iterable<string>
  /** Records in the answer, which may be more than those given. */
  total: number
  /** What stands before the records of a page. */
  envelope: Readonly<Record<string, unknown>> | undefined
  /** Where the answer can be read in full, or undefined where a browser can't ask for it. */
  address: string | undefined
}

/** Gives the JSON of a document. */
export function documentBody (content: object): string {
  return html`<section id="json">
<h2>JSON</h2>
<div class="json"><pre>!${highlight(JSON.stringify(content, null, 2))}</pre></div>
</section>
`
}

/** Gives the JSON of a list: the first record open, the next ones folded, and where the rest can be read. */
export function listBody ({ texts, total, envelope, address }: ListBody): string {
  const shown = shownOf(texts, total === 1 ? Infinity : recordCharacters)
  const rest = total - shown.length
  const head = envelope === undefined ? '[' : `${JSON.stringify({ ...envelope, results: [] }, null, 2).slice(0, -3)}`
  return html`<section id="json">
<h2>JSON</h2>
<div class="json">
<pre>!${highlight(head)}</pre>
!${shown.map((text, index) => folded(text, index === 0))}!${rest === 0 ? '' : more(rest, address)}<pre>${envelope === undefined ? ']' : '  ]\n}'}</pre>
</div>
</section>
`
}

/** Gives the first records, each cut at a length, as many as there is room for; one at least. */
function shownOf (texts: Iterable<string>, length: number): string[] {
  const shown: string[] = []
  let characters = 0
  for (const text of texts) {
    const own = cut(text, length)
    characters += own.length
    if (shown.length > 0 && characters > shownCharacters) break
    shown.push(own)
  }
  return shown
}

function more (rest: number, address: string | undefined): string {
  const way = address === undefined ? '' : html`: <a href="${address}">open the whole answer</a>`
  return html`<p class="small">… and ${rest} more!${way}</p>
`
}

/** Cuts a text that is too long after the last line that fits. */
function cut (text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, text.lastIndexOf('\n', length))}\n  …`
}

/** How a folded record begins, so that one can tell which it is. */
const names = /^ {2}"(?:id|title|brand|brand_name|model|model_name)": .*[^,\n]/gm

function folded (json: string, isOpen: boolean): string {
  const known = [...json.matchAll(names)].map(([line]) => line.trim()).join(', ')
  return html`<details!${isOpen ? ' open' : ''}><summary><code>{ !${highlight(known)} … }</code></summary>
<pre tabindex="0">!${highlight(json)}</pre></details>
`
}
