import { STATUS_CODES } from 'node:http'
import { html } from 'ghtml'
import { curlLine } from '../client/curl.ts'
import type { SimulationNote } from '../lists/request.ts'

/** A request and its JSON response: the target is without `format` and preferences; `isOpen` expands the headers. */
export type Exchange = {
  method: string, target: string, origin: string, needsToken: boolean, note?: SimulationNote | undefined,
  status: number, headers: Readonly<Record<string, unknown>>, isOpen: boolean
}

/** Headers that every response has. */
const everywhere = /^(?:access-control-|content-security-|referrer-policy|x-content-type|x-frame)/

/** Returns the panel of an exchange: request line, status, headers, and the command that makes the same request. */
export function exchange ({ method, target: plain, origin, status, headers, needsToken, note, isOpen }: Exchange): string {
  const target = withQuery(plain, note?.query ?? '')
  const all = { ...headers, ...note?.headers }
  const shown = Object.entries(all).filter(([name]) => !everywhere.test(name)).sort(([a], [b]) => a < b ? -1 : 1)
  const canOpen = method === 'GET' && !needsToken
  const prefer = note === undefined || note.prefer === '' ? {} : { Prefer: note.prefer }
  return html`<div class="exchange">
<p class="ask"><code><b>${method}</b> ${target}</code>
<span class="buttons"><a class="button slim" href="#json">JSON below</a>
!${canOpen ? html`<a class="button slim" href="${inJson(target)}">Open the JSON</a>` : ''}</span></p>
!${note === undefined ? '' : simulated(note, plain)}<details!${isOpen ? ' open' : ''}>
<summary><span class="status status-${Math.floor(status / 100)}">${status} ${STATUS_CODES[status]}</span>
<span class="muted">${all['cache-control']}</span></summary>
<dl class="headers">!${shown.map(([name, value]) => html`<dt>${fieldName(name)}</dt><dd>${value}</dd>
`)}</dl>
</details>
!${commandLine(curlLine({ method, address: origin + target, token: needsToken || undefined, headers: prefer }))}</div>
`
}

const irregular = new Map([['etag', 'ETag'], ['www', 'WWW'], ['ratelimit', 'RateLimit']])

/** Capitalises the name of a header as in its specification. */
const fieldName = (name: string) =>
  name.split('-').map(word => irregular.get(word) ?? word.charAt(0).toUpperCase() + word.slice(1)).join('-')

function simulated ({ text, next }: SimulationNote, plain: string): string {
  const address = withQuery(ownAddress(plain), 'format=api')
  const content = next === undefined
    ? html`Simulated: <code>${text}</code>. <a href="${address}">Show the plain list</a>`
    : html`${next}. This page and its links show the plain list. <a href="/__simulate">Simulation</a>`
  return html`<p class="simulated">!${content}</p>
`
}

/** Returns a command or another string, to which a script adds a copy button. */
export function commandLine (text: string, name = 'the command'): string {
  return html`<div class="command"><pre data-copy="${name}">${text}</pre></div>
`
}

/** Allows a line break after the version in the path of a list. */
export const breakable = (path: string) => path.replace(/(?<=v\d\/)/, '<wbr>')

/** Returns the URL of the JSON of a target without `format`. */
export const inJson = (target: string) => withQuery(ownAddress(target), 'format=json')

/** Appends parameters, if any, to a target. */
export const withQuery = (target: string, query: string) => query === '' ? target : `${target}${target.includes('?') ? '&' : '?'}${query}`

/** Returns a request target as a link to this server: `//` or `/\` at its start would name another host. */
export const ownAddress = (target: string) => /^\/[/\\\s]/.test(target) ? `/.${target}` : target

/** The most characters of JSON in a browsable page: of a list, of each of several records, and of a single one. */
const [shownCharacters, recordCharacters, singleCharacters] = [9000, 6000, 60_000]

/** The JSON of `total` records at `target`, serialised as far as shown; `onward` returns a link to the rest. */
type ListBody = { target: string, texts: Iterable<string>, total: number, envelope: object | undefined, onward: (shown: number) => string }

export function objectBody (content: object): string {
  return section(html`<pre>!${highlight(JSON.stringify(content, null, 2))}</pre>`, '')
}

/** Returns the JSON of a list or page: the first record expanded, the next ones folded, and a link to the rest. */
export function listBody ({ target, texts, total, envelope, onward }: ListBody): string {
  const source = html` data-json="${target}"`
  if (total === 0) return section(html`<pre>!${highlight(JSON.stringify(envelope ?? [], null, 2))}</pre>`, source)
  const { shown, isCut } = shortened(texts, total === 1 ? singleCharacters : recordCharacters)
  const envelopeOnly = JSON.stringify({ ...envelope, results: [] }, null, 2)
  const [head, foot, depth] = envelope === undefined ? ['[', ']', 1] : [envelopeOnly.slice(0, -3), '  ]\n}', 2]
  const rest = total - shown.length
  return section(html`
<pre>!${highlight(head)}</pre>
<div class="depth-${depth}">!${shown.map((text, index) => folded(text, index === 0, index < total - 1 ? ',' : ''))}</div>
!${rest > 0 || isCut ? html`<p class="small">&hellip; !${rest > 0 ? `and ${rest} more: ` : ''}!${onward(shown.length)}</p>` : ''}
<pre>${foot}</pre>
`, source)
}

/** Returns the section. Its copy button copies the response to `data-json`, or else the visible text. */
function section (content: string, source: string): string {
  return html`<section id="json">
<h2>JSON</h2>
<div><div class="json" data-copy="the JSON"!${source}>!${content}</div></div>
</section>
`
}

/** Returns the first records that fit, at least one, each cut after the last line that fits. */
function shortened (texts: Iterable<string>, mostOfRecord: number) {
  const shown: string[] = []
  let [characters, isCut] = [0, false]
  for (const text of texts) {
    const isLong = text.length > mostOfRecord
    const own = isLong ? `${text.slice(0, text.lastIndexOf('\n', mostOfRecord))}\n  …\n}` : text
    characters += own.length
    if (shown.length > 0 && characters > shownCharacters) break
    isCut ||= isLong
    shown.push(own)
  }
  return { shown, isCut }
}

/** The beginning of a folded record, which identifies it. */
const names = /^ {2}"(?:id|title|brand|brand_name|model|model_name)": .*[^,\n]/gm

function folded (json: string, isOpen: boolean, comma: string): string {
  const known = [...json.matchAll(names)].map(([line]) => line.trim()).join(', ').slice(0, 200)
  return html`<details!${isOpen ? ' open' : ''}><summary><code>!${highlight(known)}</code></summary>
<pre tabindex="0">!${highlight(json + comma)}</pre></details>
`
}

/** Matches a name with its colon, a string, a number or a word in JSON. */
const token = /("[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/

/** Converts JSON to HTML: names in `b`, strings in `i`, numbers and words in `var`; URLs are links unless they are examples. */
export function highlight (json: string, areExamples = false): string {
  return json.split(token).map((text, index) => index % 2 === 0 ? html`${text}` : coloured(text, areExamples)).join('')
}

function coloured (token: string, isExample: boolean): string {
  if (!token.startsWith('"')) return html`<var>${token}</var>`
  const [, name, colon] = /^(.*")(\s*:)$/s.exec(token) ?? []
  if (name !== undefined) return html`<b>${name}</b>${colon}`
  const [, address] = /^"(https?:\/\/[^\s"\\]+)"$/.exec(token) ?? []
  return address === undefined || isExample ? html`<i>${token}</i>` : html`${'"'}<a href="${address}">${address}</a>${'"'}`
}
