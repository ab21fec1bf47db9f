/** The values of each dimension, in the order in which they are tried. */
export type Dimensions = Readonly<Record<string, readonly string[]>>

/** One value of each dimension that is not left at its default. */
type ChosenValues = Record<string, string>

/**
 * Returns rows in which every two values of different dimensions occur together: a covering array of strength 2
 * (NIST SP 800-142). The first row that contains a pair, or has no other value in its dimensions, takes the pair. A
 * value with the default of another dimension is that value alone, so the rows need no such pairs.
 */
export function pairsOf (dimensions: Dimensions): ChosenValues[] {
  const rows: ChosenValues[] = []
  const columns = Object.entries(dimensions)
  for (const [index, [one, values]] of columns.entries()) {
    for (const [other, otherValues] of columns.slice(index + 1)) {
      for (const value of values) {
        for (const otherValue of otherValues) {
          const pair = { [one]: value, [other]: otherValue }
          const row = rows.find(row => (row[one] ?? value) === value && (row[other] ?? otherValue) === otherValue)
          if (row === undefined) rows.push(pair)
          else Object.assign(row, pair)
        }
      }
    }
  }
  return rows
}
