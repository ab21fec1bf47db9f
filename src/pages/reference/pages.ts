import { html } from 'ghtml'
import { asset } from '../assets.ts'
import { layout } from '../layout.ts'
import { headersSection, statusesSection } from './answers.ts'
import { hasTokenForm, markOf, prose, typeOf, type Described, type Operation, type Schema } from './document.ts'
import { addressSection, mainOf } from './operation.ts'
import { parametersSection } from './parameters.ts'

/** What stands at the head of both pages of the reference; the stylesheet and script are the reference's own. */
const referenceAssets = () => html`<link rel="stylesheet" href="${asset('reference.css').path}">
<script type="module" src="${asset('reference.js').path}"></script>
`

/** Every address with its parameters to try out, its answers, the headers, and a section on the simulation where there is one. */
export function referencePage (document: Described, origin: string, simulation: string): string {
  const main = html`!${referenceAssets()}<div class="head">
<h1>Reference</h1>
<p class="lead">Every address, parameter, status and header, to try out here.</p>
<p class="buttons"><a class="button slim" href="/openapi.json">OpenAPI 3.1 as JSON</a>
<a class="button slim" href="/openapi.yaml">as YAML</a>
<a class="button slim" href="/docs/schemas/">Schemas</a></p>
</div>
<div class="reference">
<nav class="contents" aria-label="Reference"><ul>
!${contents(document, simulation !== '')}</ul></nav>
<div>
!${introduction(document.info.description)}
!${parametersSection(document)}
!${document.tags.map(({ name, description }) => html`<section><h2 id="${name}">${description}</h2>
!${addressesOf(document, name).map(([path, operations]) => addressSection(path, operations, document, origin))}</section>
`)}!${statusesSection(document)}
!${headersSection(document)}
!${simulation}</div>
</div>`
  return layout({ title: 'Reference · Bicycle Catalogue', path: '/docs/', main, hasTokenForm: hasTokenForm(document) })
}

function addressesOf ({ paths }: Described, tag: string): [path: string, operations: Record<string, Operation>][] {
  return Object.entries(paths).filter(([, { get }]) => get?.tags.includes(tag))
}

function contents (document: Described, simulates: boolean): string {
  return html`<li><a href="#parameters">Parameters</a></li>
!${document.tags.map(({ name, description }) => html`<li><a href="#${name}">${description.split(':')[0]}</a><ul>
!${addressesOf(document, name).map(([, operations]) => mainOf(operations)).map(({ operationId, summary }) => html`<li>
<a href="#${operationId}">${summary}</a></li>
`)}</ul></li>
`)}<li><a href="#statuses">Other statuses</a></li>
<li><a href="#headers">Headers</a></li>
!${simulates ? '<li><a href="#simulation">Simulation</a></li>' : ''}
<li><a href="/docs/schemas/">Schemas</a></li>
`
}

/** The paragraphs of the document's description; the last one is what the marks lead to. */
function introduction (description: string): string {
  const paragraphs = description.split('\n\n')
  return html`<div class="prose">!${paragraphs.map((text, index) => text.startsWith('- ')
? html`<ul>!${text.split('\n').map(line => html`<li>!${prose(line.slice(2))}</li>
`)}</ul>`
: html`<p!${index === paragraphs.length - 1 ? ' id="provisional"' : ''}>!${prose(text)}</p>
`)}</div>
`
}

/** The tables of every schema, field by field. */
export function schemasPage (document: Described): string {
  const { schemas } = document.components
  const names = Object.keys(schemas)
  const main = html`!${referenceAssets()}<div class="head">
<h1>Schemas</h1>
<p class="lead">What the records and the other bodies hold, field by field. Every field is always there; null where it says so.</p>
</div>
<div class="reference">
<nav class="contents" aria-label="Schemas"><ul>
<li><a href="/docs/">Reference</a></li>
<li><a href="/docs/schemas/" aria-current="page">Schemas</a><ul>
!${names.map(name => html`<li><a href="#${name}">${name}</a></li>
`)}</ul></li></ul></nav>
<div>
!${names.map(name => table(name, schemas[name] as Schema))}</div>
</div>`
  return layout({ title: 'Schemas · Bicycle Catalogue', path: '/docs/', main, hasTokenForm: hasTokenForm(document) })
}

function table (name: string, schema: Schema): string {
  const { description = '', properties = {}, additionalProperties } = schema
  return html`<section class="schema" aria-labelledby="${name}"><h2 id="${name}">${name}</h2>
<p class="muted">!${prose(description)} !${markOf(schema)}</p>
<dl class="parameters fields-table">
!${Object.entries(properties).map(([field, own]) => row(html`<code>${field}</code> !${markOf(own)}`, own))}
!${additionalProperties ? row('any name', additionalProperties) : ''}</dl></section>
`
}

/** What a field holds; its name is HTML. */
function row (name: string, schema: Schema): string {
  const { description = '' } = schema
  return html`<div><dt>!${name}</dt><dd><span class="type">!${typeOf(schema)}</span>
<span class="muted small">!${prose(description)}</span></dd></div>
`
}
