import type { TObject } from '@sinclair/typebox'
import { Ajv, type ErrorObject } from 'ajv'
import addFormats from 'ajv-formats'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { contractOf, findFitnessName, nameFitness, neutralName } from '../catalogue/recorded/fitness.ts'
import { requirementOf } from '../catalogue/authored/validate.ts'
import { urlOf } from '../client/client.ts'
import { resources, type Resource } from '../lists/resources.ts'
import { isPlainObject, type JsonObject } from '../base/json.ts'
import { reasonOf, type Probe } from './check.ts'
import { bikes, get, listIn, named, readList, shown } from './read.ts'

/** Fields of the v1 bike of which the specification shows null only. */
const unseen = ['rating', 'weight_kg']

/** Rules of schemas that the specification does not state (contract D7, D9). */
const unstated = ['minimum', 'maximum', 'minLength', 'maxItems', 'uniqueItems', 'const', 'enum']

/** Lists of which the specification does not show every field. */
const partlyShown = ['brakes', 'saddles', 'handlebars']

const ajv = addFormats.default(new Ajv({ allErrors: true, verbose: true, strict: false }))

/** Adds a finding for each kind of error, with the first record that has it; a warning where the specification leaves it open. */
export async function judgeShape (probe: Probe, resource: Resource): Promise<void> {
  const { response, records } = await readList(probe, resource)
  const validate = ajv.compile(await readContract(probe, resource))
  const kinds = new Set<string>()
  for (const record of records) {
    validate(record)
    for (const error of (validate.errors ?? []).filter(isCause)) {
      const [expected, got] = wording(error, record)
      const kind = `${error.instancePath} ${expected} ${JSON.stringify(error.params['additionalProperty'])}`.replace(/[/.]\d+/g, '')
      if (!kinds.has(kind)) probe[isOpen(resource, error) ? 'may' : 'must'](response, false, expected, got, record)
      kinds.add(kind)
    }
  }
}

/** Drops errors that only repeat another: a value that is neither the wanted object nor null has that of the object. */
const isCause = ({ keyword, schemaPath }: ErrorObject) => keyword !== 'anyOf' && !schemaPath.endsWith('/anyOf/1/type')

/** Returns whether the specification leaves an error open. */
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
async function readFitnessName (probe: Probe): Promise<string> {
  const list = listIn(await get(probe, bikes))
  return findFitnessName(list?.results.filter(isPlainObject) ?? []) ?? neutralName
}

/** Returns the contract of a list's records, with the server's name of the fitness fields. */
export async function readContract (probe: Probe, { key }: Resource): Promise<TObject> {
  return contractOf(key, await readFitnessName(probe)).items
}

/** The differences of a list from our own catalogue by id, or the reason why there was no list. */
export type Difference = { list: string, missing: number[], extra: number[], changed: { id: number, fields: string[] }[] } |
  { list: string, unread: string }

/** Compares every list with the catalogue's, with the server's name of the fitness fields; URLs by path, because origins differ. */
export async function compare (probe: Probe, catalogue: Catalogue): Promise<Difference[]> {
  const differences: Difference[] = []
  const fitnessName = await readFitnessName(probe)
  for (const resource of resources) {
    const { key, path: list } = resource
    const read = await readList(probe, resource).catch(reasonOf)
    if (typeof read === 'string') differences.push({ list, unread: read })
    else {
      const [own, sent] = [byId(nameFitness(catalogue[key], fitnessName)), byId(read.records)]
      const missing = [...own.keys()].filter(id => !sent.has(id))
      const extra = [...sent.keys()].filter(id => !own.has(id))
      const changed = [...own].filter(([id]) => sent.has(id))
        .map(([id, record]) => ({ id, fields: fieldsThatDiffer(record, sent.get(id) as JsonObject, probe.pathOf('')) }))
        .filter(({ fields }) => fields.length > 0)
      if (missing.length + extra.length + changed.length > 0) differences.push({ list, missing, extra, changed })
    }
  }
  return differences
}

const byId = (records: readonly JsonObject[]) =>
  new Map(records.map(record => [typeof record['id'] === 'number' ? record['id'] : NaN, record] as const))

function fieldsThatDiffer (own: JsonObject, sent: JsonObject, base: string): string[] {
  return Object.keys({ ...own, ...sent }).filter(field => comparable(own[field], '') !== comparable(sent[field], base))
}

/** Returns a value as JSON; its URLs are paths relative to a base, as far as they are below it. */
function comparable (value: unknown, base: string): string | undefined {
  return JSON.stringify(value)?.replaceAll(/"https?:\/\/[^/"]+(\/[^"]*)"/g, (_, path: string) =>
    `"${path.startsWith(`${base}/`) ? path.slice(base.length) : path}"`)
}
