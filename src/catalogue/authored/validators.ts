import type { TSchema } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import { stored } from '../../../schemas/stored.ts'
import { isTimestamp } from '../../base/timestamps.ts'

/** A folder of data files. */
export type Folder = keyof typeof stored

/** The names of the data files in a folder. */
export type FileName<In extends Folder> = keyof typeof stored[In] & string

/** Returns whether the content of a data file is valid, without its errors. */
export type IsValid = (content: unknown) => boolean

// A test checks schemas against their meta-schema, so a start need not; code without optimisation compiles in half the time.
const ajv = new Ajv({ meta: false, validateSchema: false, code: { optimize: false } }).addFormat('date-time', isTimestamp)

const compile = (schemas: Readonly<Record<string, TSchema>>) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, (content: unknown) => ajv.validate(schema, content)]))

/** The acceptor of each data file; scripts/build.ts replaces this file by code compiled with Ajv. */
export const validators = {
  v1: compile(stored.v1),
  v2: compile(stored.v2)
} as { readonly [In in Folder]: Readonly<Record<FileName<In>, IsValid>> }
