/** What a field of a record can hold for ordering and filtering. */
export type Value = string | number | boolean | null

/** How the values of a record's fields are found, by the name that a query uses. */
export type Fields<T> = Readonly<Record<string, (record: T) => Value>>

/** One field of all records: a code for each record, in their order, and the value that each code stands for. */
export type Column = {
  codes: Uint32Array
  values: readonly Value[]
  /** The same values with texts in lower case, made when they are first needed. */
  readonly folded: readonly Value[]
}

/** The records of a list with the columns of their fields, each made when it is first needed. */
export type Table<T> = { records: readonly T[], column: (field: string) => Column }

/** Makes the table of a list; the records are in ascending id order and never change. */
export function createTable<T> (records: readonly T[], fields: Fields<T>): Table<T> {
  const columns = new Map<string, Column>()
  return {
    records,
    column (field) {
      let column = columns.get(field)
      if (column === undefined) {
        const value = fields[field]
        if (value === undefined) throw new Error(`no field ${field}`)
        column = makeColumn(records, value)
        columns.set(field, column)
      }
      return column
    }
  }
}

function makeColumn<T> (records: readonly T[], value: (record: T) => Value): Column {
  const codes = new Uint32Array(records.length)
  const known = new Map<Value, number>()
  for (const [position, record] of records.entries()) {
    const own = value(record)
    const code = known.get(own) ?? known.size
    known.set(own, code)
    codes[position] = code
  }
  const values = [...known.keys()]
  let folded: readonly Value[] | undefined
  return {
    codes,
    values,
    get folded () {
      folded ??= values.map(value => typeof value === 'string' ? value.toLowerCase() : value)
      return folded
    }
  }
}
