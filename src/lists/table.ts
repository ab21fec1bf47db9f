import { takeTurn } from '../http/send.ts'

/** What a field of a record can hold for ordering and filtering; texts in lower case. */
export type Value = string | number | boolean | null

/** How the values of a record's fields are found, by the name that a query uses. */
export type Fields<T> = Readonly<Record<string, (record: T) => Value>>

/** One field of all records: a code for each record, in their order, and the value that each code stands for, also as it is written. */
export type Column = { codes: Uint32Array, values: readonly Value[], written: readonly Value[] }

/** Where each record stands among the values of a field, and how many records stand there; the last rank is that of null. */
export type Ranks = { ranks: Uint32Array, counts: Uint32Array }

/** The records of a list, their fields by column, and the ranks that they are ordered by; each is made when it is first needed. */
export type Table<T> = {
  records: readonly T[]
  column: (field: string) => Column
  ranks: (field: string) => Ranks
  /** Makes columns and ranks of many records in turns with requests; undefined where there is nothing that takes long to make. */
  prepare: (columns: readonly string[], ranks: readonly string[]) => Promise<void> | undefined
}

/** How many records are looked at, or values sorted, before requests have a turn: it takes up to 11 ms. */
const atOnce = 5_000

/** What takes long to make; it stops where requests may have a turn. */
type Work<Made> = Generator<void, Made>

/** The table of a list; the records are in ascending id order and never change. */
export function createTable<T> (records: readonly T[], fields: Fields<T>): Table<T> {
  const columns = makeOnce(field => makeColumn(records, fields[field] as (record: T) => Value))
  const ranks = makeOnce(function * (field) { return yield * rank(yield * columns.work(field)) })
  let last = Promise.resolve()

  return { records, column: columns.get, ranks: ranks.get, prepare }

  function prepare (columnFields: readonly string[], rankFields: readonly string[]): Promise<void> | undefined {
    if (records.length <= atOnce || (columnFields.every(columns.has) && rankFields.every(ranks.has))) return undefined
    // One after another, so that what two need is made once.
    last = last.then(async () => {
      for (const field of columnFields) await inTurns(columns.work(field))
      for (const field of rankFields) await inTurns(ranks.work(field))
    })
    return last
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

  return { work, get, has: (field: string) => known.has(field) }
}

async function inTurns (work: Work<unknown>): Promise<void> {
  while (!work.next().done) await takeTurn()
}

function * makeColumn<T> (records: readonly T[], value: (record: T) => Value): Work<Column> {
  const known = new Map<Value, number>()
  const values: Value[] = []
  const codes = new Uint32Array(records.length)
  for (const [position, record] of records.entries()) {
    if (position % atOnce === 0) yield
    const own = value(record)
    const code = known.get(own) ?? known.size
    if (code === known.size) {
      known.set(own, code)
      values.push(typeof own === 'string' ? own.toLowerCase() : own)
    }
    codes[position] = code
  }
  return { codes, values, written: [...known.keys()] }
}

/** Case-insensitive alphabetical comparison; the locale is fixed so that every machine gives the same order. */
const { compare } = new Intl.Collator('en', { sensitivity: 'accent' })

function compareValues (a: Value, b: Value): number {
  return typeof a === 'string' && typeof b === 'string' ? compare(a, b) : Number(a) - Number(b)
}

/** The codes of all values but null, in the order of the values: sorted some at a time, and merged in turns. */
function * sortCodes (values: readonly Value[]): Work<number[]> {
  yield
  const codes = [...values.keys()].filter(code => values[code] !== null)
  const order = (a: number, b: number) => compareValues(values[a] as Value, values[b] as Value)
  let runs: number[][] = []
  for (let start = 0; start < codes.length; start += atOnce) {
    yield
    runs.push(codes.slice(start, start + atOnce).sort(order))
  }
  while (runs.length > 1) {
    const [left = [], right = [], ...others] = runs
    runs = [...others, yield * merge(left, right, order)]
  }
  return runs.flat()
}

/** Merges two runs that are in order. */
function * merge (left: readonly number[], right: readonly number[], order: (a: number, b: number) => number): Work<number[]> {
  const merged: number[] = []
  const length = left.length + right.length
  for (let [own, other] = [0, 0]; merged.length < length;) {
    if (merged.length % atOnce === 0) yield
    const isOwn = other === right.length || (own < left.length && order(left[own]!, right[other]!) <= 0)
    merged.push(isOwn ? left[own++]! : right[other++]!)
  }
  return merged
}

/** Ranks the records of a column by its values; values that compare as equal share a rank. */
function * rank ({ codes, values }: Column): Work<Ranks> {
  const sorted = yield * sortCodes(values)
  const rankOfCode = new Uint32Array(values.length).fill(values.length)
  let rank = 0
  for (const [index, code] of sorted.entries()) {
    if (index % atOnce === 0) yield
    const previous = values[sorted[index - 1] ?? code] as Value
    if (compareValues(previous, values[code] as Value) !== 0) rank++
    rankOfCode[code] = rank
  }
  yield
  const ranks = codes.map(code => rankOfCode[code]!)
  const counts = new Uint32Array(values.length + 1)
  for (const rank of ranks) counts[rank]!++
  return { ranks, counts }
}
