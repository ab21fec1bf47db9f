import type { ListKey } from '../../schemas/lists.ts'
import type { ImageFile } from '../../schemas/v2/image.ts'
import type { Difference } from './errors/error.ts'
import type { ListForm } from '../recorded/responses.ts'

export type Image = Readonly<Omit<ImageFile, 'url'>>

/** A record as its list serves it; images of this server are paths. */
export type ServedRecord = { readonly id: number, readonly [field: string]: unknown }

/** The lists as they are served, each in its default order, and the cranksets, which only pages name. */
export type Lists = Readonly<Record<ListKey | 'cranksets', readonly ServedRecord[]>>

/** The lists as they are served, deep frozen, and the images. */
export type Catalogue = Lists & {
  /** Recorded lists are served as they are; authored ones have the fields of their schemas in their order. */
  readonly isRecorded: boolean
  readonly forms: Readonly<Record<ListKey, ListForm>>
  /** The URL of the service that was recorded, if recording.json has it. */
  readonly recordedFrom?: string | undefined
  /** The name of the fitness-tracking service in field names: that of a setting or a recording, or `fitness`. */
  readonly fitnessName: string
  /** How a recording differs from the contract; none in authored data. */
  readonly differences: readonly Difference[]
  /** The latest `updated` of the data files. */
  readonly updated: Date
  /** 12 hexadecimal digits that change with every data file. */
  readonly digest: string
  /** The data directory's own images, by their paths: `/media/bikes/<slug>.jpg`. */
  readonly images: ReadonlyMap<string, Image>
  /** One line for each file that is not served, each missing list, and each time in the future. */
  readonly warnings: readonly string[]
}
