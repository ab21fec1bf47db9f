import { html } from 'ghtml'
import { follow, type Answer, type Described, type Header } from '../../openapi/described.ts'
import { bodyOf, examplesIn, statusTag } from './operation.ts'
import { markOf, prose, provisionalMark, typeOf } from './type.ts'

/** What every status but 200 means, with the bodies that it can have. */
export function statusesSection (document: Described): string {
  const statuses = new Map<string, Answer[]>()
  for (const [status, answer] of answersOf(document)) {
    const known = statuses.get(status) ?? []
    if (status !== '200' && !known.some(({ description }) => description === answer.description)) statuses.set(status, [...known, answer])
  }
  const sorted = [...statuses].sort(([a], [b]) => Number(a) - Number(b))
  return html`<section><h2 id="statuses">Other statuses</h2>
<p class="gap">Errors have a body of one form, or a page for a browser. !${provisionalMark}</p>
<dl class="answers">
!${sorted.map(([status, answers]) => html`<div><dt id="status-${status}">!${statusTag(status)}</dt><dd>!${answers.map(meaning)}</dd></div>
`)}</dl></section>
`
}

function meaning ({ description, content }: Answer): string {
  return html`<div><p>!${prose(description)} <span class="muted small">!${bodyOf(content)}</span></p>
!${examplesIn(content).map(value => html`<p><code>${JSON.stringify(value)}</code></p>`)}</div>
`
}

/** Every header that an answer can carry, by the names that answers give them. */
export function headersSection (document: Described): string {
  const headers = new Map<string, Header>()
  for (const [, answer] of answersOf(document)) {
    for (const [name, header] of Object.entries(answer.headers)) {
      if (!headers.has(name)) headers.set(name, follow(header, document.components.headers))
    }
  }
  return html`<section><h2 id="headers">Headers</h2>
<dl class="parameters">
!${[...headers].sort(([a], [b]) => a < b ? -1 : 1).map(([name, header]) => headerRow(name, header))}</dl></section>
`
}

function headerRow (name: string, header: Header): string {
  const isByList = name === 'Cache-Control'
  return html`<div><dt><code>${name}</code> !${markOf(header)}</dt>
<dd><p>!${isByList ? 'How long the answer is good, by list; errors are never kept' : prose(header.description)}</p>
<p class="muted small">!${isByList ? 'string' : typeOf(header.schema)}</p></dd></div>
`
}

function answersOf ({ paths, components }: Described): [status: string, answer: Answer][] {
  return Object.values(paths).flatMap(operations => Object.values(operations))
    .flatMap(({ responses }) => Object.entries(responses))
    .map(([status, answer]) => [status, follow(answer, components.responses)])
}
