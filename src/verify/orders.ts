import type { Value } from '../lists/table.ts'

type Compare = (a: string, b: string) => number

const byCodeUnit: Compare = (a, b) => Number(a > b) - Number(a < b)

/** Languages that sort some letters without accents, or digraphs, differently. */
const languages = ['en', 'cs', 'cy', 'da', 'es-u-co-trad', 'et', 'hr', 'hu', 'lt', 'sq', 'sv']

/** Every order that a database may call alphabetical, ignoring case. */
const collations: readonly Compare[] = [
  (a, b) => byCodeUnit(a.toLowerCase(), b.toLowerCase()), (a, b) => byCodeUnit(a.toUpperCase(), b.toUpperCase()),
  ...languages.flatMap(language => [{}, { numeric: true }, { ignorePunctuation: true }, { numeric: true, ignorePunctuation: true }]
    .map(options => new Intl.Collator(language, options).compare))
]

/**
 * Returns the first neighbours that are in the wrong order by every collation, titles also by case-sensitive ones.
 * Nulls may be at either end.
 */
export function misplacedIn (values: readonly Value[], ordering: string): readonly [before: Value, after: Value] | undefined {
  const sign = ordering.startsWith('-') ? -1 : 1
  const all = ordering.endsWith('title') ? [...collations, byCodeUnit] : collations
  const known = values.filter(value => value !== null)
  for (const [index, after] of known.slice(1).entries()) {
    const before = known[index] as Value
    const areTexts = typeof before === 'string' && typeof after === 'string'
    const isWrong = areTexts ? all.every(compare => sign * compare(before, after) > 0) : sign * (Number(before) - Number(after)) > 0
    if (isWrong && before !== after) return [before, after]
  }
  return undefined
}
