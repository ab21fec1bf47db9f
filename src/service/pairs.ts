/** The value of each dimension that is not left at its default. */
export type Values<Dimension extends string> = Readonly<Partial<Record<Dimension, string>>>

type Pair = { one: string, value: string, other: string, otherValue: string }

/**
 * Returns rows in which every two values of different dimensions occur together: a covering array of strength 2 (NIST SP 800-142), which a
 * greedy search makes small. A value beside the default of another dimension is that value alone, so the rows need no such pairs.
 */
export function pairsOf<Dimension extends string> (
  dimensions: Readonly<Partial<Record<Dimension, readonly string[]>>>
): Values<Dimension>[] {
  const columns = Object.entries<readonly string[] | undefined>(dimensions)
  let missing = allPairs(columns.map(([name, values = []]) => ({ name, values })))
  const rows: Values<Dimension>[] = []
  for (let [pair] = missing; pair !== undefined; [pair] = missing) {
    const row: Record<string, string> = { [pair.one]: pair.value, [pair.other]: pair.otherValue }
    for (const [name, values = []] of columns) {
      if (name in row) continue
      const best = mostCovering(name, values, row, missing)
      if (best !== undefined) row[name] = best
    }
    missing = missing.filter(pair => !isIn(pair, row))
    rows.push(row as Values<Dimension>)
  }
  return rows
}

function allPairs (columns: readonly { name: string, values: readonly string[] }[]): Pair[] {
  const pairs: Pair[] = []
  for (const [index, { name: one, values }] of columns.entries()) {
    for (const { name: other, values: otherValues } of columns.slice(index + 1)) {
      for (const value of values) {
        for (const otherValue of otherValues) pairs.push({ one, value, other, otherValue })
      }
    }
  }
  return pairs
}

const isIn = ({ one, value, other, otherValue }: Pair, row: Readonly<Record<string, string>>) =>
  row[one] === value && row[other] === otherValue

/** Returns the value that adds most missing pairs to a row; undefined where none adds one. */
function mostCovering (
  name: string, values: readonly string[], row: Readonly<Record<string, string>>, missing: readonly Pair[]
): string | undefined {
  let best: string | undefined
  let most = 0
  for (const value of values) {
    const extended = { ...row, [name]: value }
    const added = missing.filter(pair => (pair.one === name || pair.other === name) && isIn(pair, extended)).length
    if (added <= most) continue
    most = added
    best = value
  }
  return best
}
