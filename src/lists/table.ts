import { takeTurn } from '../http/send.ts'

/** What a field of a record can hold for ordering and filtering; texts in lower case. */
export type Value = string | number | boolean | null

/** How the values of a record's fields are found, by the name that a query uses. */
export type Fields<T> = Readonly<Record<string, (record: T) => Value>>

/** One field of all records: a code for each record, in their order, and the value that each code stands for, also as it is written. */
export type Column = { codes: Uint32Array, values: readonly Value[], written: readonly Value[] }

/** Where each record stands among the values of a field, and how many records stand there; the last rank is that of null. */
export type Ranks = { ranks: Uint32Array, counts: Uint32Array }

/** The records of a list with their fields by column, and the ranks of those that they can be ordered by. */
export type Table<T> = {
  records: readonly T[]
  columns: ReadonlyMap<string, Column>
  ranks: ReadonlyMap<string, Ranks>
}

/** How many records are looked at before requests have a turn. */
const recordsAtOnce = 20_000

/**
 * Makes the table of a list, once, so that no request waits for it, in turns with the requests that come meanwhile; the records are in
 * ascending id order and never change.
 */
export async function createTable<T> (records: readonly T[], fields: Fields<T>, sortable: readonly string[]): Promise<Table<T>> {
  const columns = new Map<string, Column>()
  const ranks = new Map<string, Ranks>()
  for (const [field, value] of Object.entries(fields)) {
    const column = await makeColumn(records, value)
    columns.set(field, column)
    if (sortable.includes(field)) ranks.set(field, await ranksOf(column))
  }
  return { records, columns, ranks }
}

async function makeColumn<T> (records: readonly T[], value: (record: T) => Value): Promise<Column> {
  const known = new Map<Value, number>()
  const codes = new Uint32Array(records.length)
  for (const [position, record] of records.entries()) {
    if (position % recordsAtOnce === 0) await takeTurn()
    const own = value(record)
    const code = known.get(own) ?? known.size
    if (code === known.size) known.set(own, code)
    codes[position] = code
  }
  const written = [...known.keys()]
  return { codes, written, values: written.map(value => typeof value === 'string' ? value.toLowerCase() : value) }
}

/** Case-insensitive alphabetical comparison; the locale is fixed so that every machine gives the same order. */
const { compare } = new Intl.Collator('en', { sensitivity: 'accent' })

function compareValues (a: Value, b: Value): number {
  return typeof a === 'string' && typeof b === 'string' ? compare(a, b) : Number(a) - Number(b)
}

/** The codes of all values but null, in the order of the values: sorted some at a time, for runs in order are merged quickly. */
async function sortCodes (values: readonly Value[]): Promise<number[]> {
  const codes = [...values.keys()].filter(code => values[code] !== null)
  const order = (a: number, b: number) => compareValues(values[a] as Value, values[b] as Value)
  const runs: number[][] = []
  for (let start = 0; start < codes.length; start += recordsAtOnce) {
    await takeTurn()
    runs.push(codes.slice(start, start + recordsAtOnce).sort(order))
  }
  await takeTurn()
  return runs.flat().sort(order)
}

/** Ranks the records of a column by its values; values that compare as equal share a rank. */
async function ranksOf ({ codes, values }: Column): Promise<Ranks> {
  const sorted = await sortCodes(values)
  await takeTurn()
  const rankOfCode = new Uint32Array(values.length).fill(values.length)
  let rank = 0
  for (const [index, code] of sorted.entries()) {
    const previous = values[sorted[index - 1] ?? code] as Value
    if (compareValues(previous, values[code] as Value) !== 0) rank++
    rankOfCode[code] = rank
  }
  const ranks = codes.map(code => rankOfCode[code]!)
  const counts = new Uint32Array(values.length + 1)
  for (const rank of ranks) counts[rank]!++
  return { ranks, counts }
}
