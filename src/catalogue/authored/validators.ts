import { stored, type StoredName } from '../../../schemas/stored.ts'
import { dataAjv } from './ajv.ts'

type Validator = (content: unknown) => boolean

/** Tell whether the content of a data file is valid, without its errors; scripts/build.ts compiles them in advance. */
export const validators = {} as Record<StoredName, Validator>

for (const name of Object.keys(stored) as StoredName[]) {
  validators[name] = content => dataAjv.validate(stored[name], content)
}
