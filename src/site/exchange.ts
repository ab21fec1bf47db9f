import { STATUS_CODES } from 'node:http'
import { html } from 'ghtml'
import { curlLine } from '../client/curl.ts'

/** A request and its JSON response: the target is without `format`; `isOpen` expands the headers. */
export type Exchange = {
  method: string, target: string, origin: string, needsToken: boolean,
  status: number, headers: Readonly<Record<string, unknown>>, isOpen: boolean
}

/** Headers that every response has. */
const everywhere = /^(?:access-control-|content-security-|referrer-policy|x-content-type|x-frame)/

/** Returns the panel of an exchange: request line, status, headers, and the command that makes the same request. */
export function exchange ({ method, target, origin, status, headers, needsToken, isOpen }: Exchange): string {
  const shown = Object.entries(headers).filter(([name]) => !everywhere.test(name)).sort(([a], [b]) => a < b ? -1 : 1)
  return html`<div class="exchange">
<p class="ask"><code><b>${method}</b> ${target}</code>
<span class="buttons"><a class="button slim" href="#json">JSON below</a>
!${method === 'GET' && !needsToken ? html`<a class="button slim" href="${inJson(target)}">Open the JSON</a>` : ''}</span></p>
<details!${isOpen ? ' open' : ''}>
<summary><span class="status status-${Math.floor(status / 100)}">${status} ${STATUS_CODES[status]}</span>
<span class="muted">${headers['cache-control']}</span></summary>
<dl class="headers">!${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>
`)}</dl>
</details>
!${commandLine(curlLine({ method, address: origin + target, token: needsToken || undefined }))}</div>
`
}

/** Returns a command or another string, to which a script adds a copy button. */
export function commandLine (text: string, name = 'the command'): string {
  return html`<div class="command"><pre tabindex="0" data-copy="${name}">${text}</pre></div>
`
}

/** Returns the URL of the JSON of a target without `format`. */
export const inJson = (target: string) => withQuery(ownAddress(target), 'format=json')

/** Appends parameters, if any, to a target. */
export const withQuery = (target: string, query: string) => query === '' ? target : `${target}${target.includes('?') ? '&' : '?'}${query}`

/** Returns a request target as a link to this server: `//` or `/\` at its start would name another host. */
export const ownAddress = (target: string) => /^\/[/\\\s]/.test(target) ? `/.${target}` : target
