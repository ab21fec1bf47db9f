import { attempt } from '../attempt.ts'
import { isPlainObject } from '../settings/json.ts'
import { acceptors, type Accepts, type Folder } from './acceptors.ts'
import { check } from './check.ts'
import { faultLine, brief } from './fault.ts'
import { storedNames, type StoredLists } from './files.ts'
import { nameFitness } from './fitness.ts'
import { linkLists } from './link.ts'
import { layOver } from './overlay.ts'
import type { Pictures } from './pictures.ts'
import { findFlaws, locate, mayHaveFlaws } from './positions.ts'
import { createList, faultAt, type List, type Source } from './source.ts'

/** Loads authored data: validate → merge → check → link. Returns sources with their faults, and a function for data without any. */
export async function loadAuthored (sources: Source[], patches: Source[], pictures: Pictures['pictures'], fitnessName: string) {
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

async function parseStored (source: Source): Promise<List> {
  if (source.faults.length > 0) return createList(source)
  const [folder, resource] = source.name.split('/') as [Folder, never]
  source.root = `/${resource as string}`
  const { value: content } = attempt((): unknown => JSON.parse(source.text))
  const isValid = (acceptors[folder][resource] as Accepts)(content)
  if (!isValid || mayHaveFlaws(source.text, content)) source.faults = findFlaws(source).flaws
  if (source.faults.length > 0) return createList(source)
  if (!isValid) {
    // Only invalid content needs Ajv and the schemas.
    const [{ stored }, { validate }] = await Promise.all([import('../../schemas/stored.ts'), import('./validate.ts')])
    source.faults = validate(pointer => ({ source, pointer }), stored[folder][resource], content)
  }
  const isReadable = isPlainObject(content) && !source.faults.some(({ pointer }) => pointer === '/version')
  return isReadable ? createList(source, content[resource], content['updated']) : createList(source)
}

async function parseAll (sources: readonly Source[]): Promise<Partial<StoredLists>> {
  return Object.fromEntries(await Promise.all(sources.map(async source => [source.name, await parseStored(source)] as const)))
}
