import { html } from 'ghtml'
import { Marked } from 'marked'

/** Gives what a heading is called in an address: its words in lower case with hyphens between them. */
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

/** Gives one of our own documents, written in Markdown, as HTML; each heading below the first can be linked to. */
export function markdown (text: string): string {
  return html`<article class="prose">
!${marked.parse(text, { async: false })}</article>`
}
