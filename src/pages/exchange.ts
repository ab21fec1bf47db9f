import { STATUS_CODES } from 'node:http'
import { html } from 'ghtml'
import { curlLine } from '#assets/curl.js'

/** One request and its answer as JSON. */
export type Exchange = {
  method: string
  /** The path and query, without a `format`. */
  target: string
  /** The scheme and host. */
  origin: string
  status: number
  headers: Readonly<Record<string, unknown>>
  needsToken: boolean
  /** Whether the headers are shown at once. */
  isOpen: boolean
}

/** A longer target is cut, and no command made of it: quoting can make ten characters of one. */
const shownCharacters = 2000

/** What is the same on every answer and says nothing of this one. */
const everywhere = /^(?:access-control-|content-security-|referrer-policy|x-content-type|x-frame)/

/** The panel of an exchange: request line, status, headers, and the command that makes the same request. */
export function exchange ({ method, target, origin, status, headers, needsToken, isOpen }: Exchange): string {
  const shown = Object.entries(headers).filter(([name]) => !everywhere.test(name)).sort(([a], [b]) => a < b ? -1 : 1)
  const isLong = target.length > shownCharacters
  const canOpen = method === 'GET' && !needsToken
  return html`<div class="exchange">
<p class="ask"><code><b>${method}</b> ${isLong ? `${target.slice(0, shownCharacters)}…` : target}</code>
!${canOpen ? html`<a class="button slim" href="${inJson(target)}">Open the JSON</a>` : ''}</p>
<details!${isOpen ? ' open' : ''}>
<summary><span class="status status-${Math.floor(status / 100)}">${status} ${STATUS_CODES[status]}</span>
<span class="muted">${headers['cache-control']}</span></summary>
<dl class="headers">!${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>
`)}</dl>
</details>
!${isLong ? '' : commandLine(curlLine({ method, address: origin + target, token: needsToken || undefined }))}</div>
`
}

/** A command with its button to copy it. */
export function commandLine (command: string): string {
  return html`<div class="command" data-copy-beside><pre data-copy="the command">${command}</pre></div>
`
}

/** The address of a target, which has no `format`, as JSON. */
export function inJson (target: string): string {
  return `${ownAddress(target)}${target.includes('?') ? '&' : '?'}format=json`
}

/** Writes a request target as an address that stays on this server: one that begins with `//` or `/\` would name another host. */
export function ownAddress (target: string): string {
  return /^\/[/\\\s]/.test(target) ? `/.${target}` : target
}
