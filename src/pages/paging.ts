import { html } from 'ghtml'
import type { Asked } from '../lists/question.ts'
import type { PagePlace } from '../lists/page.ts'
import { shownSize } from './links.ts'

/** Gives the address of the same list with some parameters in place of others; undefined takes one away. */
export function addressWith ({ resource, query }: Asked, changes: Readonly<Record<string, string | undefined>>): string {
  const others = [...query].filter(([name]) => !(name in changes) && name !== 'format')
  const given = Object.entries(changes).filter((change): change is [string, string] => change[1] !== undefined)
  return `${resource.path}?${new URLSearchParams([['format', 'api'], ...others, ...given])}`
}

/** What a page shows of a list: records from one place to another, of so many. */
export type Shown = { start: number, end: number, count: number }

/** Gives the way from page to page; of a plain list, the way to its pages. */
export function paging (asked: Asked, place: PagePlace | undefined, shown: Shown): string {
  if (place === undefined) return onward(asked, shown)
  const { number, last, size } = place
  if (last === 1) return ''
  const to = (page: number) => addressWith(asked, { page: String(page), page_size: String(size) })
  return html`<nav class="pages" aria-label="Pages">
<p>Page ${number} of ${last}</p>
<form action="${asked.resource.path}" method="get">
!${hidden(asked)}<input type="hidden" name="page_size" value="${size}">
<label for="page">Go to page</label>
<input id="page" name="page" type="number" min="1" max="${last}" value="${number}" required>
<button>Go</button>
</form>
<span class="buttons">!${number === 1 ? '' : html`<a class="button" rel="prev" href="${to(number - 1)}">← Previous</a> `}!${number === last ? '' : html`<a class="button" rel="next" href="${to(number + 1)}">Next →</a>`}</span>
</nav>
`
}

function onward (asked: Asked, { end, count }: Shown): string {
  if (end === count) return ''
  return html`<nav class="pages" aria-label="Pages">
<p>The first ${end} of the ${count} records in this answer</p>
<a class="button" rel="next" href="${addressWith(asked, { page: '2', page_size: String(shownSize) })}">Next ${Math.min(shownSize, count - end)} →</a>
</nav>
`
}

/** The parameters that another form has to keep. */
function hidden ({ query }: Asked): string {
  const kept = [['format', 'api'], ...[...query].filter(([name]) => !['format', 'page', 'page_size'].includes(name))]
  return kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`).join('')
}
