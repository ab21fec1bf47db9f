import { Ajv, type ErrorObject } from 'ajv'
import addFormats from 'ajv-formats'
import { Bike } from '../../schemas/v1/bike.ts'
import { requirementOf } from '../catalogue/validate.ts'
import type { JsonObject } from '../http/client.ts'
import type { Resource } from '../lists/resources.ts'
import type { Probe } from './check.ts'
import { named, shown, type List } from './read.ts'

/** Fields of the v1 bike of which the specification shows one value only. */
const unseen = ['rating', 'reviews', 'weight_kg', 'status']

/** Lists of which the specification does not show every field. */
const partlyShown = ['brakes', 'saddles', 'handlebars']

const ajv = addFormats.default(new Ajv({ allErrors: true, verbose: true, strict: false }))

/** Adds a finding for each kind of fault, with the first record that has it; a remark where the specification leaves it open. */
export function judgeShape (probe: Probe, resource: Resource, { response, records }: List): void {
  const validate = ajv.compile(resource.record)
  const kinds = new Set<string>()
  for (const record of records) {
    validate(record)
    for (const error of (validate.errors ?? []).filter(isCause)) {
      const kind = `${error.instancePath.replace(/\/\d+/g, '')} ${error.keyword} ${JSON.stringify(error.params)}`
      if (kinds.has(kind)) continue
      kinds.add(kind)
      const [expected, got] = wording(error, record)
      probe[isOpen(resource, error) ? 'may' : 'must'](response, false, expected, got, record)
    }
  }
}

/** Drops errors that only repeat another: a value that is neither the wanted object nor null has that of the object. */
function isCause ({ keyword, schemaPath }: ErrorObject): boolean {
  return keyword !== 'anyOf' && !schemaPath.endsWith('/anyOf/1/type')
}

/** Returns whether the specification leaves a fault open. */
function isOpen ({ key, access }: Resource, { keyword, params, instancePath }: ErrorObject): boolean {
  const [, field = ''] = instancePath.split('/')
  const isNewInV2 = keyword === 'required' && instancePath === '' && !(params['missingProperty'] in Bike.properties)
  if (access === 'token') return keyword === 'additionalProperties' || isNewInV2
  return unseen.includes(field) || (partlyShown.includes(key) && keyword === 'additionalProperties')
}

function wording (error: ErrorObject, record: JsonObject): [expected: string, got: string] {
  const { instancePath, keyword, params, data } = error
  const field = instancePath.slice(1).replaceAll('/', '.')
  const place = field === '' ? named(record) : `${field} of ${named(record)}`
  if (keyword === 'required') return [`the field ${params['missingProperty']}`, `none in ${place}`]
  if (keyword === 'additionalProperties') return ['no other field', `${params['additionalProperty']} in ${place}`]
  return [`${field} ${requirementOf(error)}`, `${shown(data)} in ${named(record)}`]
}
