import { html } from 'ghtml'
import { curlLine } from '../../client/curl.ts'
import { commandLine } from '../exchange.ts'
import { assets, layout, type PageSettings } from '../layout.ts'
import { definition, markOf, prose, typeOf, type Described, type Schema } from './document.ts'
import {
  responsesOf, exampleOf, headersSection, listTable, ownParameters, parametersSection, statusesSection, type ListOperation
} from './sections.ts'

/** Returns the reference: every path with its parameters and responses, the headers, and a section on simulation. */
export function referencePage (document: Described, origin: string, settings: PageSettings, simulation: string): string {
  return withContents(settings, {
    title: 'Reference',
    lead: html`<p class="lead">Every list, parameter, status and header.</p>
<p class="buttons"><a class="button slim" href="/openapi.json">OpenAPI 3.1 as JSON</a>
<a class="button slim" href="/openapi.yaml">as YAML</a>
<a class="button slim" href="/docs/schemas/">Schemas</a></p>`,
    contents: [
      ['#parameters', 'Parameters'], ...simulation === '' ? [] : [['#simulation', 'Simulation'] as const],
      ...document.tags.map(({ name, description }) => [`#${name}`, description.split(':')[0] as string] as const),
      ['#statuses', 'Other statuses'], ['#headers', 'Headers'], ['/docs/schemas/', 'Schemas']
    ],
    content: html`!${introduction(document.info.description)}
!${parametersSection(document)}
!${simulation}
!${document.tags.map(({ name, description }) => html`<section><h2 id="${name}">${description}</h2>
!${operationsOf(document, name, origin)}</section>
`)}!${statusesSection(document)}
!${headersSection(document)}`
  })
}

type Parts = Record<'title' | 'lead' | 'content', string> & { contents: readonly (readonly [address: string, text: string])[] }

/** Returns an HTML page with a table of contents, folded on a phone; lead and content are HTML. */
function withContents (settings: PageSettings, { title, lead, contents, content }: Parts): string {
  const main = html`<link rel="stylesheet" href="${assets.reference.path}">
<script type="module" src="${assets.referenceScript.path}"></script><div class="head">
<h1>${title}</h1>
!${lead}
</div>
<div class="reference">
<nav class="contents" aria-label="${title}"><details><summary>Contents</summary><ul>
!${contents.map(([address, text]) => html`<li><a href="${address}">${text}</a></li>
`)}</ul></details></nav>
<div>
!${content}</div>
</div>`
  return layout({ title: `${title} · Bicycle Catalogue`, path: '/docs/', main, settings })
}

/** Describes POST of each path that has it, otherwise GET; several paths with the same tag are in a table. */
function operationsOf (document: Described, tag: string, origin: string): string {
  const operations = Object.entries(document.paths).map(([path, { post, get }]) => ({ path, ...post ?? get }))
  const all = operations.filter(({ tags }) => tags.includes(tag))
  return all.length > 1 ? listTable(all, document, origin) : all.map(operation => operationSection(operation, document, origin)).join('')
}

/** Shows the document's description; the mark `provisional` links to its last paragraph. */
function introduction (description: string): string {
  const paragraphs = description.split('\n\n')
  return html`<div class="prose">!${paragraphs.slice(0, -1).map(paragraph)}<p id="provisional">!${prose(paragraphs.at(-1) as string)}</p>
</div>
`
}

function paragraph (text: string): string {
  if (!text.startsWith('- ')) return `<p>${prose(text)}</p>\n`
  return `<ul>${text.split('\n').map(line => `<li>${prose(line.slice(2))}</li>\n`).join('')}</ul>`
}

function operationSection (operation: ListOperation, document: Described, origin: string): string {
  const { path, operationId: id, summary, description, security, requestBody } = operation
  const form = requestBody?.content['application/x-www-form-urlencoded'].examples.label.value
  const [method, page] = form === undefined ? ['GET', `${path}?format=api`] : ['POST', path]
  return html`<section class="operation" id="${id}" aria-labelledby="${id}-title">
<h3 id="${id}-title">${summary}</h3>
<p class="line"><code><b>${method}</b> ${path}</code>
!${markOf(operation)}!${security ? '<span class="tag tag-token">token</span>' : ''}</p>
<p>!${prose(description)}</p>
!${commandLine(curlLine({ address: origin + path, token: security && true, form: form ?? {} }))}
<p class="buttons"><a class="button primary" href="${page}" aria-label="Try it: ${method} ${path}">Try it</a></p>
!${exampleOf(operation, document)}
!${ownParameters(operation)}
!${responsesOf(operation, document)}
</section>
`
}

export function schemasPage (document: Described, settings: PageSettings): string {
  const schemas = Object.entries(document.components.schemas)
  return withContents(settings, {
    title: 'Schemas',
    lead: `<p class="lead">The fields of records and other bodies.
Every field is always present; some may be null.</p>`,
    contents: [['/docs/', 'Reference'], ...schemas.map(([name]) => [`#${name}`, name] as const)],
    content: schemas.map(([name, schema]) => table(name, schema)).join('')
  })
}

function table (name: string, schema: Schema): string {
  const { description = '', properties = {}, additionalProperties } = schema
  const fields = Object.entries({ ...properties, ...additionalProperties ? { '(any name)': additionalProperties } : {} })
  return html`<section class="schema" aria-labelledby="${name}"><h2 id="${name}">${name}</h2>
<p class="muted">!${prose(description)} !${markOf(schema)}</p>
<dl class="parameters inline">
!${fields.map(([field, own]) => definition(field, own, typeOf(own), prose(own.description ?? '')))}</dl></section>
`
}
