import { ranksOf, type Ranks } from './ordering.ts'

/** What a field of a record can hold for ordering and filtering; texts in lower case. */
export type Value = string | number | boolean | null

/** How the values of a record's fields are found, by the name that a query uses. */
export type Fields<T> = Readonly<Record<string, (record: T) => Value>>

/** One field of all records: a code for each record, in their order, and the value that each code stands for. */
export type Column = { codes: Uint32Array, values: readonly Value[] }

/** The records of a list with their fields by column, and the ranks of those that they can be ordered by. */
export type Table<T> = {
  records: readonly T[]
  columns: ReadonlyMap<string, Column>
  ranks: ReadonlyMap<string, Ranks>
}

/** Makes the table of a list, once, so that no request waits for it; the records are in ascending id order and never change. */
export function createTable<T> (records: readonly T[], fields: Fields<T>, sortable: readonly string[]): Table<T> {
  const columns = new Map(Object.entries(fields).map(([field, value]) => [field, makeColumn(records, value)]))
  const ranks = new Map(sortable.map(field => [field, ranksOf(columns.get(field) as Column)]))
  return { records, columns, ranks }
}

function makeColumn<T> (records: readonly T[], value: (record: T) => Value): Column {
  const known = new Map<Value, number>()
  const codes = new Uint32Array(records.length)
  for (const [position, record] of records.entries()) {
    const own = value(record)
    const code = known.get(own) ?? known.size
    if (code === known.size) known.set(own, code)
    codes[position] = code
  }
  return { codes, values: Array.from(known.keys(), value => typeof value === 'string' ? value.toLowerCase() : value) }
}
