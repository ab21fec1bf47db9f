import { comparisons, filterKinds, type Filter, type FilterKind } from '../../src/lists/filter.ts'
import { defaultPageSize, maxPageSize } from '../../src/lists/page.ts'
import type { Resource } from '../../src/lists/resources.ts'
import { provisional, type Fragment } from './schemas.ts'

/** The parameters of every list. */
export const parameterComponents: Fragment = {
  Format: {
    name: 'format',
    in: 'query',
    description: '`json`, or `api` for a browsable page. Without it, the `Accept` header decides; ' +
      '`Accept: application/json; indent=4` ' +
      'returns indented JSON.',
    schema: { type: 'string', enum: ['json', 'api'] }
  },
  Page: {
    name: 'page',
    in: 'query',
    description: 'One page of the list, from 1, in an envelope; `last` is a page too. ' +
      'Without it the list is unpaged, or its first page if it is always paged.',
    schema: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'string', const: 'last' }] },
    ...provisional('F15')
  },
  PageSize: {
    name: 'page_size',
    in: 'query',
    description: 'Records on a page; ignored if the list is unpaged.',
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
  const filters = Object.values(resource.filters).map(filterParameter)
  const common = [ref('Page'), ref('PageSize'), ...filters, ref('IfNoneMatch'), ref('Prefer')]
  return [ref('Format'), ...ordering(resource), ...common]
}

export const metadataParameters = [ref('Format')]

function ordering ({ sortable, access }: Resource): Fragment[] {
  if (sortable.length === 0) return []
  const field = { type: 'string', enum: sortable.flatMap(field => [field, `-${field}`]) }
  const common = { name: 'ordering', in: 'query' }
  const otherwise = 'Without it, records are sorted by ascending `id`.'
  if (access === 'public') {
    const description = `The field to sort by; a leading \`-\` sorts in descending order. ${otherwise}`
    return [{ ...common, description, schema: field }]
  }
  const description = 'The fields to sort by, separated by commas; a leading `-` sorts in descending order. ' +
    `Null sorts last in both directions. ${otherwise}`
  return [{ ...common, ...commaList, description, schema: { type: 'array', items: field }, ...provisional('D38') }]
}

function quoted (fields: readonly string[]): string {
  const names = fields.map(field => `\`${field}\``)
  return names.join(', ').replace(/, (?=[^,]*$)/, ' or ')
}

const isCompared = ({ fields, comparison }: Filter) => `${quoted(fields)} is ${comparisons[comparison].words}`
const isNumber = (filter: Filter) => `${isCompared(filter)} this number.`

const descriptions: Readonly<Record<FilterKind, (filter: Filter) => string>> = {
  search: ({ fields }) => `Words; each must occur in ${quoted(fields)}. Case is ignored.`,
  anyOf: ({ fields }) =>
    `Any of these values of ${quoted(fields)}, separated by commas or in repeated parameters. Case is ignored.`,
  boolean: ({ fields }) => `Whether ${quoted(fields)} is true.`,
  integer: isNumber,
  decimal: isNumber,
  date: filter => `${isCompared(filter)} this date, or date and time; UTC if it has no offset.`
}

function filterParameter (filter: Filter): Fragment {
  const { schema, takesSeveral } = filterKinds[filter.kind]
  const description = descriptions[filter.kind](filter)
  const style = takesSeveral ? commaList : {}
  return { name: filter.name, in: 'query', ...provisional('D36'), ...style, description, schema }
}
