import { STATUS_CODES } from 'node:http'
import { html } from 'ghtml'
import { curlLine } from '../http/curl.ts'

/** A request and its JSON response. */
export type Exchange = {
  method: string
  /** The path and query without `format`. */
  target: string
  origin: string
  status: number
  headers: Readonly<Record<string, unknown>>
  needsToken: boolean
  /** Whether the headers are expanded. */
  isOpen: boolean
}

/** Headers that every response has. */
const everywhere = /^(?:access-control-|content-security-|referrer-policy|x-content-type|x-frame)/

/** Returns the panel of an exchange: request line, status, headers, and the command that makes the same request. */
export function exchange ({ method, target, origin, status, headers, needsToken, isOpen }: Exchange): string {
  const shown = Object.entries(headers).filter(([name]) => !everywhere.test(name)).sort(([a], [b]) => a < b ? -1 : 1)
  const canOpen = method === 'GET' && !needsToken
  return html`<div class="exchange">
<p class="ask"><code><b>${method}</b> ${target}</code>
!${canOpen ? html`<a class="button slim" href="${inJson(target)}">Open the JSON</a>` : ''}</p>
<details!${isOpen ? ' open' : ''}>
<summary><span class="status status-${Math.floor(status / 100)}">${status} ${STATUS_CODES[status]}</span>
<span class="muted">${headers['cache-control']}</span></summary>
<dl class="headers">!${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>
`)}</dl>
</details>
!${commandLine(curlLine({ method, address: origin + target, token: needsToken || undefined }))}</div>
`
}

/** Returns a command, which a script gives a button that copies it. */
export function commandLine (command: string): string {
  return html`<div class="command" data-copy-beside><pre data-copy="the command">${command}</pre></div>
`
}

/** Returns the URL of a target without `format`, as JSON. */
export function inJson (target: string): string {
  return `${ownAddress(target)}${target.includes('?') ? '&' : '?'}format=json`
}

/** Returns a request target as a link to this server: `//` or `/\` at its start would name another host. */
export function ownAddress (target: string): string {
  return /^\/[/\\\s]/.test(target) ? `/.${target}` : target
}
