import type { TObject } from '@sinclair/typebox'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { Bike } from '../../schemas/v1/bike.ts'
import type { Resource } from '../lists/resources.ts'
import { named, shown, type Sent } from './read.ts'

/** What is wrong with a record; silent where the specification leaves it open. */
export type ShapeFault = { isSilent: boolean, expected: string, got: string, record: Sent }

/** Fields of the v1 bike of which one value was seen, and whose other values are "not shown". */
const unseen = ['rating', 'reviews', 'weight_kg', 'status']

/** Lists whose whole set of fields is "not shown". */
const partlyShown = ['brakes', 'saddles', 'handlebars']

const known = new Map<TObject, ValidateFunction>()

function validatorOf (schema: TObject): ValidateFunction {
  const validate = known.get(schema) ?? addFormats.default(new Ajv({ allErrors: true, verbose: true, strict: false })).compile(schema)
  known.set(schema, validate)
  return validate
}

/** Each kind of fault once, with the first record that shows it. */
export function faultsOf (resource: Resource, records: readonly Sent[]): ShapeFault[] {
  const validate = validatorOf(resource.record)
  const faults = new Map<string, ShapeFault>()
  for (const record of records) {
    if (validate(record)) continue
    for (const error of (validate.errors as ErrorObject[]).filter(isCause)) {
      const kind = `${error.instancePath.replace(/\/\d+/g, '')} ${error.keyword} ${JSON.stringify(error.params)}`
      if (!faults.has(kind)) faults.set(kind, { isSilent: isSilent(resource, error), record, ...wording(error, record) })
    }
  }
  return [...faults.values()]
}

/** Of a value that is neither the object wanted nor null, the fault of the object says enough. */
function isCause ({ keyword, schemaPath }: ErrorObject): boolean {
  return keyword !== 'anyOf' && !schemaPath.endsWith('/anyOf/1/type')
}

function isSilent ({ key, access }: Resource, { keyword, params, instancePath }: ErrorObject): boolean {
  const [, field = ''] = instancePath.split('/')
  const isNewInV2 = keyword === 'required' && instancePath === '' && !(params['missingProperty'] in Bike.properties)
  if (access === 'token') return keyword === 'additionalProperties' || isNewInV2
  return unseen.includes(field) || (partlyShown.includes(key) && keyword === 'additionalProperties')
}

type Wording = Pick<ShapeFault, 'expected' | 'got'>

function wording ({ instancePath, keyword, message = keyword, params, data }: ErrorObject, record: Sent): Wording {
  const field = instancePath.slice(1).replaceAll('/', '.')
  const place = field === '' ? named(record) : `${field} of ${named(record)}`
  if (keyword === 'required') return { expected: `the field ${params['missingProperty']}`, got: `none in ${place}` }
  if (keyword === 'additionalProperties') return { expected: 'no other field', got: `${params['additionalProperty']} in ${place}` }
  return { expected: `${field} ${message}`, got: `${shown(data)} in ${named(record)}` }
}
