import type { TSchema } from '@sinclair/typebox'
import { attempt } from '../attempt.ts'
import { acceptors, type Accepts, type FileName, type Folder } from './acceptors.ts'
import { findFlaws } from './positions.ts'
import { mayHaveFlaws } from './scan.ts'
import { createList, isObject, type List, type Source } from './source.ts'

/** The file of each list in authored data, without its ending. */
export type StoredName = { [In in Folder]: `${In}/${FileName<In>}` }[Folder]

/** The lists of authored data as they are stored. */
export type StoredLists = Readonly<Record<StoredName, List>>

export const storedNames = Object.entries(acceptors)
  .flatMap(([folder, files]) => Object.keys(files).map(name => `${folder}/${name}`)) as readonly StoredName[]

/** Returns the field that identifies the records of a list. */
export const keyOf = (name: StoredName) => name === 'v2/categories' ? 'slug' : 'id'

export async function parseStored (source: Source): Promise<List> {
  if (source.faults.length > 0) return createList(source, undefined)
  const [folder, resource] = source.name.split('/') as [Folder, never]
  source.root = `/${resource as string}`
  const accepts: Accepts = acceptors[folder][resource]
  const { value: content } = attempt((): unknown => JSON.parse(source.text))
  const isValid = accepts(content)
  if (!isValid || mayHaveFlaws(source.text, content)) source.faults = findFlaws(source).flaws
  if (source.faults.length > 0) return createList(source, undefined)
  if (!isValid) {
    // Only invalid content needs Ajv and the schemas.
    const [{ stored }, { validate }] = await Promise.all([import('../../schemas/stored.ts'), import('./validate.ts')])
    const schemas: Readonly<Record<string, TSchema>> = stored[folder]
    source.faults = validate(pointer => ({ source, pointer }), schemas[resource] as TSchema, content)
  }
  const isReadable = isObject(content) && !source.faults.some(({ pointer }) => pointer === '/version')
  return isReadable ? createList(source, content[resource], content['updated']) : createList(source, undefined)
}
