import { readFilters, type FilterFaults } from './filter.ts'
import { readOrdering } from './ordering.ts'
import { maxPageSize, readInteger } from './page.ts'
import { lastValue } from './query.ts'
import type { Asked } from './question.ts'
import type { Resource } from './resources.ts'

/** Everything in a question that would be ignored or cannot be read, by parameter; undefined when there is nothing. Empty is absent. */
export function strictFaults ({ resource, query, filters, page }: Asked): FilterFaults | undefined {
  const known = ['format', 'ordering', 'page', 'page_size', ...Object.keys(resource.filters)]
  const ordering = orderingFault(lastValue(query, 'ordering') ?? '', resource)
  const pageSize = pageSizeFault(lastValue(query, 'page_size') ?? '', page)
  const unreadable = readFilters(filters, resource.filters)
  const faults = new Map(unknownNames(query, known))
  if (ordering !== undefined) faults.set('ordering', [ordering])
  if (pageSize !== undefined) faults.set('page_size', [pageSize])
  if (!Array.isArray(unreadable)) for (const [name, said] of Object.entries(unreadable)) faults.set(name, said)
  return faults.size === 0 ? undefined : Object.fromEntries(faults)
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

function unknownNames (query: URLSearchParams, known: readonly string[]): [name: string, faults: string[]][] {
  const isKnown = new Set(known)
  const unknown = [...new Set(query.keys())].filter(name => name !== '' && !isKnown.has(name))
  const nearest = createNearest(known)
  return unknown.map(name => {
    const near = nearest(name)
    return [name, [near === undefined ? 'Unknown parameter.' : `Unknown parameter; did you mean ${near}?`]]
  })
}

const pairsOf = (name: string) => new Set(Array.from(name.slice(1), (letter, before) => name.charAt(before) + letter))

/**
 * A function that finds the known name most like another one: that which shares most pairs of neighbouring letters with it
 * (Dice's coefficient), at least half of them. The names are looked up by pair, so that many unknown ones cost little.
 */
function createNearest (known: readonly string[]): (name: string) => string | undefined {
  const pairs = known.map(name => ({ name, pairs: pairsOf(name) }))
  const holders = new Map<string, typeof pairs>()
  for (const holder of pairs) for (const pair of holder.pairs) holders.set(pair, [...holders.get(pair) ?? [], holder])

  return name => {
    const own = pairsOf(name.toLowerCase())
    const shared = new Map<string, number>()
    let nearest: string | undefined
    let most = 0.5
    for (const pair of own) {
      for (const { name, pairs } of holders.get(pair) ?? []) {
        const count = (shared.get(name) ?? 0) + 1
        shared.set(name, count)
        const likeness = 2 * count / (own.size + pairs.size)
        if (likeness > most || (likeness === most && nearest === undefined)) [nearest, most] = [name, likeness]
      }
    }
    return nearest
  }
}
