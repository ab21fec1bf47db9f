import { Ajv, type ErrorObject } from 'ajv'
import addFormats from 'ajv-formats'
import { requirementOf } from '../catalogue/validate.ts'
import { urlOf } from '../http/client.ts'
import type { Resource } from '../lists/resources.ts'
import { isPlainObject, type JsonObject } from '../settings/json.ts'
import { Untried, type Probe } from './check.ts'
import { bikes, named, readList, shown, type List } from './read.ts'

/** Fields of the v1 bike of which the specification shows null only. */
const unseen = ['rating', 'weight_kg']

/** Rules of schemas that the specification does not state (contract D7, D9). */
const unstated = ['minimum', 'maximum', 'minLength', 'maxItems', 'uniqueItems', 'const', 'enum']

/** Lists of which the specification does not show every field. */
const partlyShown = ['brakes', 'saddles', 'handlebars']

const ajv = addFormats.default(new Ajv({ allErrors: true, verbose: true, strict: false }))

/** Adds a finding for each kind of fault, with the first record that has it; a remark where the specification leaves it open. */
export async function judgeShape (probe: Probe, resource: Resource): Promise<void> {
  const { response, records, sent, fitnessName } = await readRenamed(probe, resource)
  const validate = ajv.compile(resource.record)
  const kinds = new Set<string>()
  for (const [index, record] of records.entries()) {
    validate(record)
    for (const error of (validate.errors ?? []).filter(isCause)) {
      const [expected, got] = wording(error, record, fitnessName)
      const kind = `${error.instancePath} ${expected} ${JSON.stringify(error.params['additionalProperty'])}`.replace(/[/.]\d+/g, '')
      if (kinds.has(kind)) continue
      kinds.add(kind)
      probe[isOpen(resource, error) ? 'may' : 'must'](response, false, expected, got, sent[index])
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

function wording (error: ErrorObject, record: JsonObject, fitnessName: string): [expected: string, got: string] {
  const { keyword, params, data } = error
  const sentName = (name: string) => name.replace(/^fitness(?=_)/, fitnessName)
  const field = sentName(error.instancePath.slice(1)).replaceAll('/', '.')
  const place = field === '' ? named(record) : `${field} of ${named(record)}`
  if (keyword === 'required') return [`the field ${sentName(String(params['missingProperty']))}`, `none in ${place}`]
  if (keyword === 'additionalProperties') return ['no other field', `${params['additionalProperty']} in ${place}`]
  return [`${field} ${requirementOf(error)}`, `${shown(data)} in ${named(record)}`]
}

/** The parts of the names of a bike's fitness fields that follow the name of the fitness-tracking service. */
const endings = ['_gear_id', '_lifetime_distance', '_last_synced']

/** Returns the word that a server has in place of `fitness` (contract S27): that of its first bike, if the three fields agree. */
async function readFitnessName (probe: Probe): Promise<string> {
  try {
    const [bike = {}] = (await readList(probe, bikes)).records
    const name = Object.keys(bike).find(field => field.endsWith('_gear_id'))?.replace('_gear_id', '')
    return name !== undefined && endings.every(ending => name + ending in bike) ? name : 'fitness'
  } catch (error) {
    if (error instanceof Untried) return 'fitness'
    throw error
  }
}

type Renamed = List & { sent: List['records'], fitnessName: string }

/** Reads a whole list; its records have the contract's names of the fitness fields, as far as those sent have the server's. */
export async function readRenamed (probe: Probe, resource: Resource): Promise<Renamed> {
  const fitnessName = await readFitnessName(probe)
  const { response, records: sent } = await readList(probe, resource)
  const names = new Map(['', ...endings].map(ending => [fitnessName + ending, `fitness${ending}`]))
  const rename = (record: JsonObject): JsonObject => Object.fromEntries(Object.entries(record)
    .map(([field, value]) => [names.get(field) ?? field, field === 'usage' && isPlainObject(value) ? rename(value) : value]))
  return { response, records: sent.map(rename), sent, fitnessName }
}
