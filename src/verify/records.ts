import type { TObject } from '@sinclair/typebox'
import { Ajv, type ErrorObject } from 'ajv'
import addFormats from 'ajv-formats'
import { isPlainObject, type JsonObject } from '../base/json.ts'
import { isTimestamp } from '../base/timestamps.ts'
import { requirementOf } from '../catalogue/authored/validate.ts'
import { contractOf, findFitnessName, neutralName } from '../catalogue/recorded/fitness.ts'
import { urlOf } from '../client/client.ts'
import type { Resource } from '../lists/resources.ts'
import type { Probe } from './check.ts'
import { bikes, bikesV2, get, listIn, named, readList, shown, type ListCheck, type Page } from './read.ts'

const ofBikes = 'S26, S27, S28'

/** The clauses about fields; the specification states none for version 2.1. */
const fieldsOf: Readonly<Record<Resource['key'], string>> = {
  bikes: ofBikes, featured: ofBikes, bikesV2: 'D34', wheels: 'S26, S29', tyres: 'S26, S30', chains: 'S26, S31', groupsets: 'S26, S32',
  brakes: 'S26, S33', saddles: 'S26, S33', handlebars: 'S26, S33'
}

const isPartlyShown = ({ key }: Resource) => ['brakes', 'saddles', 'handlebars'].includes(key)

/** Fields of the v1 bike that are always null in the specification. */
const unseen = ['rating', 'weight_kg']

/** Rules of schemas that the specification does not state (contract D7, D9). */
const unstated = ['minimum', 'maximum', 'minLength', 'maxItems', 'uniqueItems', 'const', 'enum']

const ajv = addFormats.default(new Ajv({ allErrors: true, verbose: true, strict: false }))
ajv.addFormat('date-time', isTimestamp)

type Part = 'fields' | 'timestamps' | 'images' | 'values'

/** Returns the check that reports an error: stated fields, timestamps, images, or points that the specification leaves open. */
function partOf (resource: Resource, { keyword, instancePath, params, data }: ErrorObject): Part {
  if (resource.access === 'token') return 'fields'
  const [, field = ''] = instancePath.split('/')
  if (unseen.includes(field) || unstated.includes(keyword) || (field === 'slug' && keyword === 'pattern')) return 'values'
  if (isPartlyShown(resource) && keyword === 'additionalProperties') return 'values'
  if (keyword !== 'format') return 'fields'
  if (params['format'] === 'date-time') return 'timestamps'
  return urlOf(data)?.protocol.startsWith('http') ? 'values' : 'images' // an absolute URL, though not RFC 3986's form
}

/** Drops errors that repeat another one about the same value. */
const isCause = ({ keyword, schemaPath, parentSchema }: ErrorObject) => keyword !== 'anyOf' && !schemaPath.endsWith('/anyOf/1/type') &&
  !(keyword === 'pattern' && parentSchema?.['format'] === 'date-time')

/** Adds a finding for each kind of error, with the first such record, and one for all missing fields. */
const judgeShape = (part: Part): ListCheck[3] => async (probe, resource) => {
  const { response, results } = await readList(probe, resource)
  const validate = ajv.compile(await readContract(probe, resource))
  const kinds = new Set<string>()
  const isNew = (kind: string) => kinds.size !== kinds.add(kind.replace(/[/.]\d+/g, '')).size
  for (const record of results) {
    if (!isPlainObject(record)) {
      if (part === 'fields' && isNew('')) probe.expect(response, false, 'records only', shown(record))
      continue
    }
    validate(record)
    const errors = (validate.errors ?? []).filter(error => isCause(error) && partOf(resource, error) === part)
    const missing = errors.filter(({ keyword, instancePath, params }) =>
      keyword === 'required' && isNew(`${instancePath} ${String(params['missingProperty'])}`))
    if (missing.length > 0) {
      const names = missing.map(({ instancePath, params }) => `${instancePath}/${String(params['missingProperty'])}`.slice(1))
      probe.expect(response, false, `the field${names.length > 1 ? 's' : ''} ${names.join(', ')}`, `none in ${named(record)}`, record)
    }
    for (const error of errors.filter(({ keyword }) => keyword !== 'required')) {
      const [expected, got] = wording(error, record)
      if (isNew(`${error.instancePath} ${expected} ${JSON.stringify(error.params['additionalProperty'])}`)) {
        probe.expect(response, false, expected, got, record)
      }
    }
  }
}

function wording (error: ErrorObject, record: JsonObject): [expected: string, got: string] {
  const field = error.instancePath.slice(1).replaceAll('/', '.')
  const place = field === '' ? named(record) : `${field} of ${named(record)}`
  if (error.keyword === 'additionalProperties') return ['no other field', `${error.params['additionalProperty']} in ${place}`]
  return [`${field} ${requirementOf(error)}`, `${shown(error.data)} in ${named(record)}`]
}

/** Matches the strings and numbers of a JSON text. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** A number that no record contains. */
const mark = 2 ** -10

/** Reports the first integer written as 8.0 or 8e0. A number is an integer if a fraction in its place makes the record invalid. */
const judgeIntegers: ListCheck[3] = async (probe, resource) => {
  const { response, pages, results } = await readList(probe, resource)
  const validate = ajv.compile(await readContract(probe, resource))
  const withFraction = (token: string) =>
    /^[^"]*[.eE]/.test(token) && Number.isInteger(Number(token)) ? `${Number(token) + mark}` : token
  const changed = pages.flatMap(({ response }) =>
    (listIn({ ...response, body: Buffer.from(response.body.toString().replace(tokens, withFraction)) }) as Page).results)
  for (const [index, record] of results.entries()) {
    if (!isPlainObject(record) || validate(changed[index])) continue
    const error = validate.errors?.find(({ keyword, params, data }) =>
      keyword === 'type' && [params['type']].flat().includes('integer') && typeof data === 'number' && Number.isInteger(data - mark))
    if (error === undefined) continue
    const got = `${error.instancePath.slice(1).replaceAll('/', '.')} with one in ${named(record)}`
    probe.expect(response, false, 'integers without a fraction or exponent', got, record)
    return
  }
}

/** Returns the word used in place of `fitness` by the bikes of a list (contract S27), by default the one of v1. */
export async function readFitnessName (probe: Probe, resource = bikes): Promise<string> {
  const list = listIn(await get(probe, resource))
  return findFitnessName(list?.results.filter(isPlainObject) ?? []) ?? (resource === bikes ? neutralName : readFitnessName(probe))
}

/** Returns the contract of a list's records, with the server's names of the fitness fields. */
async function readContract (probe: Probe, { key }: Resource): Promise<TObject> {
  return contractOf(key, await readFitnessName(probe, key === 'bikesV2' ? bikesV2 : bikes)).items
}

/** Reports the first record for which a condition is true. */
export const judgeEach = (expected: string, isWrong: (record: JsonObject) => boolean, shownOf: (record: JsonObject) => string) =>
  async (probe: Probe, resource: Resource): Promise<void> => {
    const { response, records } = await readList(probe, resource)
    const record = records.find(isWrong)
    if (record) probe.expect(response, false, expected, `${shownOf(record)} in ${named(record)}`, record)
  }

const slugOf = ({ category }: JsonObject) => isPlainObject(category) ? category['slug'] : undefined

export function recordChecks (resource: Resource): ListCheck[] {
  const [isV2, isBike] = [resource.access === 'token', ['bikes', 'featured'].includes(resource.key)]
  return [
    ['schema', 'gives records of the contract\'s form', fieldsOf[resource.key], judgeShape('fields')],
    ...isBike ? [['timestamps', 'gives timestamps in ISO 8601 that end with Z', 'S24', judgeShape('timestamps')] as const] : [],
    ...isV2 || isPartlyShown(resource) ? [] : [['image-urls', 'gives absolute URLs of images', 'S25', judgeShape('images')] as const],
    ...isV2 ? [] : [['values', 'gives values as ours', isPartlyShown(resource) ? 'D8, D9' : 'D7, D9', judgeShape('values')] as const],
    ['integers', 'writes integers without a fraction', 'D49', judgeIntegers],
    ['fields', 'gives the fields in the contract\'s order', 'D8', async (probe, resource) => {
      const wanted = Object.keys((await readContract(probe, resource)).properties)
      const isWrong = (record: JsonObject) =>
        Object.keys(record).filter(field => wanted.includes(field)).join() !== wanted.filter(field => field in record).join()
      await judgeEach(wanted.join(', '), isWrong, record => Object.keys(record).join(', '))(probe, resource)
    }],
    ['unique', 'has each record once', 'D50', (probe, resource) => {
      const seen = new Set<unknown>()
      return judgeEach('each id once', ({ id }) => id !== undefined && seen.size === seen.add(id).size, () => 'it again')(probe, resource)
    }],
    ...isBike
      ? [['category', 'has the bike_type of its category.slug', 'D10', judgeEach('bike_type to be category.slug',
          record => slugOf(record) !== undefined && record['bike_type'] !== undefined && record['bike_type'] !== slugOf(record),
          record => `${shown(record['bike_type'])} and ${shown(slugOf(record))}`)] as const]
      : []
  ]
}
