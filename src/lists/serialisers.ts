import { records } from '../../schemas/lists.ts'
import { compile, type RecordSerialiser } from './compile.ts'

/** The serialisers of records by their schemas; scripts/build.ts compiles them in advance. */
export const serialisers = new Map<object, RecordSerialiser>()

for (const schema of Object.values(records)) serialisers.set(schema, compile(schema))
