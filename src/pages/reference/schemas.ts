import { html } from 'ghtml'
import { hasTokenForm, type Described, type Schema } from '../../openapi/described.ts'
import { layout } from '../layout.ts'
import { referenceAssets } from './page.ts'
import { markOf, prose, typeOf } from './type.ts'

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
