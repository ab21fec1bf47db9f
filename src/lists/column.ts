import { atOnce, type Work } from './work.ts'

/** What a field of a record can hold for ordering and filtering; texts in lower case. */
export type Value = string | number | boolean | null

/**
 * One field of all records: a code for each record, in their order, and the value that each code stands for, also as it is written. A
 * number may have two codes.
 */
export type Column = { codes: Uint32Array, values: readonly Value[], written: readonly Value[] }

/** Where as many numbers as are looked at in one turn all differ, as those of ids and dates do, none of the others is looked up either. */
export function * makeColumn<T> (records: readonly T[], value: (record: T) => Value): Work<Column> {
  const known = new Map<Value, number>()
  const values: Value[] = []
  const written: Value[] = []
  const codes = new Uint32Array(records.length)
  let differ = false
  for (let position = 0; position < records.length; position++) { // an iterator leaves 150 bytes of garbage a record
    if (position % atOnce === 0) {
      yield
      differ = position > 0 && values.length === position && typeof values[0] === 'number'
    }
    const own = value(records[position]!)
    const code = (differ ? undefined : known.get(own)) ?? values.length
    if (code === values.length) {
      if (!differ) known.set(own, code)
      values.push(typeof own === 'string' ? own.toLowerCase() : own)
      written.push(own)
    }
    codes[position] = code
  }
  return { codes, values, written }
}
