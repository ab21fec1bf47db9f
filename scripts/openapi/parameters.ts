import type { Comparison, Filter, FilterKind } from '../../src/lists/filter.ts'
import { defaultPageSize, maxPageSize } from '../../src/lists/page.ts'
import type { Resource } from '../../src/lists/resources.ts'
import { provisional, type Fragment } from './schemas.ts'

/** The parameters of every list. */
export const parameterComponents: Fragment = {
  Format: {
    name: 'format',
    in: 'query',
    description: '`json`. Without it, the `Accept` header decides; `Accept: application/json; indent=4` returns indented JSON. ' +
      'Browsable pages (`api`) are not part of this document.',
    schema: { type: 'string', enum: ['json'] }
  },
  Page: {
    name: 'page',
    in: 'query',
    description: 'One page of the list, from 1, in an envelope; `last` is a page too. ' +
      'Without it the response is the plain array, or the first page where the list is always a page.',
    schema: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'string', const: 'last' }] },
    ...provisional('F15')
  },
  PageSize: {
    name: 'page_size',
    in: 'query',
    description: 'Records on a page; ignored if the response is the plain array.',
    schema: { type: 'integer', minimum: 1, maximum: maxPageSize, default: defaultPageSize },
    ...provisional('D3')
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of an earlier response for the same URL; if nothing has changed, the response is 304.',
    schema: { type: 'string' },
    ...provisional('D19')
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description: 'With `handling=strict` (RFC 7240), parameters that the list otherwise ignores are 400.',
    schema: { type: 'string' },
    ...provisional('D24')
  }
}

const ref = (name: string) => ({ $ref: `#/components/parameters/${name}` })
const commaList = { style: 'form', explode: false }

export function parametersOf (resource: Resource): Fragment[] {
  const filters = Object.entries(resource.filters).map(([name, filter]) => filterParameter(name, filter))
  return [ref('Format'), ...ordering(resource), ref('Page'), ref('PageSize'), ...filters, ref('IfNoneMatch'), ref('Prefer')]
}

export const metadataParameters = [ref('Format')]

function ordering ({ sortable, access }: Resource): Fragment[] {
  if (sortable.length === 0) return []
  const field = { type: 'string', enum: sortable.flatMap(field => [field, `-${field}`]) }
  const common = { name: 'ordering', in: 'query' }
  const otherwise = 'Without it, records are sorted by ascending `id`.'
  if (access === 'public') {
    return [{ ...common, description: `The field to sort by; a leading \`-\` sorts in descending order. ${otherwise}`, schema: field }]
  }
  const description = 'The fields to sort by, separated by commas; a leading `-` sorts in descending order. ' +
    `Null sorts last in both directions. ${otherwise}`
  return [{ ...common, ...commaList, description, schema: { type: 'array', items: field }, ...provisional('D38') }]
}

const compared: Readonly<Record<Comparison, string>> = { '': 'equal to', __gte: 'at least', __lte: 'at most' }

type Taken = (filter: { field: string, comparison: Comparison, fields: readonly string[] }) => Fragment

const number = (type: string): Taken => ({ field, comparison }) => ({
  description: `\`${field}\` is ${compared[comparison]} this number.`,
  schema: { type }
})

const kinds: Readonly<Record<FilterKind, Taken>> = {
  search: ({ fields }) => {
    const places = fields.map(field => `\`${field}\``).join(', ').replace(/, (?=[^,]*$)/, ' or ')
    return { description: `Words; each must occur in ${places}. Case is ignored.`, schema: { type: 'string' } }
  },
  anyOf: ({ field }) => ({
    ...commaList,
    description: `Any of these values of \`${field}\`, separated by commas or in repeated parameters. Case is ignored.`,
    schema: { type: 'array', items: { type: 'string' } }
  }),
  boolean: ({ field }) => ({ description: `Whether \`${field}\` is true.`, schema: { type: 'boolean' } }),
  integer: number('integer'),
  decimal: number('number'),
  date: ({ field, comparison }) => ({
    description: `\`${field}\` is ${compared[comparison]} this date, or date and time; UTC if it has no offset.`,
    schema: { anyOf: [{ type: 'string', format: 'date' }, { type: 'string', format: 'date-time' }] }
  })
}

function filterParameter (name: string, { kind, comparison, fields }: Filter): Fragment {
  const field = name.slice(0, name.length - comparison.length)
  return { name, in: 'query', ...provisional('D36'), ...kinds[kind]({ field, comparison, fields }) }
}
