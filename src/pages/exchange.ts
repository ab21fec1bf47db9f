import { STATUS_CODES } from 'node:http'
import { html } from 'ghtml'
import { curlLine } from '#assets/curl.js'

/** One request and its answer as JSON. */
export type Exchange = {
  method: string
  /** The path and query. */
  target: string
  /** The scheme and host. */
  origin: string
  status: number
  headers: Readonly<Record<string, unknown>>
  needsToken: boolean
  /** Whether the headers are shown at once. */
  isOpen: boolean
}

/** What is the same on every answer and says nothing of this one. */
const everywhere = /^(?:access-control-|content-security-|referrer-policy|x-content-type|x-frame)/

/** Gives the panel of an exchange: request line, status, headers, and the command that makes the same request. */
export function exchange ({ method, target, origin, status, headers, needsToken, isOpen }: Exchange): string {
  const shown = Object.entries(headers).filter(([name]) => !everywhere.test(name)).sort(([a], [b]) => a < b ? -1 : 1)
  const command = curlLine({ method, address: origin + target, token: needsToken || undefined })
  return html`<div class="exchange">
<p class="ask"><code><b>${method}</b> ${target}</code>!${method === 'GET' && !needsToken ? html` <a class="button slim" href="${inFormat(target, 'json')}">Open the JSON</a>` : ''}</p>
<details!${isOpen ? ' open' : ''}>
<summary><span class="status status-${Math.floor(status / 100)}">${status} ${STATUS_CODES[status]}</span> <span class="muted">${headers['cache-control']}</span></summary>
<dl class="headers">!${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>
`)}</dl>
</details>
<div class="command" data-copy-beside><pre data-copy="the command">${command}</pre></div>
</div>
`
}

/** Gives a target without the parameter that asked for this page. */
export function withoutFormat (target: string): string {
  return target.replace(/([?&])format=api(?:&|$)/, '$1').replace(/[?&]$/, '')
}

/** Gives a target with `format` set. */
export function inFormat (target: string, format: 'api' | 'json'): string {
  const [path = '', query = ''] = target.split(/\?(.*)/s)
  const parameters = new URLSearchParams(query)
  parameters.set('format', format)
  return `${path}?${parameters}`
}
