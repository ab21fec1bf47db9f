import type { Catalogue } from '../catalogue/catalogue.ts'
import { present, resources } from '../lists/resources.ts'
import { Untried, type Probe } from './check.ts'
import { readList, type Sent } from './read.ts'

/** How the records of a list differ from those of our own catalogue, by id, or why they were not compared. */
export type Difference = { list: string, missing: number[], extra: number[], changed: { id: number, fields: string[] }[] } |
  { list: string, unread: string }

/** Compares every list with the catalogue's; pictures by their paths, because each server has its own origin. */
export async function compare (probe: Probe, catalogue: Catalogue): Promise<Difference[]> {
  const differences: Difference[] = []
  for (const resource of resources) {
    const sent = await readList(probe, resource).catch(untriedOf)
    if (sent instanceof Untried) {
      differences.push({ list: resource.path, unread: sent.message })
      continue
    }
    const own = resource.records(catalogue).map(record => present(resource, catalogue, record) as Sent)
    const difference = differenceOf(byId(sent.records), byId(own), probe.pathOf(''))
    const { missing, extra, changed } = difference
    if (missing.length + extra.length + changed.length > 0) differences.push({ list: resource.path, ...difference })
  }
  return differences
}

function untriedOf (error: unknown): Untried {
  if (error instanceof Untried) return error
  throw error
}

function byId (records: readonly Sent[]): Map<number, Sent> {
  return new Map(records.map(record => [Number(record['id']), record]))
}

function differenceOf (sent: ReadonlyMap<number, Sent>, own: ReadonlyMap<number, Sent>, base: string) {
  const changed = [...own].flatMap(([id, record]) => {
    const other = sent.get(id)
    const fields = other === undefined ? [] : fieldsThatDiffer(record, other, base)
    return fields.length === 0 ? [] : [{ id, fields }]
  })
  return {
    missing: [...own.keys()].filter(id => !sent.has(id)),
    extra: [...sent.keys()].filter(id => !own.has(id)),
    changed
  }
}

function fieldsThatDiffer (own: Sent, sent: Sent, base: string): string[] {
  const fields = new Set([...Object.keys(own), ...Object.keys(sent)])
  return [...fields].filter(field => comparable(own[field], '') !== comparable(sent[field], base))
}

/** A value as JSON, its URLs as paths relative to a base, as far as they are below it. */
function comparable (value: unknown, base: string): string | undefined {
  return JSON.stringify(value)?.replaceAll(/"https?:\/\/[^/"]+(\/[^"]*)"/g, (_, path: string) =>
    `"${path.startsWith(`${base}/`) ? path.slice(base.length) : path}"`)
}
