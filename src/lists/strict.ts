import { isWithin } from '../settings/read.ts'
import { readFilters, type FilterFaults } from './filter.ts'
import { readOrdering } from './ordering.ts'
import { maxPageSize, readInteger } from './page.ts'
import { lastValue } from './query.ts'
import type { Asked } from './question.ts'
import type { Resource } from './resources.ts'

/** How many unknown parameters are told what they may be meant to be: each of them is compared with all that are known. */
const maxHints = 20

/** Everything in a question that would be ignored or cannot be read, by parameter; undefined when there is nothing. Empty is absent. */
export function strictFaults ({ resource, query, filters, page }: Asked): FilterFaults | undefined {
  const known = ['format', 'ordering', 'page', 'page_size', ...Object.keys(resource.filters)]
  const ordering = orderingFault(lastValue(query, 'ordering') ?? '', resource)
  const pageSize = pageSizeFault(lastValue(query, 'page_size') ?? '', page)
  const unreadable = readFilters(filters, resource.filters)
  // Without a prototype it is a dictionary from the start, which takes a tenth of the time with a thousand names.
  const faults = Object.create(null) as FilterFaults
  for (const [name, said] of unknownNames(query, known)) faults[name] = [said]
  if (ordering !== undefined) faults['ordering'] = [ordering]
  if (pageSize !== undefined) faults['page_size'] = [pageSize]
  if (!Array.isArray(unreadable)) Object.assign(faults, unreadable)
  return Object.keys(faults).length === 0 ? undefined : faults
}

function orderingFault (text: string, { sortable }: Resource): string | undefined {
  const terms = text.split(',').map(term => term.trim()).filter(term => term !== '')
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
    const near = index < maxHints ? mostAlike(name, known) : undefined
    return [name, near === undefined ? 'Unknown parameter.' : `Unknown parameter; did you mean ${near}?`]
  })
}

const pairsOf = (name: string) => new Set(Array.from(name.slice(1), (letter, before) => name.charAt(before) + letter))

/**
 * The known name that is one letter from another, or else that which shares most pairs of neighbouring letters with it (Dice's
 * coefficient), at least half.
 */
function mostAlike (name: string, known: readonly string[]): string | undefined {
  const near = known.find(other => Math.abs(other.length - name.length) <= 1 && isWithin(1, name, other))
  if (near !== undefined) return near
  const own = pairsOf(name.toLowerCase())
  const likenesses = known.map(pairsOf).map(pairs => 2 * [...pairs].filter(pair => own.has(pair)).length / (own.size + pairs.size))
  const most = Math.max(...likenesses)
  return most < 0.5 ? undefined : known[likenesses.indexOf(most)]
}
