import { storedV1, storedV2 } from '../../schemas/stored.ts'
import { blanks } from '../catalogue/overlay.ts'
import { isJsonObject, type JsonObject } from '../http/client.ts'
import type { ListKey } from '../catalogue/catalogue.ts'

type V1 = keyof typeof storedV1
type V2 = keyof typeof storedV2

/** A data file: its path without the ending, and its records. */
export type StoredFile = { path: string, records: readonly JsonObject[] }

/** The lists that are read; the featured bikes are among the bikes. */
export type PulledList = Exclude<ListKey, 'featured'>

/** The fields of records that hold a record of another list. */
const nested: { readonly [list in V1]?: Readonly<Record<string, V1>> } = {
  groupsets: { chain: 'chains' },
  bikes: { wheels: 'wheels', tyre: 'tyres', groupset: 'groupsets' }
}

function forEach<Key extends string, Value> (keys: Record<Key, unknown>, create: () => Value): Record<Key, Value> {
  return Object.fromEntries(Object.keys(keys).map(key => [key, create()])) as Record<Key, Value>
}

/**
 * Takes records apart as they arrive: a nested record becomes an id, and a record of its own unless its list has it. Parts must come
 * before the records that nest them.
 */
export function createStore () {
  const v1 = forEach(storedV1, (): JsonObject[] => [])
  const ids = forEach(storedV1, () => new Set<unknown>())
  const details = forEach(storedV2, () => new Map<unknown, JsonObject>())
  return { add, files }

  function add (list: PulledList, record: JsonObject): void {
    const { rating, reviews, weight_kg: weight, ...bike } = record
    if (list === 'bikesV2') addDetails(record)
    else put(list, list === 'bikes' ? bike : record)
  }

  function put (list: V1, record: JsonObject): void {
    const links = Object.entries(nested[list] ?? {}).map(([field, part]) => [field, refer(part, record[field])])
    ids[list].add(record['id'])
    v1[list].push({ ...record, ...Object.fromEntries(links) as JsonObject })
  }

  /** Returns the id of a nested record, which is added unless it is known. */
  function refer (list: V1, value: unknown): unknown {
    if (!isJsonObject(value)) return value
    if (!ids[list].has(value['id'])) put(list, value)
    return value['id']
  }

  function addDetails ({ id, price, weight_kg: weight, reviews, image_formats: formats, specifications, components }: JsonObject): void {
    const { crankset, saddle, handlebars, brakes } = isJsonObject(components) ? components : {}
    addPart('cranksets', crankset)
    addPart('saddles', saddle)
    addPart('handlebars', handlebars)
    const brakeId = addPart('brakes', brakes)
    details.bikes.set(id, { id, price, weight_kg: weight, brakes: brakeId, reviews, image_formats: formats, specifications })
  }

  function addPart (list: V1 & V2, value: unknown): unknown {
    if (!isJsonObject(value)) return value
    const { weight_grams: weight, measurements, ...part } = value
    details[list].set(part['id'], { id: part['id'], weight_grams: weight, measurements })
    return refer(list, part)
  }

  /** Returns the data files; details that no list has are blank, without reviews where only their number is known. */
  function files (): StoredFile[] {
    for (const { crankset_ref: id } of [...v1.bikes, ...v1.groupsets]) {
      if (typeof id === 'number') refer('cranksets', { id, brand: 'N/A', model: 'N/A' })
    }
    const slugs = v1.bikes.map(({ category }) => isJsonObject(category) ? category['slug'] : undefined)
    const keys = { ...ids, bikes: new Set([...ids.bikes, ...details.bikes.keys()]), categories: new Set(slugs) }
    return [
      ...Object.entries(v1).map(([name, records]) => ({ path: `v1/${name}`, records: records.sort(byId) })),
      ...(Object.keys(storedV2) as V2[]).map(name => ({
        path: `v2/${name}`,
        records: [...keys[name]].map(key => details[name].get(key) ?? { ...blanks[name](key), ...name === 'bikes' && { reviews: null } })
      }))
    ]
  }
}

const byId = (a: JsonObject, b: JsonObject) => Number(a['id']) - Number(b['id'])
