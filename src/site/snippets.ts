import { html } from 'ghtml'
import { curlLine } from '../client/curl.ts'
import { escapeText } from './json.ts'

/** A request as pages show it; its target is without `format`. */
export type ShownRequest = { method: string, target: string, origin: string, needsToken: boolean }

/** Returns a request as curl, fetch and Python, each to be copied. */
export function snippets (request: ShownRequest): string {
  const all = [['curl', curlCommand(request)], ['fetch', fetchOf(request)], ['Python', pythonOf(request)]] as const
  return html`<div class="snippets">
!${all.map(([name, code]) => html`<div class="titled"><div class="over"><h3>${name}</h3></div>
!${commandLine(code, `the ${name} snippet`)}</div>
`)}</div>
`
}

/** Returns a command or another string, to which a script adds a copy button. */
export function commandLine (text: string, name = 'the command'): string {
  return html`<div class="command"><pre tabindex="0" data-copy="${name}">!${escapeText(text)}</pre></div>
`
}

/** Writes a string in single quotes, for JavaScript and Python alike. */
const inQuotes = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`

const quotedUrl = ({ origin, target }: ShownRequest) => inQuotes(origin + target)

/** Returns a request as one curl command. */
export function curlCommand ({ method, origin, target, needsToken }: ShownRequest): string {
  return curlLine({ method, address: origin + target, token: needsToken || undefined })
}

/** Returns a request of version 2.1 as one curl command. */
export function detailedCurl (origin: string, token: string): string {
  return curlLine({ address: `${origin}/api/v2/bikes/?page=1`, token })
}

function fetchOf (request: ShownRequest): string {
  const lines = [`  ${quotedUrl(request)}`]
  const options: string[] = []
  if (request.method !== 'GET') options.push(`method: ${inQuotes(request.method)}`)
  // eslint-disable-next-line no-template-curly-in-string
  if (request.needsToken) options.push('headers: { Authorization: `Token ${token}` }')
  if (options.length > 0) lines.push(`  { ${options.join(', ')} }`)
  return `const response = await fetch(\n${lines.join(',\n')}\n)\nconsole.log(await response.json())`
}

function pythonOf (request: ShownRequest): string {
  const lines = [`    ${quotedUrl(request)}`]
  if (request.method !== 'GET') lines.unshift(`    ${inQuotes(request.method)}`)
  if (request.needsToken) lines.push("    headers={'Authorization': f'Token {token}'}")
  const call = request.method === 'GET' ? 'get' : 'request'
  return `import requests\n\nresponse = requests.${call}(\n${lines.join(',\n')}\n)\nprint(response.json())`
}
