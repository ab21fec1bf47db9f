import { nearest } from '../settings/flags.ts'
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
  const names = ['format', 'ordering', 'page', 'page_size', ...Object.keys(resource.filters)]
  const sent = (name: string) => lastValue(query, name) ?? ''
  const ordering = orderingError(sent('ordering'), resource)
  const pageSize = pageSizeError(sent('page_size'), page)
  const unreadable = readFilters(filters, resource.filters)
  // Without a prototype, because a parameter may have the name __proto__.
  const errors = Object.assign(Object.create(null) as FilterErrors, others)
  for (const [name, message] of unknownNames(query, names)) errors[name] = [message]
  if (ordering !== undefined) errors['ordering'] = [ordering]
  if (pageSize !== undefined) errors['page_size'] = [pageSize]
  if (!Array.isArray(unreadable)) Object.assign(errors, unreadable)
  return Object.keys(errors).length === 0 ? undefined : errors
}

function orderingError (text: string, { sortable }: Resource): string | undefined {
  const terms = text.split(',').map(strip).filter(term => term !== '')
  const unsortable = [...new Set(terms)].filter(term => readOrdering(term, sortable).length === 0)
  if (unsortable.length === 0) return undefined
  const refused = `Cannot be ordered by: ${unsortable.join(', ')}.`
  if (sortable.length === 0) return `${refused} This list cannot be ordered.`
  return `${refused} It can be ordered by: ${sortable.join(', ')}.`
}

function pageSizeError (text: string, page: string | undefined): string | undefined {
  if (text === '') return undefined
  const size = readInteger(text) ?? 0
  if (size < 1 || size > maxPageSize) return `Enter a whole number from 1 to ${maxPageSize}.`
  return page === undefined ? 'Has an effect only with page.' : undefined
}

function unknownNames (query: URLSearchParams, names: readonly string[]): [name: string, message: string][] {
  const known = new Set(names)
  const unknown = [...new Set(query.keys())].filter(name => name !== '' && !known.has(name))
  return unknown.map((name, index) => {
    const near = index < maxHints ? nearest(name, names) : undefined
    const hint = near === undefined ? '.' : `; did you mean ${near}?`
    return [name, `Unknown parameter${hint}`]
  })
}
