import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { html } from 'ghtml'
import { PNG } from 'image-size/types/png'
import { Marked } from 'marked'
import { groupBy } from '../base/group.ts'
import { dataDirectory } from '../package.ts'
import { assets, layout, type PageSettings } from './layout.ts'

const root = join(dataDirectory, '..')
const index = 'docs/README.md'

/** A page made of a Markdown file: its path on this server, its title and headings (HTML), and its text. */
export type Document = { file: string, path: string, title: string, article: string, headings: readonly Heading[] }
type Heading = { slug: string, anchor: string, text: string, depth: number }

/** The pages of docs/ and of two other files, by path, and the files that they link to; only these are served. */
export type Documents = { pages: ReadonlyMap<string, Document>, files: ReadonlyMap<string, string> }

/** Reads the documents of the package. */
export function readDocuments (): Documents {
  const names = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  const own = names.map(name => `docs/${name.replaceAll('\\', '/')}`).filter(name => name.endsWith('.md'))
  const paths = new Map([...own, 'CHANGELOG.md', 'VERSIONING.md'].map(name => [name, pathOf(name)]))
  const files = new Map<string, string>()
  const pages = [...paths].map(([file, path]) => ({ file, path, ...render(readFileSync(join(root, file), 'utf8'), addressIn(file)) }))
  return { pages: new Map(inOrder(pages).map(page => [page.path, page])), files }

  /** Returns a function that converts an address in a file to one on this server; undefined for a file that is not installed. */
  function addressIn (file: string) {
    return (address: string): string | undefined => {
      if (/^(?:[a-z]+:|#)/i.test(address)) return address
      const [relative = '', hash = ''] = address.split(/(?=#)/)
      const target = posix.join(posix.dirname(file), relative)
      const page = paths.get(target) ?? paths.get(posix.join(target, 'README.md'))
      if (page !== undefined) return page + hash
      const place = join(root, target)
      if (!place.startsWith(root) || statSync(place, { throwIfNoEntry: false })?.isFile() !== true) return undefined
      files.set(`/docs/${target}`, place)
      return `/docs/${target}`
    }
  }
}

/** Returns the path of a Markdown file: `docs/guides/test.md` is `/docs/guides/test/`. */
function pathOf (file: string): string {
  const name = file.replace(/\.md$/, '').replace(/(?:^|\/)README$/, '')
  return `/${name.startsWith('docs') ? name : name.toLowerCase()}/`
}

/** Orders documents as the first one links to them. */
function inOrder (pages: readonly Document[]): readonly Document[] {
  const { article } = pages.find(({ file }) => file === index) as Document
  const placeOf = ({ file, path }: Document) => file === index ? -1 : article.indexOf(`"${path}`) >>> 0
  return [...pages].sort((a, b) => placeOf(a) - placeOf(b))
}

/** Converts Markdown to HTML, with the anchors that GitHub gives to headings. */
export function render (text: string, addressOf: (address: string) => string | undefined = address => address) {
  const headings: Heading[] = []
  const link = (content: string, address: string | undefined) => address === undefined ? content : `<a href="${address}">${content}</a>`
  const marked = new Marked({
    renderer: {
      heading ({ tokens, depth }) {
        const content = this.parser.parseInline(tokens)
        const text = content.replace(/<[^>]+>/g, '')
        const slug = text.toLowerCase().replace(/&[\w#]+;|[^\p{L}\p{N}\s_-]/gu, '').trim().replace(/\s/g, '-')
        const same = headings.filter(heading => heading.slug === slug).length
        const anchor = same === 0 ? slug : `${slug}-${same}`
        headings.push({ slug, anchor, text, depth })
        return depth === 1 ? `<h1>${content}</h1>\n` : `<h${depth} id="${anchor}">${link(content, `#${anchor}`)}</h${depth}>\n`
      },
      link ({ href, tokens }) {
        return link(this.parser.parseInline(tokens), addressOf(href))
      },
      image: ({ href, text }) => imageHtml(addressOf(href), text),
      code: ({ text }) => html`<div class="command"><pre tabindex="0" data-copy="the code">${text}</pre></div>
`
    }
  })
  let tables = 0
  const article = marked.parse(text, { async: false }).replaceAll('<th></th>', '<td></td>').replaceAll('</table>', '</table></div>')
    .replaceAll('<table>', () => `<div class="scroll" role="region" aria-label="Table ${++tables}" tabindex="0"><table>`)
  const [title, ...others] = headings
  return { title: title?.text ?? '', article, headings: others }
}

/** Returns the image at an address of this server with its size, so that the page does not move when it is loaded; otherwise its text. */
function imageHtml (address: string | undefined, text: string): string {
  if (!address?.endsWith('.png')) return html`${text}`
  const { width, height } = PNG.calculate(readFileSync(join(root, address.slice('/docs/'.length))))
  return html`<img src="${address}" alt="${text}" width="${width}" height="${height}" loading="lazy">`
}

/** Returns a document beside a table of contents: all documents by folder, and the sections of this one. */
export function documentPage ({ path, title, article, headings }: Document, { pages }: Documents, settings: PageSettings): string {
  const listed = [...pages.values()].filter(({ file }) => file.startsWith('docs/'))
  const folders = groupBy(listed, ({ file }) => file.split('/').at(-2) as string)
  const sections = headings.filter(({ depth }) => depth === 2).map(({ anchor, text }) => html`<li><a href="#${anchor}">!${text}</a></li>
`)
  const item = (page: Document) => html`<li>
<a href="${page.path}"!${page.path === path ? ' aria-current="page"' : ''}>!${page.title}</a></li>
`
  const main = html`<div class="document">
<article class="prose">
<p class="small to-contents"><a href="#all-documents">All documents</a></p>
!${article}</article>
<nav id="all-documents" class="contents" aria-label="Contents">
<h2>On this page</h2>
<ul>!${sections}</ul>
!${[...folders].map(([folder, own]) => html`<h2>${folder === 'docs' ? 'Start here' : folder}</h2>
<ul>
!${own.map(item)}</ul>
`)}<h2>OpenAPI 3.1</h2>
<ul><li><a href="/openapi.json">/openapi.json</a></li><li><a href="/openapi.yaml">/openapi.yaml</a></li></ul>
</nav>
</div>`
  const current = path.startsWith('/docs/') ? '/docs/' : path
  return layout({ title: title.replace(/&[\w#]+;/g, ''), path: current, main, settings, style: assets.documentsStyle })
}
