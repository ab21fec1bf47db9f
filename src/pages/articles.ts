import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { html } from 'ghtml'
import { Marked } from 'marked'
import { dataDirectory } from '../package.ts'

/** What a heading is called in an address: its words in lower case with hyphens between them. */
function anchorOf (text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')
}

const marked = new Marked({
  renderer: {
    heading ({ tokens, depth, text }) {
      const content = this.parser.parseInline(tokens)
      if (depth === 1) {
        return html`<h1>!${content}</h1>
`
      }
      const anchor = anchorOf(text)
      return html`<h${depth} id="${anchor}"><a href="#${anchor}">!${content.replace(/<\/?a\b[^>]*>/g, '')}</a></h${depth}>
`
    }
  }
})

/** One of our own papers, written in Markdown, as HTML; each heading below the first can be linked to. */
export function markdown (text: string): string {
  return html`<article class="prose">
!${marked.parse(text, { async: false })}</article>`
}

const articleOf = (file: string) => markdown(readFileSync(join(dataDirectory, '..', file), 'utf8'))

/** Our own papers, which lie beside package.json. The build puts what it has made of them in the place of this file. */
export const articles = { changelog: articleOf('CHANGELOG.md'), versioning: articleOf('VERSIONING.md') }
