import type { ListKey } from '../../schemas/lists.ts'
import { parts, type Fault, type Remark } from './fault.ts'
import { contractOf } from './fitness.ts'
import { locate } from './positions.ts'
import { placeOf, type List, type Row, type Source } from './source.ts'
import { validate } from './validate.ts'

/** A recorded list, with the errors and changes in its text that JSON.parse accepts. */
export type RecordedList = List & { readonly flaws: readonly Fault[] }

/** Returns the differences of the records of a list, and of the texts that they come from, from the contract: one for each kind. */
export function remarksOf (key: ListKey, fitnessName: string, list: List | undefined, texts: readonly RecordedList[]): Remark[] {
  const rows = list?.rows ?? []
  const differences = validate(pointer => {
    const [index, ...path] = parts(pointer)
    return placeOf(rows[Number(index)] as Row, ...path)
  }, contractOf(key, fitnessName), rows.map(({ record }) => record))
  const all = [...differences, ...texts.flatMap(({ flaws }) => flaws)]
  return texts.flatMap(({ source }) => groupKinds(source, all.filter(({ file }) => file === source.file)))
}

function groupKinds (source: Source, differences: readonly Fault[]): Remark[] {
  const kinds = new Map<string, { first: Fault, more: number }>()
  for (const fault of differences) {
    const { pointer, rule, message } = fault
    const key = `${pointer.replace(/\/\d+(?=\/|$)/g, '/')} ${rule} ${rule === 'required' ? message.replace(/^\S+/, '') : ''}`
    const kind = kinds.get(key)
    if (kind === undefined) kinds.set(key, { first: fault, more: 0 })
    else kind.more++
  }
  const found = [...kinds.values()]
  return locate(source, found.map(({ first }) => first)).map((fault, index) => ({ ...fault, more: Number(found[index]?.more) }))
}
