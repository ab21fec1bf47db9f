import type { TObject } from '@sinclair/typebox'
import { Ajv, type ErrorObject } from 'ajv'
import addFormats from 'ajv-formats'
import { records as schemas } from '../../schemas/lists.ts'
import { isPlainObject, type JsonObject } from '../base/json.ts'
import { isTimestamp } from '../base/timestamps.ts'
import { requirementOf } from '../catalogue/authored/validate.ts'
import { contractOf, neutralName } from '../catalogue/recorded/fitness.ts'
import { schemaFields, type SchemaField } from '../catalogue/schema-fields.ts'
import { urlOf } from '../client/client.ts'
import type { Resource } from '../lists/resources.ts'
import { expect, type Found } from './check.ts'
import { named, recordsIn, shown, tokens, type Context, type Exchange, type Listed, type Property } from './exchange.ts'

/** Returns whether records have a field of a type, at any depth. */
export const has = (type: SchemaField['type']) => ({ record }: Resource) => schemaFields(record).some(field => field.type === type)

const isBike = ({ key }: Resource) => ['bikes', 'featured'].includes(key)

/** Fields of the v1 bike that are always null in the specification. */
const unseen = ['rating', 'weight_kg']

/** Objects that a bike may lack. */
const optional = ['wheels', 'tyre', 'groupset']

/** Rules of schemas that the specification does not state (contract D7, D9). */
const unstated = ['minimum', 'maximum', 'minLength', 'maxItems', 'uniqueItems', 'const', 'enum']

const ajv = addFormats.default(new Ajv({ allErrors: true, verbose: true, strict: false }))
ajv.addFormat('date-time', isTimestamp)

type Part = 'schema' | 'timestamps' | 'image-urls' | 'values'

/** Returns the check that reports an error: stated fields, timestamps, images, or points that the specification leaves open. */
function partOf (resource: Resource, { keyword, instancePath, params, data }: ErrorObject): Part {
  const [, field = ''] = instancePath.split('/')
  const isConvention = keyword === 'format' && (resource.access === 'public' || (field in schemas.bikes.properties && field !== 'reviews'))
  if (resource.access === 'token' && !isConvention) return 'schema'
  if (unseen.includes(field) || unstated.includes(keyword) || (field === 'slug' && keyword === 'pattern')) return 'values'
  if (resource.isPartlyStated && keyword === 'additionalProperties') return 'values'
  const missing = keyword === 'required' && instancePath === '' && isBike(resource) ? String(params['missingProperty']) : ''
  if (optional.includes(missing)) return 'values'
  if (keyword !== 'format') return 'schema'
  if (params['format'] === 'date-time') return isTimestamp(String(data).replace(/(T\d\d:\d\d)Z$/, '$1:00Z')) ? 'values' : 'timestamps'
  return urlOf(data)?.protocol.startsWith('http') ? 'values' : 'image-urls' // an absolute URL, though not RFC 3986's form
}

/** Drops errors that repeat another one about the same value. */
const isCause = ({ keyword, schemaPath, parentSchema }: ErrorObject) => keyword !== 'anyOf' && !schemaPath.endsWith('/anyOf/1/type') &&
  !(keyword === 'pattern' && parentSchema?.['format'] === 'date-time')

/** Returns the contract of a list's records, with the server's names of the fitness fields. */
function contractFor ({ key }: Resource, { fitness: { v1, v2 } }: Context): TObject {
  return contractOf(key, (key === 'bikesV2' ? v2 ?? v1 : v1) ?? neutralName).items
}

type Differences = Readonly<Record<Part, Found[]>>

const differences = new WeakMap<Listed, Differences>()

/** Returns the errors of the records of a response, by the check that reports them. */
function differencesOf ({ resource, listed }: Exchange, context: Context): Differences {
  const { records } = listed as Listed
  const known = differences.get(listed as Listed)
  if (known !== undefined) return known
  const validate = ajv.compile(contractFor(resource, context))
  const found: Differences = { schema: [], timestamps: [], 'image-urls': [], values: [] }
  const kinds = new Set<string>()
  const isNew = (part: Part, kind: string) => kinds.size !== kinds.add(`${part} ${kind.replace(/[/.]\d+/g, '')}`).size
  for (const record of records) {
    if (!isPlainObject(record)) {
      if (isNew('schema', '')) found.schema.push({ expected: 'records only', got: shown(record) })
    } else if (!validate(record)) {
      const errors = (validate.errors as ErrorObject[]).filter(isCause).map(error => ({ error, part: partOf(resource, error) }))
      for (const part of ['schema', 'values'] as const) {
        const names = errors.filter(({ error, part: own }) => own === part && error.keyword === 'required')
          .map(({ error: { instancePath, params } }) => `${instancePath}/${String(params['missingProperty'])}`.slice(1))
          .filter(name => isNew(part, `missing ${name}`))
        const expected = `the field${names.length > 1 ? 's' : ''} ${names.join(', ').replace(/\/\d+/g, '')}`
        if (names.length > 0) found[part].push({ expected, got: `none in ${named(record)}`, record })
      }
      for (const { error, part } of errors.filter(({ error }) => error.keyword !== 'required')) {
        const difference = wordsOf(error, record)
        if (isNew(part, difference.kind)) found[part].push({ ...difference, record })
      }
    }
  }
  differences.set(listed as Listed, found)
  return found
}

function wordsOf (error: ErrorObject, record: JsonObject) {
  const field = error.instancePath.slice(1).replaceAll('/', '.')
  const place = field === '' ? named(record) : `${field} of ${named(record)}`
  if (error.keyword === 'additionalProperties') {
    const name = String(error.params['additionalProperty'])
    return { expected: 'no other field', got: `${name} in ${place}`, kind: `${field.replace(/\.\d+/g, '')} other ${name}` }
  }
  const expected = `${field} ${requirementOf(error)}`
  return { expected, got: `${shown(error.data)} in ${named(record)}`, kind: expected.replace(/\.\d+/g, '') }
}

const judgePart = (part: Part): Pick<Property, 'kind' | 'judge'> =>
  ({ kind: 'list', judge: (exchange, context) => differencesOf(exchange, context)[part] })

/** A number that no record contains. */
const mark = 2 ** -10

/** Matches an integer with a fraction or an exponent, and texts that look like one. */
const unusual = /[:[,]\s*-?\d+(?:\.0+|(?:\.\d+)?[eE]\+?\d+)\s*[,}\]]/

/** Finds the first integer written as 8.0 or 8e0. A number is an integer if a fraction in its place makes the record invalid. */
function judgeIntegers ({ resource, listed, text }: Exchange, context: Context): readonly Found[] {
  if (!unusual.test(text)) return []
  const changed = text.replace(tokens, token =>
    /^[^"]*[.eE]/.test(token) && Number.isInteger(Number(token)) ? `${Number(token) + mark}` : token)
  const validate = ajv.compile(contractFor(resource, context))
  const others = recordsIn(JSON.parse(changed)) as readonly unknown[]
  for (const [index, record] of (listed as Listed).records.entries()) {
    if (!isPlainObject(record) || validate(others[index])) continue
    const error = validate.errors?.find(({ keyword, params, data }) =>
      keyword === 'type' && [params['type']].flat().includes('integer') && typeof data === 'number' && Number.isInteger(data - mark))
    if (error === undefined) continue
    const got = `${error.instancePath.slice(1).replaceAll('/', '.')} with one in ${named(record)}`
    return expect(false, 'integers without a fraction or exponent', got, { record })
  }
  return []
}

/** Finds the first record for which a condition is true. */
const judgeEach = (
  expected: string, isWrong: (record: JsonObject) => boolean, gotOf: (record: JsonObject) => string
): Pick<Property, 'kind' | 'judge'> => ({
  kind: 'list',
  judge: ({ listed }) => {
    const record = (listed as Listed).records.filter(isPlainObject).find(isWrong)
    return record === undefined ? [] : expect(false, expected, `${gotOf(record)} in ${named(record)}`, { record })
  }
})

const slugOf = ({ category }: JsonObject) => isPlainObject(category) ? category['slug'] : undefined

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
    id: 'fields', claim: "gives the fields in the contract's order", clause: 'D8', kind: 'list',
    judge: ({ resource, listed }, context) => {
      const wanted = Object.keys(contractFor(resource, context).properties)
      const isWrong = (record: JsonObject) =>
        Object.keys(record).filter(field => wanted.includes(field)).join() !== wanted.filter(field => field in record).join()
      const record = (listed as Listed).records.filter(isPlainObject).find(isWrong)
      const got = record && `${Object.keys(record).join(', ')} in ${named(record)}`
      return record === undefined ? [] : expect(false, wanted.join(', '), String(got), { record })
    }
  },
  {
    id: 'unique', claim: 'has each record once', clause: 'D50', kind: 'list',
    judge: ({ listed }) => {
      const { ids } = listed as Listed
      const seen = new Set<string>()
      const index = ids.findIndex(id => id !== 'nothing' && seen.size === seen.add(id).size)
      return expect(index === -1, 'each id once', `the record ${ids[index]} again`)
    }
  },
  {
    id: 'category', claim: 'has the bike_type of its category.slug', clause: 'D10', of: isBike,
    ...judgeEach('bike_type to be category.slug',
      record => slugOf(record) !== undefined && record['bike_type'] !== undefined && record['bike_type'] !== slugOf(record),
      record => `${shown(record['bike_type'])} and ${shown(slugOf(record))}`)
  },
  {
    id: 'chosen', claim: 'has bikes whose is_featured is true', clause: 'S11', of: ({ key }) => key === 'featured',
    ...judgeEach('is_featured true', record => ![true, undefined].includes(record['is_featured'] as boolean),
      record => shown(record['is_featured']))
  }
]
