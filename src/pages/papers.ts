import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { html } from 'ghtml'
import { Marked } from 'marked'
import { dataDirectory } from '../package.ts'
import { layout } from './layout.ts'

/** The papers that are pages too, by their path. */
const papers = {
  '/changelog/': { file: 'CHANGELOG.md', title: 'Changelog', description: 'What has changed in bicycle-catalogue, by version.' },
  '/versioning/': {
    file: 'VERSIONING.md',
    title: 'Versioning policy',
    description: 'What may change within a version of the API, and how the end of one is announced.'
  }
} as const

/** The page of a paper, which lies beside package.json. */
export function paperPage (path: keyof typeof papers, hasTokenForm: boolean): string {
  const { file, title, description } = papers[path]
  const main = markdown(readFileSync(join(dataDirectory, '..', file), 'utf8'))
  return layout({ title: `${title} · Bicycle Catalogue`, path, description, main, hasTokenForm })
}

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
