import { isDeepStrictEqual } from 'node:util'
import type { TObject } from '@sinclair/typebox'
import { Ajv, type ErrorObject } from 'ajv'
import addFormats from 'ajv-formats'
import { records as schemas } from '../../schemas/lists.ts'
import { groupBy } from '../base/group.ts'
import { isPlainObject, type JsonObject } from '../base/json.ts'
import { isTimestamp } from '../base/timestamps.ts'
import { requirementOf } from '../catalogue/authored/validate.ts'
import { repeatedNames } from '../catalogue/errors/positions.ts'
import { createSource } from '../catalogue/errors/source.ts'
import { contractOf, neutralName, schemaFields, type SchemaField } from '../catalogue/schema-fields.ts'
import { urlOf } from '../client/client.ts'
import type { Resource } from '../lists/resources.ts'
import { byAccess, expect, type Found } from './check.ts'
import { named, shown, type Exchange, type Property, type Session } from './exchange.ts'

/** Returns whether records have a field of a type, at any depth. */
export const has = (type: SchemaField['type']) => ({ record }: Resource) => schemaFields(record).some(field => field.type === type)

/** Fields of the v1 bike that are always null in the specification. */
const unseen = ['rating', 'weight_kg']

/** Objects that a bike may lack. */
const optional = ['wheels', 'tyre', 'groupset']

/** Rules of schemas that the specification does not state (contract D7, D9). */
const unstated = ['minimum', 'maximum', 'minLength', 'maxItems', 'uniqueItems', 'const', 'enum']

const ajv = addFormats.default(new Ajv({ allErrors: true, verbose: true, strict: false, strictNumbers: false }))
ajv.addFormat('date-time', isTimestamp)

type Part = 'schema' | 'timestamps' | 'image-urls' | 'values'

/** Returns the check that reports an error: stated fields, timestamps, images, or points that the specification leaves open. */
function partOf (resource: Resource, { keyword, instancePath, params, data }: ErrorObject): Part {
  const [, field = ''] = instancePath.split('/')
  const isConvention = keyword === 'format' && (resource.access === 'public' || (field in schemas.bikes.properties && field !== 'reviews'))
  if (resource.access === 'token' && !isConvention) return 'schema'
  if (unseen.includes(field) || unstated.includes(keyword) || (field === 'slug' && keyword === 'pattern')) return 'values'
  if (resource.isPartlyStated && keyword === 'additionalProperties') return 'values'
  if (keyword === 'required' && instancePath === '' && optional.includes(String(params['missingProperty']))) return 'values'
  if (keyword !== 'format') return 'schema'
  if (params['format'] === 'date-time') return isTimestamp(String(data).replace(/(T\d\d:\d\d)Z$/, '$1:00Z')) ? 'values' : 'timestamps'
  return urlOf(data)?.protocol.startsWith('http') ? 'values' : 'image-urls' // an absolute URL, though not RFC 3986's form
}

/** Drops errors that repeat another one about the same value. */
const isCause = ({ keyword, schemaPath, parentSchema }: ErrorObject) => keyword !== 'anyOf' && !schemaPath.endsWith('/anyOf/1/type') &&
  !(keyword === 'pattern' && parentSchema?.['format'] === 'date-time')

type Difference = Found & { part: Part }

const differences = new WeakMap<Exchange, readonly Difference[]>()

/** Returns the errors of the records of a response, each kind once, with the check that reports them. */
function differencesOf (exchange: Exchange, { resource, fitness = neutralName }: Session): readonly Difference[] {
  const known = differences.get(exchange)
  if (known !== undefined) return known
  const validate = ajv.compile(contractOf(resource.key, fitness).items as TObject)
  const all = exchange.records.flatMap((record): Difference[] => {
    if (!isPlainObject(record)) return [{ part: 'schema', expected: 'records only', got: shown(record) }]
    if (validate(record)) return []
    const errors = (validate.errors as ErrorObject[]).filter(isCause).map(error => ({ error, part: partOf(resource, error) }))
    const missing = [...groupBy(errors.filter(({ error }) => error.keyword === 'required'), ({ part }) => part)].map(([part, same]) => {
      const names = same.map(({ error: { instancePath, params } }) => namesIn(`${instancePath}/${params['missingProperty']}`))
      return { part, expected: `the ${names.length > 1 ? 'fields' : 'field'} ${names.join(', ')}`, got: `none in ${named(record)}`, record }
    })
    const others = errors.filter(({ error }) => error.keyword !== 'required')
    return [...missing, ...others.map(({ error, part }) => ({ part, ...wordsOf(error, record), record }))]
  })
  const found = [...groupBy(all, ({ part, expected, kind = expected }) => `${part} ${kind}`).values()].map(([first]) => first)
  differences.set(exchange, found)
  return found
}

/** Returns a JSON Pointer as names; without positions, as the same error in several elements is one finding. */
const namesIn = (pointer: string) => pointer.slice(1).replaceAll('/', '.').replace(/\.\d+/g, '')

function wordsOf ({ keyword, instancePath, params, data, ...error }: ErrorObject, record: JsonObject) {
  const field = namesIn(instancePath)
  if (keyword === 'additionalProperties') {
    const name = String(params['additionalProperty'])
    const place = field === '' ? named(record) : `${field} of ${named(record)}`
    return { expected: 'no other field', got: `${name} in ${place}`, kind: `${field} other ${name}` }
  }
  const requirement = requirementOf({ keyword, instancePath, params, data, ...error })
  return { expected: `${field} ${requirement}`, got: `${shown(data)} in ${named(record)}` }
}

const judgePart = (part: Part): Pick<Property, 'kind' | 'judge'> =>
  ({ kind: 'list', judge: (exchange, session) => differencesOf(exchange, session).filter(difference => difference.part === part) })

/** Finds the first integer that is written as 8.0 or 8e0, by the names of fields that are always integers. */
function judgeIntegers ({ text }: Exchange, { resource: { record } }: Session): readonly Found[] {
  const fields = schemaFields(record).filter(({ type }) => type !== 'array')
  const [integers, others] = [true, false].map(isInteger =>
    fields.filter(({ type }) => (type === 'integer') === isInteger).map(({ path }) => path.replace('.*', '').split('.').at(-1)))
  const names = ['count', ...integers as string[]].filter(name => !others?.includes(name)).join('|')
  const begin = '\\[\\s*(?:-?\\d+\\s*,\\s*)*'
  const [got] = new RegExp(`"(?:${names})":\\s*(?:${begin})?-?\\d+(?:\\.0+|(?:\\.\\d+)?[eE]\\+?\\d+)(?=[\\s,}\\]])`).exec(text) ?? []
  return expect(got === undefined, 'integers without a fraction or exponent', String(got))
}

/** Matches fields that v1 leaves empty, counters and usage (they may grow between two requests), and fitness fields. */
const changing = /^(?:rating|reviews|weight_kg|usage)$|_(?:count|gear_id|lifetime_distance|last_synced)$/

/** Finds the first field of each record that differs from an earlier response. */
const judgeSame = ({ records, ids }: Exchange, { sample }: Session) => records.flatMap((record, index) => {
  const known = sample.get(ids[index] as string)
  if (known === undefined || !isPlainObject(record)) return []
  const field = Object.keys(known).find(name => !changing.test(name) && !isDeepStrictEqual(known[name], record[name])) ?? ''
  return expect(field === '', `${field} ${shown(known[field])} of ${named(record)}`, shown(record[field]), { record, kind: field })
})

/** What is true of the records of every response. */
export const recordProperties: readonly Property[] = [
  { id: 'schema', claim: "gives records of the contract's form", clause: ({ clause }) => clause, ...judgePart('schema') },
  {
    id: 'timestamps', claim: 'gives timestamps in ISO 8601 that end with Z', clause: 'S24',
    of: has('timestamp'), ...judgePart('timestamps')
  },
  { id: 'image-urls', claim: 'gives absolute URLs of images', clause: 'S25', of: has('url'), ...judgePart('image-urls') },
  {
    id: 'values', claim: 'gives values as ours', clause: resource => resource.isPartlyStated ? 'D8, D9' : 'D7, D9',
    of: ({ access }) => access === 'public', ...judgePart('values')
  },
  { id: 'integers', claim: 'writes integers without a fraction', clause: 'D49', kind: 'list', judge: judgeIntegers },
  {
    id: 'unique', claim: 'has each record once, and each of its fields', clause: 'D50', kind: 'list',
    judge: ({ ids, text }) => {
      const seen = new Set<string>()
      const index = ids.findIndex(id => id !== 'nothing' && seen.size === seen.add(id).size)
      const [repeated] = repeatedNames(createSource('', '', text))
      return [
        ...expect(index === -1, 'each id once', `record ${ids[index]} again`),
        ...expect(repeated === undefined, 'each property of an object once', `${repeated?.pointer} again`)
      ]
    }
  },
  { id: 'same', claim: 'has the same values each time', clause: byAccess('D33, D50', 'D50'), kind: 'list', judge: judgeSame },
  {
    id: 'chosen', claim: 'has bikes whose is_featured is true', clause: 'S11', of: ({ key }) => key === 'featured', kind: 'list',
    judge: ({ records }) => {
      const record = records.filter(isPlainObject).find(({ is_featured: is }) => is !== true && is !== undefined)
      if (record === undefined) return []
      return expect(false, 'is_featured true', `${shown(record['is_featured'])} in ${named(record)}`, { record })
    }
  }
]
