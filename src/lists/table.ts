import { rank, type Ranks } from './ranks.ts'
import { atOnce, inTurns, type Work } from './work.ts'

/** What a field of a record can hold for ordering and filtering; texts in lower case. */
export type Value = string | number | boolean | null

/** How the values of a record's fields are found, by the name that a query uses. */
export type Fields<T> = Readonly<Record<string, (record: T) => Value>>

/**
 * One field of all records: a code for each record, in their order, and the value that each code stands for, also as it is written. A
 * number may have two codes.
 */
export type Column = { codes: Uint32Array, values: readonly Value[], written: readonly Value[] }

/** The records of lists, their fields by column, and the ranks that they are ordered by; each is made when it is first needed. */
export type Table<T> = {
  records: readonly T[]
  column: (field: string) => Column
  ranks: (field: string) => Ranks
  /** Makes columns and ranks of many records in turns with requests, so that no request waits for them. */
  prepare: (columns: readonly string[], ranks: readonly string[]) => Promise<void>
}

/** The table of records that are in ascending id order and never change. */
export function createTable<T> (records: readonly T[], fields: Fields<T>): Table<T> {
  const columns = makeOnce(field => makeColumn(records, fields[field] as (record: T) => Value))
  const ranks = makeOnce(function * (field) { return yield * rank(yield * columns.work(field)) })

  return {
    records,
    column: columns.get,
    ranks: ranks.get,
    async prepare (columnFields, rankFields) {
      if (records.length <= atOnce) return
      for (const field of columnFields) await inTurns(columns.work(field))
      for (const field of rankFields) await inTurns(ranks.work(field))
    }
  }
}

function makeOnce<Made> (make: (field: string) => Work<Made>) {
  const known = new Map<string, Made>()

  function * work (field: string): Work<Made> {
    const made = known.get(field) ?? (yield * make(field))
    known.set(field, made)
    return made
  }

  function get (field: string): Made {
    const steps = work(field)
    for (;;) {
      const { done, value } = steps.next()
      if (done) return value
    }
  }

  return { work, get }
}

/** Where as many numbers as are looked at in one turn all differ, as those of ids and dates do, none of the others is looked up either. */
function * makeColumn<T> (records: readonly T[], value: (record: T) => Value): Work<Column> {
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
