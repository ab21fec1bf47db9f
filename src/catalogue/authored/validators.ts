import type { TSchema } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import { stored, type StoredName } from '../../../schemas/stored.ts'
import { isTimestamp } from '../../base/timestamps.ts'

// A test checks schemas against their meta-schema, so a start need not; code without optimisation compiles in half the time.
const ajv = new Ajv({ meta: false, validateSchema: false, code: { optimize: false } }).addFormat('date-time', isTimestamp)

/** Tell whether the content of a data file is valid, without its errors; scripts/build.ts replaces this file by code compiled with Ajv. */
export const validators = Object.fromEntries(Object.entries<TSchema>(stored)
  .map(([name, schema]) => [name, (content: unknown) => ajv.validate(schema, content)])
) as Readonly<Record<StoredName, (content: unknown) => boolean>>
