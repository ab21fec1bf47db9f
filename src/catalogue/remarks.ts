import { Type, type TArray } from '@sinclair/typebox'
import { Bike, Brake, Chain, DetailedBike, Groupset, Handlebar, Saddle, Tyre, Wheel } from '../../schemas/index.ts'
import type { ListKey, ServedRecord } from './catalogue.ts'
import { fileFault, parts, sentence, type Complaint, type Remark } from './fault.ts'
import { named, type RecordedFile } from './files.ts'
import { nameFitness } from './fitness.ts'
import { nullableNames } from './merge.ts'
import { positions } from './positions.ts'
import { validate } from './validate.ts'

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

/** Returns the differences of a recorded list and of its overlay from the contract, one for each kind. */
export function remarksOf (key: ListKey, fitnessName: string, own: RecordedFile | undefined, patch: RecordedFile | undefined): Remark[] {
  const schema = contractOf(key, fitnessName)
  const known = new Set(own?.records.map(({ id }) => id))
  const differences = (file: RecordedFile) => validate(schema, file.records)
  return [
    ...own === undefined ? [] : groupKinds(own, differences(own)),
    ...patch === undefined ? [] : groupKinds(patch, differences(patch).filter(complaint => !isOfPatch(complaint, patch.records, known)))
  ]
}

/** Returns whether a patch may lack a property, because the record that it is merged into has it. */
function isOfPatch ({ pointer, rule }: Complaint, records: readonly ServedRecord[], known: ReadonlySet<number>): boolean {
  return rule === 'required' && known.has(Number(records[Number(parts(pointer)[0])]?.id))
}

function groupKinds (file: RecordedFile, differences: readonly Complaint[]): Remark[] {
  const kinds = new Map<string, { first: Complaint, more: number }>()
  const all = [...differences.map(complaint => ({ ...complaint, pointer: file.root + complaint.pointer })), ...file.flaws]
  for (const complaint of all) {
    const { pointer, rule, must } = complaint
    const key = `${pointer.replace(/\/\d+(?=\/|$)/g, '/')} ${rule} ${rule === 'required' ? must : ''}`
    const kind = kinds.get(key)
    if (kind === undefined) kinds.set(key, { first: complaint, more: 0 })
    else kind.more++
  }
  const found = [...kinds.values()]
  const placed = positions(file.text, found.map(({ first }) => first))
  return found.map(({ first, more }, index) => ({
    ...fileFault(file.path, first.rule, named(file, sentence(first))),
    ...file.givenAs === undefined && placed[index]?.[1],
    pointer: first.pointer,
    more
  }))
}
