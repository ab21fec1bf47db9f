import type { Loaded, Lists } from './catalogue.ts'
import { check } from './check.ts'
import { faultLine, brief } from './fault.ts'
import { nameFitness } from './fitness.ts'
import { linkLists, type AuthoredLists } from './link.ts'
import { layOver } from './overlay.ts'
import type { Pictures } from './pictures.ts'
import { locate } from './positions.ts'
import { faultAt, type List, type Source } from './source.ts'
import { mapNames, parseStored, storedNames } from './stored.ts'

/** Loads authored data: validate → merge → check → link. */
export async function loadAuthored (
  sources: readonly Source[], patches: readonly Source[], pictures: Pictures['pictures'], fitnessName: string
): Promise<Loaded> {
  const [own, over] = [await parseAll(sources), await parseAll(patches)]
  const stored = mapNames(name => own.get(name) as List)
  const lists = over.size === 0 ? stored : await layOver(stored, over)
  check(lists, pictures)
  return {
    sources: storedNames.flatMap(name => [own.get(name), over.get(name)].flatMap(list => list?.source ?? [])),
    async make () {
      const updates = Object.values(lists).map(({ updated: { value, source } }) => ({ time: Date.parse(value as string), value, source }))
      return {
        ...nameLists(linkLists(lists, pictures), fitnessName),
        fitnessName,
        remarks: [],
        updated: new Date(Math.max(...updates.map(({ time }) => time))),
        warnings: updates.filter(({ time }) => time > Date.now()).flatMap(({ value, source }) =>
          locate(source, [faultAt({ source, pointer: '/updated' }, 'future', `${brief(value)} is in the future`)]).map(faultLine))
      }
    }
  }
}

async function parseAll (sources: readonly Source[]): Promise<ReadonlyMap<string, List>> {
  return new Map(await Promise.all(sources.map(async source => [source.name, await parseStored(source)] as const)))
}

/** Renames the fitness fields of bikes, the only records with them. */
function nameLists (lists: AuthoredLists, name: string): Lists {
  const [bikes, bikesV2] = [nameFitness(lists.bikes, name), nameFitness(lists.bikesV2, name)]
  return { ...lists, bikes, bikesV2, featured: bikes.filter(bike => bike.is_featured) }
}
