import { nearest } from '../base/nearest.ts'
import { readFilters, type FilterErrors } from './filter.ts'
import { readOrdering } from './ordering.ts'
import { maxPageSize } from './page.ts'
import { lastValue } from '../http/target.ts'
import { readInteger, strip } from '../base/python.ts'
import type { ListRequest } from './request.ts'
import type { Resource } from './resources.ts'

/** The most unknown parameters that get a hint, because each is compared with all known ones. */
const maxHints = 20

/** Returns the errors of ignored and invalid parameters, or undefined without any. An empty value is absent. */
export function strictErrors (request: ListRequest, others: FilterErrors = {}): FilterErrors | undefined {
  const { resource, query, filters, page } = request
  const known = ['format', 'ordering', 'page', 'page_size', ...Object.keys(resource.filters)]
  // Without a prototype, because a parameter may have the name __proto__.
  const errors = Object.assign(Object.create(null) as FilterErrors, others)
  addUnknown(errors, query, known)
  const ordering = orderingError(query, resource)
  if (ordering !== undefined) errors['ordering'] = [ordering]
  const pageSize = pageSizeError(query, page)
  if (pageSize !== undefined) errors['page_size'] = [pageSize]
  const unreadable = readFilters(filters, resource.filters)
  if (!Array.isArray(unreadable)) Object.assign(errors, unreadable)
  return Object.keys(errors).length === 0 ? undefined : errors
}

function orderingError (query: URLSearchParams, { sortable }: Resource): string | undefined {
  const text = lastValue(query, 'ordering') ?? ''
  const unsortable = new Set<string>()
  for (const term of text.split(',').map(strip)) {
    const isSortable = readOrdering(term, sortable).length > 0
    if (term !== '' && !isSortable) unsortable.add(term)
  }
  if (unsortable.size === 0) return undefined
  const refused = `Cannot be ordered by: ${[...unsortable].join(', ')}.`
  if (sortable.length === 0) return `${refused} This list cannot be ordered.`
  return `${refused} It can be ordered by: ${sortable.join(', ')}.`
}

function pageSizeError (query: URLSearchParams, page: string | undefined): string | undefined {
  const text = lastValue(query, 'page_size') ?? ''
  if (text === '') return undefined
  const size = readInteger(text) ?? 0
  if (size < 1 || size > maxPageSize) return `Enter a whole number from 1 to ${maxPageSize}.`
  return page === undefined ? 'Has an effect only with page.' : undefined
}

function addUnknown (errors: FilterErrors, query: URLSearchParams, known: readonly string[]): void {
  const names = new Set(query.keys())
  for (const name of ['', ...known]) names.delete(name)
  for (const [index, name] of [...names].entries()) {
    const near = index < maxHints ? nearest(name, known) : undefined
    const hint = near === undefined ? '.' : `; did you mean ${near}?`
    errors[name] = [`Unknown parameter${hint}`]
  }
}
