import { attempt } from '../../base/attempt.ts'
import { isPlainObject } from '../../base/json.ts'
import { validators, type IsValid, type Folder } from './validators.ts'
import { check } from './check.ts'
import { errorLine, brief } from '../errors/error.ts'
import { keyOf, storedNames, type StoredLists, type StoredName } from '../files.ts'
import { nameFitness } from '../recorded/fitness.ts'
import { linkLists } from './link.ts'
import { applyOverlay, errorsOfOverlay } from './overlay.ts'
import type { Images } from '../images.ts'
import { scanForErrors, locate, needsScan } from '../errors/positions.ts'
import { createList, errorAt, type List, type Source } from '../errors/source.ts'

/** Loads authored data: validate → merge → check → link. `assertValid` throws the errors of sources. */
export async function loadAuthored (
  sources: Source[], patches: Source[], images: Images['images'], fitnessName: string, assertValid: (sources: readonly Source[]) => void
) {
  const [own, over] = [await parseAll(sources) as StoredLists, await parseAll(patches)]
  for (const [name, list] of Object.entries(over) as [StoredName, List][]) {
    list.source.errors = errorsOfOverlay(own[name], list, keyOf(name))
  }
  const lists = patches.length === 0 ? own : await applyOverlay(own, over)
  check(lists, images)
  const used = storedNames.flatMap(name => [own[name], over[name]].flatMap(list => list?.source ?? []))
  assertValid(used)
  const updates = Object.values(lists).map(({ updated: { value, source } }) => ({ time: Date.parse(value as string), value, source }))
  return {
    sources: used,
    ...nameFitness(linkLists(lists, images), fitnessName),
    recorded: {},
    refusals: {},
    fitnessName,
    warnings: [],
    updated: new Date(Math.max(...updates.map(({ time }) => time))),
    notices: updates.filter(({ time }) => time > Date.now()).flatMap(({ value, source }) =>
      locate(source, [errorAt({ source, pointer: '/updated' }, 'future', `${brief(value)} is in the future`)]).map(errorLine))
  }
}

async function parseStored (source: Source): Promise<List> {
  if (source.errors.length > 0) return createList(source)
  const [folder, resource] = source.name.split('/') as [Folder, never]
  source.root = `/${resource as string}`
  const { value: content } = attempt((): unknown => JSON.parse(source.text))
  const isValid = (validators[folder][resource] as IsValid)(content)
  if (!isValid || needsScan(source.text, content)) source.errors = scanForErrors(source).errors
  if (source.errors.length > 0) return createList(source)
  if (!isValid) {
    // Only invalid content needs Ajv and the schemas.
    const [{ stored }, { validate }] = await Promise.all([import('../../../schemas/stored.ts'), import('./validate.ts')])
    source.errors = validate(pointer => ({ source, pointer }), stored[folder][resource], content)
  }
  const isReadable = isPlainObject(content) && !source.errors.some(({ pointer }) => pointer === '/version')
  return isReadable ? createList(source, content[resource], content['updated']) : createList(source)
}

async function parseAll (sources: readonly Source[]): Promise<Partial<StoredLists>> {
  return Object.fromEntries(await Promise.all(sources.map(async source => [source.name, await parseStored(source)] as const)))
}
