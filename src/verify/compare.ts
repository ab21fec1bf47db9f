import type { Catalogue } from '../catalogue/catalogue.ts'
import { nameFitness } from '../catalogue/fitness.ts'
import { resources } from '../lists/resources.ts'
import type { JsonObject } from '../settings/json.ts'
import { Untried, type Probe } from './check.ts'
import { readList } from './read.ts'
import { readFitnessName } from './shape.ts'

/** The differences of a list from our own catalogue by id, or the reason why there was no list. */
export type Difference = { list: string, missing: number[], extra: number[], changed: { id: number, fields: string[] }[] } |
  { list: string, unread: string }

/**
 * Compares every list with the catalogue's, which gets the server's name of the fitness fields; URLs by their paths, because each server
 * has its own origin.
 */
export async function compare (probe: Probe, catalogue: Catalogue): Promise<Difference[]> {
  const differences: Difference[] = []
  const fitnessName = await readFitnessName(probe)
  for (const resource of resources) {
    const { path: list } = resource
    try {
      const sent = recordsById((await readList(probe, resource)).records)
      const own = recordsById(nameFitness(catalogue[resource.key], fitnessName))
      const missing = [...own.keys()].filter(id => !sent.has(id))
      const extra = [...sent.keys()].filter(id => !own.has(id))
      const changed = [...own].filter(([id]) => sent.has(id))
        .map(([id, record]) => ({ id, fields: fieldsThatDiffer(record, sent.get(id) as JsonObject, probe.pathOf('')) }))
        .filter(({ fields }) => fields.length > 0)
      if (missing.length + extra.length + changed.length > 0) differences.push({ list, missing, extra, changed })
    } catch (error) {
      if (!(error instanceof Untried)) throw error
      differences.push({ list, unread: error.message })
    }
  }
  return differences
}

function recordsById (records: readonly JsonObject[]): Map<number, JsonObject> {
  return new Map(records.map(record => [typeof record['id'] === 'number' ? record['id'] : NaN, record]))
}

function fieldsThatDiffer (own: JsonObject, sent: JsonObject, base: string): string[] {
  const fields = new Set([...Object.keys(own), ...Object.keys(sent)])
  return [...fields].filter(field => comparable(own[field], '') !== comparable(sent[field], base))
}

/** Returns a value as JSON; its URLs are paths relative to a base, as far as they are below it. */
function comparable (value: unknown, base: string): string | undefined {
  return JSON.stringify(value)?.replaceAll(/"https?:\/\/[^/"]+(\/[^"]*)"/g, (_, path: string) =>
    `"${path.startsWith(`${base}/`) ? path.slice(base.length) : path}"`)
}
