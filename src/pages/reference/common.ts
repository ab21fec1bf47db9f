import { html } from 'ghtml'
import { follow, type Answer, type Described, type Header } from '../../documents/described.ts'
import { bodyOf } from './operation.ts'
import { prose, provisionalMark, typeOf } from './type.ts'

/** Gives what every error means, with the bodies that it can have. */
export function errorsSection (document: Described): string {
  const errors = new Map<string, Answer[]>()
  for (const [status, answer] of answersOf(document)) {
    const known = errors.get(status) ?? []
    if (status >= '400' && !known.some(({ description }) => description === answer.description)) errors.set(status, [...known, answer])
  }
  return html`<section><h2 id="errors">Errors</h2>
<p>Every error has a body of the same form, as a page for a browser; their wording is the reference framework's. !${provisionalMark}</p>
<dl class="answers">
!${[...errors].sort(([a], [b]) => Number(a) - Number(b)).map(([status, answers]) => html`<div><dt id="error-${status}"><span class="status status-${status.charAt(0)}">${status}</span></dt><dd>!${answers.map(error)}</dd></div>
`)}</dl></section>
`
}

function error ({ description, content }: Answer): string {
  const examples = Object.values(content?.['application/json']?.examples ?? {}).map(({ value }) => JSON.stringify(value))
  return html`<p>!${prose(description)} <span class="muted small">!${bodyOf(content)}</span></p>!${examples.map(example => html`<p><code>${example}</code></p>`)}
`
}

/** Gives every header that an answer can carry, by the names that answers give them. */
export function headersSection (document: Described): string {
  const headers = new Map<string, Header>()
  for (const [, answer] of answersOf(document)) {
    for (const [name, header] of Object.entries(answer.headers ?? {})) {
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
  return html`<div><dt><code>${name}</code>!${header['x-provisional'] ? html` !${provisionalMark}` : ''}</dt>
<dd><p>!${isByList ? 'How long the answer is good, by list; errors are never kept' : prose(header.description ?? '')}</p><p class="muted small">!${isByList ? 'string' : typeOf(header.schema)}</p></dd></div>
`
}

function answersOf ({ paths, components }: Described): [status: string, answer: Answer][] {
  return Object.values(paths).flatMap(operations => Object.values(operations))
    .flatMap(({ responses }) => Object.entries(responses))
    .map(([status, answer]) => [status, follow(answer, components.responses)])
}
