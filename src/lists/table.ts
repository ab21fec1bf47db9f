import { makeColumn, type Column, type Value } from './column.ts'
import { rank, type Ranks } from './ranks.ts'
import { atOnce, inTurns, type Work } from './work.ts'

/** How the values of a record's fields are found, by the name that a query uses. */
export type Fields<T> = Readonly<Record<string, (record: T) => Value>>

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
