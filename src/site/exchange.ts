import { STATUS_CODES } from 'node:http'
import { html } from 'ghtml'
import { commandLine, curlCommand, snippets, type ShownRequest } from './snippets.ts'

/** A part of a response: its content is HTML. */
type Panel = { id: string, name: string, content: string }

/** A response as pages show it: what it is, in words, and the parts besides its headers. */
export type ShownResponse = {
  status: number
  summary: string
  headers: Readonly<Record<string, unknown>>
  panels: readonly Panel[]
}

/** Returns the line of a request: its method, its URL, and buttons (HTML). */
export function requestLine ({ method, target }: ShownRequest, buttons: string): string {
  return html`<p class="line"><code><b>${method}</b> ${target}</code>
<span class="buttons">!${buttons}</span></p>
`
}

/**
 * Returns a link that opens the JSON of a request; with a token it needs a script. Empty for a method that a link
 * cannot send.
 */
export function jsonLink ({ method, target, needsToken }: ShownRequest): string {
  if (method !== 'GET') return ''
  const scripted = needsToken ? ' data-scripted' : ''
  return html`<a class="button" href="${inJson(target)}"!${scripted}>Open the JSON</a>`
}

/**
 * Returns a response as tabs, which are links to its parts: the first one is open unless the URL names another. The
 * last one has the request as code; one that failed as curl only, as no app sends it again.
 */
export function responseTabs (request: ShownRequest, { status, summary, headers, panels }: ShownResponse): string {
  const names = Object.keys(headers).filter(name => !everywhere.test(name)).sort()
  const headerList = html`<dl class="headers">!${names.map(name => html`<dt>${name}</dt><dd>${headers[name]}</dd>
`)}</dl>
`
  const all = [...panels, { id: 'headers', name: 'Headers', content: headerList }]
  if (status < 400) all.push({ id: 'code', name: 'curl, fetch, Python', content: snippets(request) })
  else all.push({ id: 'code', name: 'curl', content: commandLine(curlCommand(request)) })
  return html`<section class="response" aria-label="Response">
<div class="result">
<p><span class="status status-${classOf(status)}">${status} ${STATUS_CODES[status]}</span> ${summary}</p>
<nav class="tabs" aria-label="Parts of the response">
!${all.map(({ id, name }) => html`<a href="#${id}">${name}</a>
`)}</nav>
</div>
!${all.map(({ id, name, content }) => html`<section id="${id}" class="panel">
<h2 class="hidden">${name}</h2>
!${content}</section>
`)}</section>
`
}

/** Returns the class of a status: 4 for 404. */
export const classOf = (status: number) => Math.floor(status / 100)

/** Matches the names of headers that every response has. */
const everywhere = /^(?:access-control-|content-security-|referrer-policy|x-content-type|x-frame)/

/** Returns the URL of the JSON of a target without `format`. */
export const inJson = (target: string) => withQuery(ownAddress(target), 'format=json')

/** Appends parameters, if any, to a target. */
export function withQuery (target: string, query: string): string {
  if (query === '') return target
  return `${target}${target.includes('?') ? '&' : '?'}${query}`
}

/** Returns a request target as a link to this server: `//` or `/\` at its start would name another host. */
export const ownAddress = (target: string) => /^\/[/\\\s]/.test(target) ? `/.${target}` : target
