import { html } from 'ghtml'
import { piecesOf, type Piece } from '#assets/json.js'

const shown: Readonly<Record<Piece['kind'], (text: string) => string>> = {
  name: text => html`<b>${text}</b>`,
  string: text => html`<i>${text}</i>`,
  word: text => html`<var>${text}</var>`,
  address: text => html`<a href="${text}">${text}</a>`,
  mark: text => html`${text}`
}

/** Writes a JSON text as HTML: names in `b`, strings in `i`, numbers and words in `var`; addresses are links. */
export function highlight (json: string): string {
  let written = ''
  for (const { kind, text } of piecesOf(json)) written += shown[kind](text)
  return written
}
