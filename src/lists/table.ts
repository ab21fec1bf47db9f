import { takeTurn } from '../http/send.ts'

/** What a field of a record can hold for ordering and filtering; texts in lower case. */
export type Value = string | number | boolean | null

/** How the values of a record's fields are found, by the name that a query uses. */
export type Fields<T> = Readonly<Record<string, (record: T) => Value>>

/**
 * One field of all records: a code for each record, in their order, and the value that each code stands for, also as it is written. A
 * number may have two codes.
 */
export type Column = { codes: Uint32Array, values: readonly Value[], written: readonly Value[] }

/** Where each record stands among the values of a field, and how many records stand there; the last rank is that of null. */
export type Ranks = { ranks: Uint32Array, counts: Uint32Array }

/** The records of lists, their fields by column, and the ranks that they are ordered by; each is made when it is first needed. */
export type Table<T> = {
  records: readonly T[]
  column: (field: string) => Column
  ranks: (field: string) => Ranks
  /** Makes columns and ranks of many records in turns with requests, so that no request waits for them. */
  prepare: (columns: readonly string[], ranks: readonly string[]) => Promise<void>
}

/** How many records are looked at, or texts sorted, before requests have a turn: it takes up to 11 ms. */
const atOnce = 5_000

/** What takes long to make; it stops where requests may have a turn. */
type Work<Made> = Generator<void, Made>

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

async function inTurns (work: Work<unknown>): Promise<void> {
  while (!work.next().done) await takeTurn()
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

/** Ranks the records of a column by its values; values that compare as equal share a rank. */
function * rank ({ codes, values }: Column): Work<Ranks> {
  const rankOfCode = values.some(value => typeof value === 'number') ? yield * rankNumbers(values) : yield * rankTexts(values)
  yield
  const ranks = codes.map(code => rankOfCode[code]!)
  const counts = new Uint32Array(values.length + 1)
  for (const rank of ranks) counts[rank]!++
  return { ranks, counts }
}

/** The rank of each value; texts and booleans are compared, some at a time. */
function * rankTexts (values: readonly Value[]): Work<Uint32Array> {
  const sorted = yield * sortCodes(values)
  const ranks = new Uint32Array(values.length).fill(values.length)
  let rank = 0
  for (const [index, code] of sorted.entries()) {
    if (index % atOnce === 0) yield
    const previous = values[sorted[index - 1] ?? code] as Value
    if (compareValues(previous, values[code] as Value) !== 0) rank++
    ranks[code] = rank
  }
  return ranks
}

/** The rank of each value; a typed array sorts 100,000 different numbers in 11 ms, without a call for each comparison. */
function * rankNumbers (values: readonly Value[]): Work<Uint32Array> {
  yield
  const sorted = new Float64Array(values.filter(value => typeof value === 'number')).sort()
  const ranks = new Uint32Array(values.length)
  for (let code = 0; code < ranks.length; code++) {
    if (code % atOnce === 0) yield
    const value = values[code]
    ranks[code] = typeof value === 'number' ? indexOf(sorted, value) : values.length
  }
  return ranks
}

/** Where a number stands among numbers in ascending order, of which it is one. */
function indexOf (numbers: Float64Array, number: number): number {
  let [first, last] = [0, numbers.length - 1]
  while (first < last) {
    const middle = (first + last) >>> 1
    if (numbers[middle]! < number) first = middle + 1
    else last = middle
  }
  return first
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
