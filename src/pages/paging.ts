import { html } from 'ghtml'
import type { Asked } from '../lists/question.ts'
import { writeOrdering } from '../lists/ordering.ts'
import { defaultPageSize, type PagePlace } from '../lists/page.ts'

/** The parameters that say which records a list has and in what order; what the list ignores is not repeated in links. */
function selection ({ terms, filters }: Asked): (readonly [name: string, text: string])[] {
  return terms.length === 0 ? [...filters] : [['ordering', writeOrdering(terms)], ...filters]
}

/** The address of a page of the same records. */
function pageAddress (asked: Asked, page: number, size: number): string {
  const parameters = [['format', 'api'], ...selection(asked), ['page', String(page)], ['page_size', String(size)]]
  return `${asked.resource.path}?${new URLSearchParams(parameters as [string, string][])}`
}

/** What a page shows of a list: records from one place to another, of so many. */
export type Shown = { start: number, end: number, count: number }

/** The way from page to page; of a plain list, the way to its pages. */
export function paging (asked: Asked, place: PagePlace | undefined, shown: Shown): string {
  if (place === undefined) return onward(asked, shown)
  const { number, last, size } = place
  if (last === 1) return ''
  const step = (page: number, rel: string, text: string) =>
    html`<a class="button" rel="${rel}" href="${pageAddress(asked, page, size)}">${text}</a>`
  const back = number === 1 ? '' : step(number - 1, 'prev', '← Previous')
  const on = number === last ? '' : step(number + 1, 'next', 'Next →')
  return html`<nav class="pages" aria-label="Pages">
<p>Page ${number} of ${last}</p>
<form action="${asked.resource.path}" method="get">
<input type="hidden" name="format" value="api">
!${selection(asked).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`)}<input type="hidden" name="page_size" value="${size}">
<label for="page">Go to page</label>
<input id="page" name="page" type="number" min="1" max="${last}" value="${number}" required>
<button>Go</button>
</form>
<span class="buttons">!${back}!${on}</span>
</nav>
`
}

function onward (asked: Asked, { end, count }: Shown): string {
  if (end === count) return ''
  return html`<nav class="pages" aria-label="Pages">
<p>The first ${end} of the ${count} records in this answer</p>
<a class="button" rel="next" href="${pageAddress(asked, 2, defaultPageSize)}">Next ${Math.min(defaultPageSize, count - end)} →</a>
</nav>
`
}
