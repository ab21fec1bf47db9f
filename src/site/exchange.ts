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
  return html`<div class="command"><pre tabindex="0" data-copy="${name}">${text}</pre></div>
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
