import type { TSchema } from '@sinclair/typebox'
import { html } from 'ghtml'
import type { Keywords } from '../../schemas/common.ts'
import { isPlainObject } from '../settings/json.ts'
import { count, factList, textOf } from './record.ts'

/** The most fields that the contract lacks and a record shows, and the most that are shown unfolded. */
const [maxOthers, unfolded] = [20, 6]

/** Returns a table of a record's values that the contract lacks or types otherwise. */
export function otherFields (contract: TSchema, record: object): string {
  const others = beyond(contract, record)
  if (others.length === 0) return ''
  const rest = others.length - maxOthers
  return html`<details class="beyond"!${others.length > unfolded ? '' : ' open'}>
<summary>${count(others.length, 'field')} ${others.length === 1 ? 'differs' : 'differ'} from the contract</summary>
!${factList(others.slice(0, maxOthers).map(([path, value]) => [path || '""', valueOf(value)]))}
!${rest > 0 ? html`<p class="small muted">${rest} more in the JSON</p>` : ''}</details>
`
}

function valueOf (value: unknown): string {
  if (typeof value === 'object' && value !== null) return html`<code>${textOf(JSON.stringify(value))}</code>`
  return typeof value === 'boolean' ? String(value) : html`${textOf(value) || '—'}`
}

/** Returns the paths and values of what a value has and its schema lacks or types otherwise. */
function beyond (schema: TSchema, value: unknown, path = ''): [path: string, value: unknown][] {
  const { type, anyOf: [either] = [], properties, items, maxItems = Infinity } = schema as Keywords
  if (either !== undefined) return value === null ? [] : beyond(either, value, path)
  if (properties !== undefined && isPlainObject(value)) {
    return Object.entries(value).flatMap(([name, inner]) => {
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined
      const own = path === '' ? name : `${path}.${name}`
      return field === undefined ? [[own, inner]] : beyond(field, inner, own)
    })
  }
  if (items !== undefined && Array.isArray(value)) {
    return value.length > maxItems ? [[path, value]] : value.flatMap((item, index) => beyond(items, item, `${path}[${index}]`))
  }
  return type === undefined || [type].flat().some(type => typesOf(value).includes(type)) ? [] : [[path, value]]
}

function typesOf (value: unknown): string[] {
  if (value === null) return ['null']
  if (Array.isArray(value)) return ['array']
  return Number.isInteger(value) ? ['integer', 'number'] : [typeof value]
}
