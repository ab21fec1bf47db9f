import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { html } from 'ghtml'
import { PNG } from 'image-size/types/png'
import { Marked, type Renderer } from 'marked'
import { groupBy } from '../base/group.ts'
import { command, dataDirectory } from '../package.ts'
import { assets, currentPage, layout, type PageSettings } from './layout.ts'

const packageRoot = join(dataDirectory, '..')
const index = 'docs/README.md'

/** A page made of a Markdown file: its path on this server, its title and headings (HTML), and its text. */
export type Document = {
  file: string
  path: string
  title: string
  article: string
  headings: readonly Heading[]
}

type Heading = { slug: string, anchor: string, text: string, depth: number }

/** The pages of docs/ and of two other files, by path, and the files that they link to; only these are served. */
export type Documents = { pages: ReadonlyMap<string, Document>, files: ReadonlyMap<string, string> }

/** Reads the documents of the package. */
export function readDocuments (): Documents {
  const names = readdirSync(join(packageRoot, 'docs'), { recursive: true, encoding: 'utf8' })
  const markdown = names.filter(name => name.endsWith('.md')).map(name => `docs/${name.replaceAll('\\', '/')}`)
  const paths = new Map<string, string>()
  for (const file of [...markdown, 'CHANGELOG.md', 'VERSIONING.md']) {
    // The path of docs/guides/test.md is /docs/guides/test/.
    const name = file.replace(/\.md$/, '').replace(/(?:^|\/)README$/, '')
    paths.set(file, `/${name.startsWith('docs') ? name : name.toLowerCase()}/`)
  }
  const files = new Map<string, string>()
  const pages: Document[] = []
  for (const [file, path] of paths) {
    const text = readFileSync(join(packageRoot, file), 'utf8')
    pages.push({ file, path, ...render(text, addressIn(file)) })
  }
  // In the order in which the first one links to them.
  const { article } = pages.find(({ file }) => file === index) as Document
  const placeOf = ({ file, path }: Document) => file === index ? -1 : article.indexOf(`"${path}`) >>> 0
  pages.sort((a, b) => placeOf(a) - placeOf(b))
  return { pages: new Map(pages.map(page => [page.path, page])), files }

  /**
   * Returns a function that converts an address in a file to one on this server; undefined for a file that is not
   * installed.
   */
  function addressIn (file: string) {
    return (address: string): string | undefined => {
      if (/^(?:[a-z]+:|#)/i.test(address)) return address
      const [relative = '', hash = ''] = address.split(/(?=#)/)
      const target = posix.join(posix.dirname(file), relative)
      const page = paths.get(target) ?? paths.get(posix.join(target, 'README.md'))
      if (page !== undefined) return page + hash
      const place = join(packageRoot, target)
      const isFile = place.startsWith(packageRoot) && statSync(place, { throwIfNoEntry: false })?.isFile()
      if (!isFile) return undefined
      files.set(`/docs/${target}`, place)
      return `/docs/${target}`
    }
  }
}

/** Converts Markdown to HTML, with the anchors that GitHub gives to headings. */
export function render (text: string, addressOf: (address: string) => string | undefined) {
  const headings: Heading[] = []
  const renderer: Partial<Renderer> = {
    heading ({ tokens, depth }) {
      const content = (this as Renderer).parser.parseInline(tokens)
      const heading = headingOf(content, depth, headings)
      headings.push(heading)
      if (depth === 1) return `<h1>${content}</h1>\n`
      return `<h${depth} id="${heading.anchor}">${linkHtml(content, `#${heading.anchor}`)}</h${depth}>\n`
    },
    link ({ href, tokens }) {
      return linkHtml((this as Renderer).parser.parseInline(tokens), addressOf(href))
    },
    image: ({ href, text }) => imageHtml(addressOf(href), text),
    codespan: ({ text }) => html`<code>${asStarted(text)}</code>`,
    code: ({ text, lang }) => codeHtml(asStarted(text), lang === '' || lang === undefined)
  }
  let tables = 0
  const region = () => `<div class="scroll" role="region" aria-label="Table ${++tables}" tabindex="0"><table>`
  const article = new Marked({ renderer }).parse(text, { async: false })
    .replaceAll('<th></th>', '<td></td>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<table>', region)
  const [title, ...others] = headings
  return { title: title?.text ?? '', article, headings: others }
}

function headingOf (content: string, depth: number, others: readonly Heading[]): Heading {
  const text = content.replace(/<[^>]+>/g, '')
  const words = text.toLowerCase().replace(/&[\w#]+;|[^\p{L}\p{N}\s_-]/gu, '').trim()
  const slug = words.replace(/\s/g, '-')
  const same = others.filter(heading => heading.slug === slug).length
  const anchor = same === 0 ? slug : `${slug}-${same}`
  return { slug, anchor, text, depth }
}

function linkHtml (content: string, address: string | undefined): string {
  return address === undefined ? content : `<a href="${address}">${content}</a>`
}

/** Returns code whose commands run as this server was started, such as with npx. */
function asStarted (code: string): string {
  return code.replace(/^(?:npx )?bicycle-catalogue(?= )/gm, command)
}

/** Returns code with a language, to which a script adds a copy button; code without one is output. */
function codeHtml (text: string, isOutput: boolean): string {
  const pre = html`<pre tabindex="0"!${isOutput ? '' : ' data-copy="the code"'}>${text}</pre>`
  return isOutput ? `${pre}\n` : `<div class="command">${pre}</div>\n`
}

/**
 * Returns the image at an address of this server with its size, so that the page does not move when it is loaded;
 * otherwise its text.
 */
function imageHtml (address: string | undefined, text: string): string {
  if (!address?.endsWith('.png')) return html`${text}`
  const file = join(packageRoot, address.slice('/docs/'.length))
  const { width, height } = PNG.calculate(readFileSync(file))
  return html`<img src="${address}" alt="${text}" width="${width}" height="${height}" loading="lazy">`
}

/** Returns a document beside a table of contents: all documents by folder, and the sections of this one. */
export function documentPage (document: Document, documents: Documents, settings: PageSettings): string {
  const { file, path, title, article, headings } = document
  // A reference lists the parts of each section, too.
  const depth = file.startsWith('docs/reference/') ? 3 : 2
  const sections = headings.filter(heading => heading.depth <= depth).map(({ anchor, text, depth }) => {
    return html`<li!${depth === 3 ? ' class="part"' : ''}><a href="#${anchor}">!${text}</a></li>
`
  })
  const listed = [...documents.pages.values()].filter(({ file }) => file.startsWith('docs/'))
  const folders = [...groupBy(listed, ({ file }) => file.split('/').at(-2) as string)].map(([folder, pages]) => {
    const items = pages.map(page => html`<li>
<a href="${page.path}"!${page.path === path ? currentPage : ''}>!${page.title}</a></li>
`)
    return html`<h2>${folder === 'docs' ? 'Start here' : folder}</h2>
<ul>
!${items}</ul>
`
  })
  const main = html`<div class="document">
<article class="prose">
<p class="small to-contents"><a href="#all-documents">All documents</a></p>
!${article}</article>
<nav id="all-documents" class="contents" aria-label="Contents">
<p class="field" data-scripted><label for="filter">Filter the contents</label>
<input id="filter" type="search" autocomplete="off"></p>
<h2>On this page</h2>
<ul>!${sections}</ul>
!${folders}<h2>OpenAPI 3.1</h2>
<ul><li><a href="/openapi.json">/openapi.json</a></li><li><a href="/openapi.yaml">/openapi.yaml</a></li></ul>
</nav>
</div>`
  return layout({ title: title.replace(/&[\w#]+;/g, ''), path, main, settings, style: assets.documentsStyle })
}
