/** The values of each dimension, in the order in which they are tried. */
export type Dimensions = Readonly<Record<string, readonly string[]>>

/** One value of each dimension that is not left at its default. */
type ChosenValues = Record<string, string>

type PairColumn = readonly [name: string, values: readonly string[]]

type Pair = { one: string, value: string, other: string, otherValue: string }

/**
 * Returns rows in which every two values of different dimensions occur together: a covering array of strength 2
 * (NIST SP 800-142), made small by a greedy search. A value beside the default of another dimension is that value
 * alone, so the rows need no such pairs.
 */
export function pairsOf (dimensions: Dimensions): ChosenValues[] {
  const columns = Object.entries(dimensions)
  const rows: ChosenValues[] = []
  let missing = allPairs(columns)
  while (missing[0] !== undefined) {
    const row = rowWith(missing[0], columns, missing)
    missing = missing.filter(pair => !isIn(pair, row))
    rows.push(row)
  }
  return rows
}

function allPairs (columns: readonly PairColumn[]): Pair[] {
  const pairs: Pair[] = []
  for (const [index, [one, values]] of columns.entries()) {
    for (const [other, otherValues] of columns.slice(index + 1)) {
      for (const value of values) {
        for (const otherValue of otherValues) pairs.push({ one, value, other, otherValue })
      }
    }
  }
  return pairs
}

/** Returns a row with a pair, and in each other column the value that adds most of the missing pairs. */
function rowWith (pair: Pair, columns: readonly PairColumn[], missing: readonly Pair[]): ChosenValues {
  const row = { [pair.one]: pair.value, [pair.other]: pair.otherValue }
  for (const [name, values] of columns) {
    if (name in row) continue
    let most = missing.filter(pair => isIn(pair, row)).length
    for (const value of values) {
      const extended = { ...row, [name]: value }
      const covered = missing.filter(pair => isIn(pair, extended)).length
      if (covered <= most) continue
      most = covered
      row[name] = value
    }
  }
  return row
}

function isIn ({ one, value, other, otherValue }: Pair, row: Readonly<ChosenValues>): boolean {
  return row[one] === value && row[other] === otherValue
}
