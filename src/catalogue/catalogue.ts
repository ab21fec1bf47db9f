import type { ListKey } from '../../schemas/lists.ts'
import type { PictureFile } from '../../schemas/v2/picture.ts'
import type { Remark } from './fault.ts'

export type Picture = Readonly<Omit<PictureFile, 'url'>>

/** A record as its list serves it; pictures of this server are paths. */
export type ServedRecord = { readonly id: number, readonly [field: string]: unknown }

/** The lists as they are served, each in its default order, and the cranksets, which only pages name. */
export type Lists = Readonly<Record<ListKey | 'cranksets', readonly ServedRecord[]>>

/** The lists as they are served, deep frozen, and the pictures. */
export type Catalogue = Lists & {
  /** Recorded lists are served as they are; authored ones have the fields of their schemas in their order. */
  readonly isRecorded: boolean
  /** The part of names that stands for the fitness-tracking service: `fitness`, unless a setting or a recording has another. */
  readonly fitnessName: string
  /** The differences of a recording from the contract; none in authored data. */
  readonly remarks: readonly Remark[]
  /** The latest `updated` of the data files. */
  readonly updated: Date
  /** 12 hexadecimal digits that change with every data file. */
  readonly digest: string
  /** The data directory's own pictures, by their paths: `/media/bikes/<slug>.jpg`. */
  readonly pictures: ReadonlyMap<string, Picture>
  /** One line for each file that is not served, each list that is missing, and each time in the future. */
  readonly warnings: readonly string[]
}
