import { STATUS_CODES } from 'node:http'
import { html } from 'ghtml'
import { resources } from '../lists/resources.ts'
import { currentPage, layout, type PageSettings } from './layout.ts'
import { commandLine, curlCommand, snippets, type ShownRequest } from './snippets.ts'

/** A page that shows a request and its response. */
type ExchangePage = {
  title: string
  path: string
  /** The heading, and what the page says above the request (HTML). */
  head: string
  notice: string
  request: ShownRequest
  bar: RequestBar
  status: number
  /** The kind of the response, in words. */
  summary: string
  headers: Readonly<Record<string, unknown>>
  /** The parts of the response besides its headers; their content is HTML. */
  panels: readonly { id: string, name: string, content: string }[]
  settings: PageSettings
}

/** The HTML between the lists and the URL in the bar of a request; `form` is the id of the form that sends it. */
export type RequestBar = { content: string, form?: string | undefined }

/** Matches the names of headers that every response has. */
const everywhere = /^(?:access-control-|content-security-|referrer-policy|x-content-type|x-frame)/

/**
 * Returns a page of a request and its response. The bar of the request has the lists, unless it is outside the API. The
 * parts of the response are tabs, which are links: the first one is open unless the URL names another. The last one has
 * the request as code; one that failed as curl only, as no app sends it again.
 */
export function exchangePage (page: ExchangePage): string {
  const { title, path, request, bar: { content, form }, status, headers, settings } = page
  const { method, target, needsToken } = request

  const lists = resources.map(list => {
    const current = list.path === path ? currentPage : ''
    return html`<a href="${list.path}?format=api"!${current}>${list.shortName}</a>
`
  })
  const navigation = html`<nav class="chips" aria-label="Lists">
!${lists}</nav>
`
  const send = html`<button type="submit" class="primary" form="${form}">Send</button>
`
  const scripted = needsToken ? ' data-scripted' : '' // no link sends a token
  const openJson = html`<a class="button" href="${inJson(target)}"!${scripted}>Open the JSON</a>`

  const names = Object.keys(headers).filter(name => !everywhere.test(name)).sort()
  const headerList = html`<dl class="headers">!${names.map(name => html`<dt>${name}</dt><dd>${headers[name]}</dd>
`)}</dl>
`
  const code = status < 400
    ? { id: 'code', name: 'curl, fetch, Python', content: snippets(request) }
    : { id: 'code', name: 'curl', content: commandLine(curlCommand(request)) }
  const panels = [...page.panels, { id: 'headers', name: 'Headers', content: headerList }, code]

  const main = html`<div class="head">
!${page.head}
</div>
!${page.notice}<div class="request" role="group" aria-label="Request">
!${path.startsWith('/api/') ? navigation : ''}!${content}<p class="line"><code><b>${method}</b> ${target}</code>
<span class="buttons">!${form === undefined ? '' : send}!${method === 'GET' ? openJson : ''}</span></p>
</div>
<section class="response" aria-label="Response">
<div class="result">
<p><span class="status status-${classOf(status)}">${status} ${STATUS_CODES[status]}</span> ${page.summary}</p>
<nav class="tabs" aria-label="Parts of the response">
!${panels.map(({ id, name }) => html`<a href="#${id}">${name}</a>
`)}</nav>
</div>
!${panels.map(({ id, name, content }) => html`<section id="${id}" class="panel">
<h2 class="hidden">${name}</h2>
!${content}</section>
`)}</section>
`
  return layout({ title, path, main, settings })
}

/** Returns the class of a status: 4 for 404. */
export const classOf = (status: number) => Math.floor(status / 100)

/** Returns the URL of the JSON of a target without `format`. */
export const inJson = (target: string) => `${ownAddress(target)}${target.includes('?') ? '&' : '?'}format=json`

/** Returns a request target as a link to this server: `//` or `/\` at its start would name another host. */
export const ownAddress = (target: string) => /^\/[/\\\s]/.test(target) ? `/.${target}` : target
