import { isDeepStrictEqual } from 'node:util'
import type { TObject } from '@sinclair/typebox'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { records as schemas, type ListKey } from '../../schemas/lists.ts'
import { isPlainObject, type JsonObject } from '../base/json.ts'
import { isTimestamp } from '../base/timestamps.ts'
import { requirementOf } from '../catalogue/authored/validate.ts'
import { repeatedNames } from '../catalogue/errors/positions.ts'
import { createSource } from '../catalogue/errors/source.ts'
import { contractOf, neutralName, schemaFields, type SchemaField } from '../catalogue/schema-fields.ts'
import { urlOf } from '../client/client.ts'
import type { Resource } from '../lists/resources.ts'
import { memoise } from '../lists/table.ts'
import { isListed } from '../service/read.ts'
import { byAccess, difference, expect, type Differences, type Found } from './check.ts'
import {
  named, shown, shownPair, type Exchange, type Property, type RecordPart, type Session
} from './exchange.ts'

/** Returns whether records have a field of a type, at any depth. */
export const has = (type: SchemaField['type']) => ({ record }: Resource) =>
  schemaFields(record).some(field => field.type === type)

/** Fields of the v1 bike that are always null in the specification. */
const unseen = ['rating', 'weight_kg']

/** Objects that a bike may lack. */
const optional = ['wheels', 'tyre', 'groupset']

/** Rules of schemas that the specification does not state (contract D7, D9). */
const unstatedRules = ['minimum', 'maximum', 'minLength', 'maxItems', 'uniqueItems', 'const', 'enum']

const recordAjv = addFormats.default(new Ajv({ allErrors: true, verbose: true, strict: false, strictNumbers: false }))
recordAjv.addFormat('date-time', isTimestamp)

/** Returns the check that reports an error: of stated fields, timestamps, images, or what is left open. */
function recordPart ({ access, isPartlyStated }: Resource, error: ErrorObject): RecordPart {
  const { keyword, instancePath, params, data } = error
  const [, field = ''] = instancePath.split('/')
  const isFormat = keyword === 'format'
  // The specification states some forms for every list.
  const isConvention = isFormat && field in schemas.bikes.properties && field !== 'reviews'
  if (access === 'token' && !isConvention) return 'schema'
  if (unseen.includes(field) || unstatedRules.includes(keyword)) return 'values'
  if (field === 'slug' && keyword === 'pattern') return 'values'
  if (isPartlyStated && keyword === 'additionalProperties') return 'values'
  if (instancePath === '' && optional.includes(params['missingProperty'])) return 'values'
  if (!isFormat) return 'schema'
  if (params['format'] === 'date-time') return isAlmostTimestamp(String(data)) ? 'values' : 'timestamps'
  const isAbsolute = urlOf(data)?.protocol.startsWith('http') // though not in the form of RFC 3986
  return isAbsolute ? 'values' : 'image-urls'
}

/** Returns whether a string is a timestamp but for absent seconds, or a leap second (RFC 3339, 5.7). */
const isAlmostTimestamp = (text: string) =>
  isTimestamp(text.replace(/(T\d\d:\d\d)Z$/, '$1:00Z').replace(/:59:60(?=[.Z])/, ':59:59'))

/** Returns false for an error that only repeats another one about the same value. */
function isCause ({ keyword, schemaPath, parentSchema }: ErrorObject): boolean {
  if (keyword === 'anyOf' || schemaPath.endsWith('/anyOf/1/type')) return false
  return keyword !== 'pattern' || parentSchema?.['format'] !== 'date-time'
}

type RecordError = Exchange['errors'][number]

/** Returns the errors of records, each kind once, with the check that reports them. */
export function recordErrors (records: readonly unknown[], session: Session): RecordError[] {
  const { resource, fitness = neutralName } = session
  const validate = recordAjv.compile(contractOf(resource.key, fitness).items as TObject)
  const found = new Map<string, RecordError>()
  for (const record of records) {
    for (const error of errorsOfRecord(record, resource, validate)) {
      const kind = `${error.part} ${error.kind ?? error.expected}`
      if (!found.has(kind)) found.set(kind, error)
    }
  }
  return [...found.values()]
}

function errorsOfRecord (record: unknown, resource: Resource, validate: ValidateFunction): RecordError[] {
  if (!isPlainObject(record)) return [{ part: 'schema', expected: 'records only', got: shown(record) }]
  if (validate(record)) return []
  const errors: RecordError[] = []
  const missing = new Map<RecordPart, RecordError>()
  for (const error of (validate.errors as ErrorObject[]).filter(isCause)) {
    const part = recordPart(resource, error)
    const words = errorWords(error, record)
    const known = missing.get(part)
    if (error.keyword !== 'required') errors.push({ part, record, ...words })
    else if (known === undefined) missing.set(part, { part, record, ...words })
    else known.expected += `, ${words.expected}`
  }
  return [...missing.values(), ...errors]
}

/** Returns a JSON Pointer as names; without positions, as the same error in several elements is one finding. */
const pathWithin = (pointer: string) => pointer.slice(1).replaceAll('/', '.').replace(/\.\d+/g, '')

function errorWords (error: ErrorObject, record: JsonObject) {
  const field = pathWithin(error.instancePath)
  if (error.keyword === 'required') {
    const missing = pathWithin(`${error.instancePath}/${error.params['missingProperty']}`)
    return { expected: missing, got: `none in ${named(record)}` }
  }
  if (error.keyword === 'additionalProperties') {
    const name = String(error.params['additionalProperty'])
    const place = field === '' ? named(record) : `${field} of ${named(record)}`
    return { expected: 'no other field', got: `${name} in ${place}`, kind: `${field} other ${name}` }
  }
  return { expected: `${field} ${requirementOf(error)}`, got: `${shown(error.data)} in ${named(record)}` }
}

const judgePart = (part: RecordPart): Pick<Property, 'concerns' | 'judge'> => ({
  concerns: isListed,
  judge: ({ errors }) => errors.filter(error => error.part === part)
})

/** Finds the first integer that is written as 8.0 or 8e0, by the names of fields that are always integers. */
function judgeIntegers ({ text }: Exchange, { resource: { key } }: Session): Differences {
  const match = integerPatterns(key).exec(text)
  const got = String(match?.[0])
  return expect(match === null, 'integers without a fraction or exponent', got)
}

const integerPatterns = memoise((key: ListKey): RegExp => {
  const integers = new Set(['count'])
  const others = new Set<string>()
  for (const { type, path } of schemaFields(schemas[key])) {
    const name = path.replace('.*', '').split('.').at(-1) as string
    if (type === 'integer') integers.add(name)
    else if (type !== 'array') others.add(name)
  }
  const names = [...integers].filter(name => !others.has(name))
  const begin = '\\[\\s*(?:-?\\d+\\s*,\\s*)*' // the integers before it in an array
  const number = '-?\\d+(?:\\.0+|(?:\\.\\d+)?[eE]\\+?\\d+)'
  return new RegExp(`"(?:${names.join('|')})":\\s*(?:${begin})?${number}(?=[\\s,}\\]])`)
})

/** Matches fields that v1 leaves empty, counters and usage (they may grow between two requests), and fitness fields. */
export const changing = /^(?:rating|reviews|weight_kg|usage)$|_(?:count|gear_id|lifetime_distance|last_synced)$/

/** Finds the first field of each record that differs from an earlier response, and the counters that do. */
function judgeValues ({ records, ids }: Exchange, { sample, changing: counters }: Session): Differences {
  const found: Found[] = []
  for (const [index, record] of records.entries()) {
    const known = sample.get(ids[index] as string)
    if (known === undefined || !isPlainObject(record)) continue
    const others = Object.keys(known).filter(name => !isDeepStrictEqual(known[name], record[name]))
    for (const name of others) if (name.endsWith('_count')) counters.add(name)
    const field = others.find(name => !changing.test(name))
    if (field === undefined) continue
    const [expected, got] = shownPair(known[field], record[field])
    found.push({ expected: `${field} ${expected} of ${named(record)}`, got, record, kind: field })
  }
  return found
}

/** Finds the first record that occurs again, and the first property that its object has twice. */
function judgeUnique ({ ids, text, records }: Exchange): Differences {
  const seen = new Set<string>()
  const index = ids.findIndex(id => id !== 'nothing' && seen.size === seen.add(id).size)
  const [repeated] = repeatedNames(createSource('', '', text))
  const [position = '', ...names] = repeated?.pointer.replace(/^\/(?:results\/)?/, '').split('/') ?? []
  const record = records[Number(position)]
  const number = `number ${Number(position) + 1}`
  const place = isPlainObject(record) ? `${names.join('.')} of ${named(record)} (${number})` : position
  return [
    ...expect(index === -1, 'each id once', `record ${ids[index]} again`),
    ...expect(repeated === undefined, 'each property of an object once', `${place} again`)
  ]
}

function judgeFeatured ({ records }: Exchange): Differences {
  const isWrong = ({ is_featured: value }: JsonObject) => value !== true && value !== undefined
  const record = records.filter(isPlainObject).find(isWrong)
  if (record === undefined) return []
  const got = `${shown(record['is_featured'])} in ${named(record)}`
  return difference('is_featured true', got, { record })
}

/** What is true of the records of every response. */
export const recordProperties: readonly Property[] = [
  {
    id: 'schema', claim: "gives records of the contract's form", clause: ({ clause }) => clause,
    ...judgePart('schema')
  },
  {
    id: 'timestamps', claim: 'gives timestamps in ISO 8601 that end with Z', clause: 'S24',
    of: has('timestamp'), ...judgePart('timestamps')
  },
  {
    id: 'image-urls', claim: 'gives absolute URLs of images', clause: 'S25',
    of: has('url'), ...judgePart('image-urls')
  },
  {
    id: 'values', claim: 'gives values as ours', clause: resource => resource.isPartlyStated ? 'D8, D9' : 'D7, D9',
    of: ({ access }) => access === 'public', ...judgePart('values')
  },
  {
    id: 'integers', claim: 'writes integers without a fraction', clause: 'D49', concerns: isListed, judge: judgeIntegers
  },
  {
    id: 'unique', claim: 'has each record once, and each of its fields', clause: 'D50',
    concerns: isListed, judge: judgeUnique
  },
  {
    id: 'same', claim: 'has the same values each time', clause: byAccess('D33, D50', 'D50'),
    concerns: isListed, judge: judgeValues
  },
  {
    id: 'chosen', claim: 'has bikes whose is_featured is true', clause: 'S11',
    of: ({ key }) => key === 'featured',
    concerns: isListed, judge: judgeFeatured
  }
]
