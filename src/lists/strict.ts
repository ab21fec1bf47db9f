import { nearest } from '../settings/flags.ts'
import { readFilters, type FilterFaults } from './filter.ts'
import { readOrdering } from './ordering.ts'
import { maxPageSize } from './page.ts'
import { lastValue } from './query.ts'
import { readInteger, strip } from '../http/text.ts'
import type { Question } from './question.ts'
import type { Resource } from './resources.ts'

/** The most unknown parameters that get a hint, because each is compared with all known ones. */
const maxHints = 20

/** Returns the errors of ignored and invalid parameters, or undefined without any. An empty value is absent. */
export function strictFaults ({ resource, query, filters, page }: Question, others: FilterFaults = {}): FilterFaults | undefined {
  const known = ['format', 'ordering', 'page', 'page_size', ...Object.keys(resource.filters)]
  const ordering = orderingFault(lastValue(query, 'ordering') ?? '', resource)
  const pageSize = pageSizeFault(lastValue(query, 'page_size') ?? '', page)
  const unreadable = readFilters(filters, resource.filters)
  // Without a prototype, because a parameter may have the name __proto__.
  const faults = Object.assign(Object.create(null) as FilterFaults, others)
  for (const [name, said] of unknownNames(query, known)) faults[name] = [said]
  if (ordering !== undefined) faults['ordering'] = [ordering]
  if (pageSize !== undefined) faults['page_size'] = [pageSize]
  if (!Array.isArray(unreadable)) Object.assign(faults, unreadable)
  return Object.keys(faults).length === 0 ? undefined : faults
}

function orderingFault (text: string, { sortable }: Resource): string | undefined {
  const terms = text.split(',').map(strip).filter(term => term !== '')
  const unsortable = [...new Set(terms)].filter(term => readOrdering(term, sortable).length === 0)
  if (unsortable.length === 0) return undefined
  const whatCan = sortable.length === 0 ? 'This list has no other order.' : `It can be ordered by: ${sortable.join(', ')}.`
  return `Cannot be ordered by: ${unsortable.join(', ')}. ${whatCan}`
}

function pageSizeFault (text: string, page: string | undefined): string | undefined {
  if (text === '') return undefined
  const size = readInteger(text) ?? 0
  if (size < 1 || size > maxPageSize) return `Enter a whole number from 1 to ${maxPageSize}.`
  return page === undefined ? 'Counts only beside page.' : undefined
}

function unknownNames (query: URLSearchParams, known: readonly string[]): [name: string, said: string][] {
  const isKnown = new Set(known)
  const unknown = [...new Set(query.keys())].filter(name => name !== '' && !isKnown.has(name))
  return unknown.map((name, index) => {
    const near = index < maxHints ? nearest(name, known) : undefined
    return [name, near === undefined ? 'Unknown parameter.' : `Unknown parameter; did you mean ${near}?`]
  })
}
