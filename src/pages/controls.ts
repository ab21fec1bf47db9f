import { html } from 'ghtml'
import type { Asked } from '../lists/question.ts'
import { writeOrdering } from '../lists/ordering.ts'
import { defaultPageSize, maxPageSize } from '../lists/page.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { filterFields } from './filters.ts'
import { select, words, type Choice } from './form.ts'
import { shownSize } from './links.ts'

/** Gives the form that asks the same list in another order, in pages or whole, and narrowed by its filters. */
export function controls (asked: Asked, catalogue: Catalogue, pageSize: number | undefined): string {
  const { resource, terms } = asked
  const orderings: Choice[] = resource.sortable.flatMap(field => [[field, `${words(field)}, ascending`], [`-${field}`, `${words(field)}, descending`]])
  const sizes = [defaultPageSize, shownSize, 50, maxPageSize].map((size): Choice => [String(size), String(size)])
  const ways = [html`<button!${pageSize === undefined ? ' class="primary"' : ''}>Whole list</button>`, html`<button name="page" value="1"!${pageSize === undefined ? '' : ' class="primary"'}>In pages</button>`]
  const filters = filterFields(asked, catalogue)
  return html`<form class="controls" action="${resource.path}" method="get" aria-label="Ask differently">
<input type="hidden" name="format" value="api">
!${filters}<div class="fields">
!${orderings.length === 0 ? '' : select('ordering', 'Ordering', [['', 'Id (default)'], ...orderings], writeOrdering(terms))}!${select('page_size', 'Records a page', sizes, String(pageSize ?? shownSize))}<div class="buttons">!${(pageSize === undefined ? ways : ways.reverse()).join(' ')}</div>
</div>
</form>
`
}
