import type { Loaded } from './catalogue.ts'
import { check } from './check.ts'
import { faultLine, brief } from './fault.ts'
import { nameFitness } from './fitness.ts'
import { linkLists } from './link.ts'
import { layOver } from './overlay.ts'
import type { Pictures } from './pictures.ts'
import { locate } from './positions.ts'
import { faultAt, type Source } from './source.ts'
import { parseStored, storedNames, type StoredLists } from './stored.ts'

/** Loads authored data: validate → merge → check → link. */
export async function loadAuthored (
  sources: readonly Source[], patches: readonly Source[], pictures: Pictures['pictures'], fitnessName: string
): Promise<Loaded> {
  const [own, over] = [await parseAll(sources) as StoredLists, await parseAll(patches)]
  const lists = patches.length === 0 ? own : await layOver(own, over)
  check(lists, pictures)
  return {
    sources: storedNames.flatMap(name => [own[name], over[name]].flatMap(list => list?.source ?? [])),
    async make () {
      const updates = Object.values(lists).map(({ updated: { value, source } }) => ({ time: Date.parse(value as string), value, source }))
      return {
        ...nameFitness(linkLists(lists, pictures), fitnessName),
        fitnessName,
        remarks: [],
        updated: new Date(Math.max(...updates.map(({ time }) => time))),
        warnings: updates.filter(({ time }) => time > Date.now()).flatMap(({ value, source }) =>
          locate(source, [faultAt({ source, pointer: '/updated' }, 'future', `${brief(value)} is in the future`)]).map(faultLine))
      }
    }
  }
}

async function parseAll (sources: readonly Source[]): Promise<Partial<StoredLists>> {
  return Object.fromEntries(await Promise.all(sources.map(async source => [source.name, await parseStored(source)] as const)))
}
