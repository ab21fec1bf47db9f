import type { TSchema } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import { stored } from '../../schemas/stored.ts'
import { isTimestamp } from './timestamps.ts'

/** A folder of data files. */
export type Folder = keyof typeof stored

/** The names of the data files in a folder. */
export type FileName<In extends Folder> = keyof typeof stored[In] & string

/** Whether the content of a data file is valid; by far the fastest way to learn that nothing is wrong. */
export type Accepts = (content: unknown) => boolean

// Schemas are checked against their meta-schema by a test, not at every start; unoptimised code compiles in half the time.
const ajv = new Ajv({ meta: false, validateSchema: false, code: { optimize: false } }).addFormat('date-time', isTimestamp)

const compile = (schemas: Readonly<Record<string, TSchema>>) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, (content: unknown) => ajv.validate(schema, content)]))

/** What accepts each data file. The build puts what it has compiled already in the place of this file. */
export const acceptors = {
  v1: compile(stored.v1),
  v2: compile(stored.v2),
  media: compile(stored.media)
} as { readonly [In in Folder]: Readonly<Record<FileName<In>, Accepts>> }
