import { html } from 'ghtml'

/** The parts of a JSON text that are shown in a colour of their own. */
const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** What a string holds when it is an address that can be followed. */
const address = /^"(https?:\/\/[^\s"\\]+)"$/

/** Gives a JSON text as HTML: names in `b`, strings in `i`, numbers and words in `var`; addresses are links. */
export function highlight (json: string): string {
  let shown = ''
  let end = 0
  for (const { 0: token, 1: string, 2: colon, index } of json.matchAll(tokens)) {
    const part = string === undefined ? html`<var>${token}</var>` : colon === undefined ? value(string) : html`<b>${string}</b>${colon}`
    shown += html`${json.slice(end, index)}!${part}`
    end = index + token.length
  }
  return html`!${shown}${json.slice(end)}`
}

function value (string: string): string {
  const url = address.exec(string)?.[1]
  return url === undefined ? html`<i>${string}</i>` : html`"<a href="${url}">${url}</a>"`
}
