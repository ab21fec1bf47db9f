import type { TObject } from '@sinclair/typebox'
import { Ajv, type ErrorObject } from 'ajv'
import addFormats from 'ajv-formats'
import { contractOf, findFitnessName, neutralName } from '../catalogue/fitness.ts'
import { requirementOf } from '../catalogue/validate.ts'
import { urlOf } from '../http/client.ts'
import type { Resource } from '../lists/resources.ts'
import { isPlainObject, type JsonObject } from '../settings/json.ts'
import type { Probe } from './check.ts'
import { bikes, get, listIn, named, readList, shown } from './read.ts'

/** Fields of the v1 bike of which the specification shows null only. */
const unseen = ['rating', 'weight_kg']

/** Rules of schemas that the specification does not state (contract D7, D9). */
const unstated = ['minimum', 'maximum', 'minLength', 'maxItems', 'uniqueItems', 'const', 'enum']

/** Lists of which the specification does not show every field. */
const partlyShown = ['brakes', 'saddles', 'handlebars']

const ajv = addFormats.default(new Ajv({ allErrors: true, verbose: true, strict: false }))

/** Adds a finding for each kind of fault, with the first record that has it; a remark where the specification leaves it open. */
export async function judgeShape (probe: Probe, resource: Resource): Promise<void> {
  const { response, records } = await readList(probe, resource)
  const validate = ajv.compile(await readContract(probe, resource))
  const kinds = new Set<string>()
  for (const record of records) {
    validate(record)
    for (const error of (validate.errors ?? []).filter(isCause)) {
      const [expected, got] = wording(error, record)
      const kind = `${error.instancePath} ${expected} ${JSON.stringify(error.params['additionalProperty'])}`.replace(/[/.]\d+/g, '')
      if (kinds.has(kind)) continue
      kinds.add(kind)
      probe[isOpen(resource, error) ? 'may' : 'must'](response, false, expected, got, record)
    }
  }
}

/** Drops errors that only repeat another: a value that is neither the wanted object nor null has that of the object. */
function isCause ({ keyword, schemaPath }: ErrorObject): boolean {
  return keyword !== 'anyOf' && !schemaPath.endsWith('/anyOf/1/type')
}

/** Returns whether the specification leaves a fault open. */
function isOpen ({ key }: Resource, { keyword, instancePath, data }: ErrorObject): boolean {
  const [, field = ''] = instancePath.split('/')
  if (unseen.includes(field) || unstated.includes(keyword) || (field === 'slug' && keyword === 'pattern')) return true
  if (keyword === 'format' && urlOf(data)?.protocol.startsWith('http')) return true // an absolute URL, though not RFC 3986's form
  return partlyShown.includes(key) && keyword === 'additionalProperties'
}

function wording (error: ErrorObject, record: JsonObject): [expected: string, got: string] {
  const { keyword, params, data } = error
  const field = error.instancePath.slice(1).replaceAll('/', '.')
  const place = field === '' ? named(record) : `${field} of ${named(record)}`
  if (keyword === 'required') return [`the field ${params['missingProperty']}`, `none in ${place}`]
  if (keyword === 'additionalProperties') return ['no other field', `${params['additionalProperty']} in ${place}`]
  return [`${field} ${requirementOf(error)}`, `${shown(data)} in ${named(record)}`]
}

/** Returns the word that a server's bikes have in place of `fitness` (contract S27). */
export async function readFitnessName (probe: Probe): Promise<string> {
  const list = listIn(await get(probe, bikes))
  return findFitnessName(list?.results.filter(isPlainObject) ?? []) ?? neutralName
}

/** Returns the contract of a list's records, with the server's name of the fitness fields. */
export async function readContract (probe: Probe, { key }: Resource): Promise<TObject> {
  return contractOf(key, await readFitnessName(probe)).items
}
