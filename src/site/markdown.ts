import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Marked } from 'marked'
import { dataDirectory } from '../package.ts'

const readText = (file: string) => readFileSync(join(dataDirectory, '..', file), 'utf8').replace('(CHANGELOG.md)', '(/changelog/)')

/** Markdown files that are served as HTML pages. The build replaces this module with its result, so that a server parses no Markdown. */
export const articles = [
  { path: '/changelog/', title: 'Changelog · Bicycle Catalogue', main: markdown(readText('CHANGELOG.md')) },
  { path: '/versioning/', title: 'Versioning · Bicycle Catalogue', main: markdown(readText('VERSIONING.md')) }
]

/** Converts Markdown to HTML. Headings below the first level have anchors; those below the second begin with the section's anchor. */
export function markdown (text: string): string {
  let section = ''
  const marked = new Marked({
    renderer: {
      heading ({ tokens, depth, text }) {
        const content = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1>${content}</h1>\n`
        const anchor = depth === 2 ? anchorOf(text) : `${section}-${anchorOf(text)}`
        if (depth === 2) section = anchor
        return `<h${depth} id="${anchor}"><a href="#${anchor}">${content}</a></h${depth}>\n`
      }
    }
  })
  return `<article class="prose">\n${marked.parse(text, { async: false })}</article>`
}

/** Returns the words of a heading in lower case with hyphens between them, and a `v` before a number. */
function anchorOf (text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '').replace(/^(?=\d)/, 'v')
}
