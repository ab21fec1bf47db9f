import type { Filter } from '../lists/filter.ts'
import type { Comparison, FilterKind } from '../lists/filter-kinds.ts'
import { formats } from '../http/negotiation.ts'
import { defaultPageSize, maxPageSize } from '../lists/page.ts'
import type { Resource } from '../lists/resources.ts'
import type { Settings } from '../settings/settings.ts'
import { provisional, type Fragment } from './schemas.ts'

/** The parameters that every list takes. */
export const parameterComponents = ({ paginate }: Settings): Fragment => ({
  Format: {
    name: 'format',
    in: 'query',
    description: '`json`, or `api` for the browsable page. Without it the `Accept` header decides; ' +
      '`Accept: application/json; indent=4` writes the JSON on several lines.',
    schema: { type: 'string', enum: Object.keys(formats) }
  },
  Page: {
    name: 'page',
    in: 'query',
    description: paginate === 'always'
      ? 'Which page of the list, from 1; `last` is a page too. Without it the first one.'
      : 'Asks for one page of the list, from 1, in an envelope; `last` is a page too. Without it the answer is the plain array.',
    schema: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'string', const: 'last' }] },
    ...provisional
  },
  PageSize: {
    name: 'page_size',
    in: 'query',
    description: paginate === 'always' ? 'Records on a page.' : 'Records on a page; counts only beside `page`.',
    schema: { type: 'integer', minimum: 1, maximum: maxPageSize, default: defaultPageSize },
    ...provisional
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of an earlier answer of the same URL; while nothing changed the answer is 304.',
    schema: { type: 'string' },
    ...provisional
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description: '`handling=strict` (RFC 7240) makes a 400 of what a list would ignore.',
    schema: { type: 'string' },
    ...provisional
  }
})

const ref = (name: string) => ({ $ref: `#/components/parameters/${name}` })
const commaList = { style: 'form', explode: false }

/** The parameters that a list takes when it is read. */
export function parametersOf (resource: Resource): Fragment[] {
  const filters = Object.entries(resource.filters).map(([name, filter]) => filterParameter(name, filter))
  return [ref('Format'), ...ordering(resource), ref('Page'), ref('PageSize'), ...filters, ref('IfNoneMatch'), ref('Prefer')]
}

/** The parameters that count when a list is asked about itself. */
export const metadataParameters = [ref('Format')]

function ordering ({ sortable, access }: Resource): Fragment[] {
  if (sortable.length === 0) return []
  const field = { type: 'string', enum: sortable.flatMap(field => [field, `-${field}`]) }
  const common = { name: 'ordering', in: 'query' }
  const otherwise = 'Without it the order is by ascending `id`.'
  if (access === 'public') {
    return [{ ...common, description: `The field to order by; a leading \`-\` reverses. ${otherwise}`, schema: field }]
  }
  const description = 'The fields to order by, between commas; a leading `-` reverses. ' +
    `Records without a value come last both ways. ${otherwise}`
  return [{ ...common, ...commaList, description, schema: { type: 'array', items: field }, ...provisional }]
}

const compared: Readonly<Record<Comparison, string>> = { '': 'equal to', __gte: 'at least', __lte: 'at most' }

type Taken = (filter: { field: string, comparison: Comparison, fields: readonly string[] }) => Fragment

const number = (type: string): Taken => ({ field, comparison }) => ({
  description: `\`${field}\` is ${compared[comparison]} this number.`,
  schema: { type }
})

/** What each kind of filter takes. */
const kinds: Readonly<Record<FilterKind, Taken>> = {
  search: ({ fields }) => {
    const places = fields.map(field => `\`${field}\``).join(', ').replace(/, (?=[^,]*$)/, ' or ')
    return { description: `Words, each of which has to occur in ${places}, whatever the case.`, schema: { type: 'string' } }
  },
  anyOf: ({ field }) => ({
    ...commaList,
    description: `Any of these values of \`${field}\`, between commas or each in a parameter of its own, whatever the case.`,
    schema: { type: 'array', items: { type: 'string' } }
  }),
  boolean: ({ field }) => ({ description: `Whether \`${field}\` is true.`, schema: { type: 'boolean' } }),
  integer: number('integer'),
  decimal: number('number'),
  date: ({ field, comparison }) => ({
    description: `\`${field}\` is ${compared[comparison]} this date, or date and time; UTC unless it says otherwise.`,
    schema: { anyOf: [{ type: 'string', format: 'date' }, { type: 'string', format: 'date-time' }] }
  })
}

/** The parameter of a filter. */
function filterParameter (name: string, { kind, comparison, fields }: Filter): Fragment {
  const field = name.slice(0, name.length - comparison.length)
  return { name, in: 'query', ...provisional, ...kinds[kind]({ field, comparison, fields }) }
}
