import { html } from 'ghtml'
import { curlLine } from '../client/curl.ts'
import { escapeText } from './json.ts'

/** A request as pages show it; its target is without `format`. */
export type ShownRequest = { method: string, target: string, origin: string, needsToken: boolean }

/** Returns a request as curl, fetch and Python, each to be copied. */
export function snippets (request: ShownRequest): string {
  const { method, target, origin, needsToken } = request
  // A string in single quotes is the same in JavaScript and Python.
  const url = `'${(origin + target).replace(/['\\]/g, '\\$&')}'`

  const options: string[] = []
  if (method !== 'GET') options.push(`method: '${method}'`)
  // eslint-disable-next-line no-template-curly-in-string
  if (needsToken) options.push('headers: { Authorization: `Token ${token}` }')
  const init = options.length > 0 ? `,\n  { ${options.join(', ')} }` : ''

  const lines = [`    ${url}`]
  if (method !== 'GET') lines.unshift(`    '${method}'`)
  if (needsToken) lines.push("    headers={'Authorization': f'Token {token}'}")
  const call = method === 'GET' ? 'get' : 'request'

  const all = [
    ['curl', curlCommand(request)],
    ['fetch', `const response = await fetch(\n  ${url}${init}\n)\nconsole.log(await response.json())`],
    ['Python', `import requests\n\nresponse = requests.${call}(\n${lines.join(',\n')}\n)\nprint(response.json())`]
  ] as const
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

/** Returns a request as one curl command. */
export function curlCommand ({ method, origin, target, needsToken }: ShownRequest): string {
  const authorization = needsToken ? 'Token $TOKEN' : undefined
  return curlLine({ method, address: origin + target, authorization })
}

/** Returns a request of version 2.1 as one curl command. */
export function detailedCurl (origin: string, token: string): string {
  return curlLine({ address: `${origin}/api/v2/bikes/?page=1`, headers: { Authorization: `Token ${token}` } })
}
