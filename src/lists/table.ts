import type { ServedRecord } from '../catalogue/catalogue.ts'

/** A field's value, for ordering and filtering. */
export type Value = string | number | boolean | null

/** Functions that return a field's value of a record, by the field's name in queries. */
export type Fields<T = ServedRecord> = Readonly<Record<string, (record: T) => Value>>

/** The records of a list and their values by position; a field's values are computed when first needed. */
export type Table<T = ServedRecord> = {
  records: readonly T[]
  /** The distinct values of a field. */
  distinct: (field: string) => readonly Value[]
  /** The value of a field in each record, text in lower case. */
  values: (field: string) => readonly Value[]
  /** Ranks the records by a field; null for a record without a value. */
  ranks: (field: string) => readonly (number | null)[]
}

/** Compares texts alphabetically, ignoring case; the locale is fixed, so that every machine orders alike. */
const { compare } = new Intl.Collator('en', { sensitivity: 'accent' })

/** Creates the table of constant records in their default order. */
export function createTable<T> (records: readonly T[], fields: Fields<T>): Table<T> {
  const written = (field: string) => records.map(fields[field] as (record: T) => Value)
  const values = memoise(field => written(field).map(value => typeof value === 'string' ? value.toLowerCase() : value))
  return {
    records,
    distinct: memoise(field => [...new Set(written(field))]),
    values,
    ranks: memoise(field => rank(values(field)))
  }
}

function memoise<Made> (make: (field: string) => Made): (field: string) => Made {
  const known = new Map<string, Made>()
  return field => {
    const made = known.get(field) ?? make(field)
    known.set(field, made)
    return made
  }
}

/** Ranks numbers and booleans by value, texts alphabetically; equal texts have the same rank. */
function rank (values: readonly Value[]): (number | null)[] {
  const texts = [...new Set(values)].filter(value => typeof value === 'string').sort(compare)
  const ranks = new Map<Value, number>()
  let last = 0
  for (const [index, text] of texts.entries()) {
    if (index > 0 && compare(texts[index - 1] as string, text) !== 0) last = index
    ranks.set(text, last)
  }
  return values.map(value => value === null ? null : ranks.get(value) ?? Number(value))
}
