import { Type, type TArray } from '@sinclair/typebox'
import { Bike, Brake, Chain, DetailedBike, Groupset, Handlebar, Saddle, Tyre, Wheel } from '../../schemas/index.ts'
import type { ListKey } from './catalogue.ts'
import { parts, type Fault, type Remark } from './fault.ts'
import { nameFitness } from './fitness.ts'
import { nullableNames } from './overlay.ts'
import { locate } from './positions.ts'
import { placeOf, type List, type Row, type Source } from './source.ts'
import { validate } from './validate.ts'

/** A recorded list, with the errors and changes in its text that JSON.parse accepts. */
export type RecordedList = List & { readonly flaws: readonly Fault[] }

/** The contract of each list. */
const lists: Readonly<Record<ListKey, TArray>> = {
  bikes: Type.Array(Bike),
  featured: Type.Array(Bike),
  wheels: Type.Array(Wheel),
  tyres: Type.Array(Tyre),
  chains: Type.Array(Chain),
  groupsets: Type.Array(Groupset),
  brakes: Type.Array(Brake),
  saddles: Type.Array(Saddle),
  handlebars: Type.Array(Handlebar),
  bikesV2: Type.Array(DetailedBike)
}

export const nullableOf = (key: ListKey) => nullableNames(lists[key])

/** The contract with another name of the fitness fields, made once, because Ajv keeps each schema that it compiles. */
const renamed = new Map<string, typeof lists>()

function contractOf (key: ListKey, fitnessName: string): TArray {
  const known = renamed.get(fitnessName) ?? nameFitness(lists, fitnessName)
  renamed.set(fitnessName, known)
  return known[key]
}

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
