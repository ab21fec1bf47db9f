import { isDeepStrictEqual } from 'node:util'
import type { ListKey } from '../../schemas/lists.ts'
import { isPlainObject, type JsonObject } from '../base/json.ts'
import type { Resource } from '../lists/resources.ts'
import type { Found } from './check.ts'
import { idsIn, named, shown, shownPair, wholeOf } from './exchange.ts'
import { changing } from './records.ts'
import type { Related, Relation, Verdict } from './relations.ts'

/** The fields that refer to records of a list: by id, by several ids, or with the record itself. */
const references: Readonly<Record<string, ListKey>> = {
  wheels: 'wheels', tyre: 'tyres', groupset: 'groupsets', chain: 'chains',
  saddle: 'saddles', handlebars: 'handlebars', similar_bikes: 'bikes'
}

/** Judges whether the records of a list refer to records of other lists, so far as those were read whole. */
function relateReferences ({ resource, sample, sessions, plain }: Related): Verdict {
  const found: Found[] = []
  let lists = 0
  for (const [field, key] of Object.entries(references)) {
    const list = sessions.get(key)
    const whole = list && wholeOf(list)
    if (!(field in resource.record.properties) || list === undefined || whole === undefined) continue
    const targets = new Map(Array.from(list.sample.values(), record => [record['id'], record]))
    if (targets.size === 0 || idsIn(whole).length !== targets.size) continue // JSON.parse rounds large ids
    lists++
    for (const record of sample.values()) {
      for (const value of [record[field] ?? []].flat()) {
        found.push(...judgeReference(record, field, value, targets, list.resource))
      }
    }
  }
  const { request } = plain.first
  return lists > 0 ? found.map(one => ({ ...one, request })) : 'needs the lists that it refers to'
}

function judgeReference (
  record: JsonObject, field: string, value: unknown, targets: ReadonlyMap<unknown, JsonObject>, { key, path }: Resource
): Found[] {
  const place = `${field} of ${named(record)}`
  const id = isPlainObject(value) ? value['id'] : value
  const target = targets.get(id)
  const isItself = key === 'bikes' && id === record['id']
  if (target === undefined || isItself) {
    const expected = isItself ? `other bikes as ${field}` : `a record of ${path} as ${field}`
    return [{ expected, got: `${shown(id)} as ${place}`, record }]
  }
  if (!isPlainObject(value)) return []
  const isOther = (name: string) => !changing.test(name) && !isDeepStrictEqual(value[name], target[name])
  const name = Object.keys(value).find(name => name in target && isOther(name))
  if (name === undefined) return []
  const [expected, got] = shownPair(target[name], value[name])
  const kind = `${field} ${name}`
  return [{ expected: `${name} ${expected}, as in ${path}`, got: `${got} in ${place}`, kind, record }]
}

/** What is true of the references of bikes and groupsets. */
export const referenceRelation: Relation = {
  id: 'references', claim: 'refers to records of the other lists', clause: ({ clause }) => clause,
  of: ({ key }) => key === 'bikes' || key === 'groupsets', relate: relateReferences
}
