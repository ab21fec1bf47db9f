import { html } from 'ghtml'
import { follow, markOf, prose, provisionalMark, typeOf, type Answer, type Described, type Header, type Operation } from './document.ts'

/** The answers of an operation; of all but the first only the statuses, which lead to what is said of them once. */
export function answersOf ({ responses }: Operation, { components }: Described): string {
  const [status = '', ...others] = Object.keys(responses)
  const { description, content } = follow(responses[status] as Answer, components.responses)
  const link = (status: string) => html`<a class="status status-${status.charAt(0)}" href="#status-${status}">${status}</a> `
  return html`<dl class="answers">
<div><dt>!${statusTag(status)}</dt><dd>!${prose(description)}<br><span class="muted small">!${bodyOf(content)}</span></dd></div>
<div><dt class="small muted">Others</dt><dd class="others">!${others.map(link)}</dd></div>
</dl>
`
}

/** An answer that has something in it, where the document has one. */
export function exampleOf ({ responses }: Operation, { components }: Described): string {
  const { content } = follow(Object.values(responses)[0] as Answer, components.responses)
  const [example] = examplesIn(content).map(value => JSON.stringify(value, null, 2)).filter(text => text !== '[]')
  if (example === undefined) return ''
  return html`<details class="example"><summary>Example</summary>
<div class="code" data-copy-beside><pre tabindex="0" data-json data-copy="the example">${example}</pre></div></details>
`
}

/** The bodies that the document gives as examples. */
function examplesIn (content: Answer['content']): unknown[] {
  return Object.values(content?.['application/json'].examples ?? {}).map(({ value }) => value)
}

/** What every status but 200 means, with the bodies that it can have. */
export function statusesSection (document: Described): string {
  const statuses = new Map<string, Answer[]>()
  for (const [status, answer] of everyAnswer(document)) {
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
  for (const [, answer] of everyAnswer(document)) {
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

function everyAnswer ({ paths, components }: Described): [status: string, answer: Answer][] {
  return Object.values(paths).flatMap(operations => Object.values(operations))
    .flatMap(({ responses }) => Object.entries(responses))
    .map(([status, answer]) => [status, follow(answer, components.responses)])
}

/** A status as it stands everywhere. */
function statusTag (status: string): string {
  return html`<span class="status status-${status.charAt(0)}">${status}</span>`
}

/** What a body holds. */
function bodyOf (content: Answer['content']): string {
  return content === undefined ? 'no body' : typeOf(content['application/json'].schema)
}
