import type { ListKey } from '../../schemas/lists.ts'
import type { ImageFile } from '../../schemas/v2/image.ts'
import type { Difference } from './errors/error.ts'

export type Image = Readonly<Omit<ImageFile, 'url'>>

/** A record as its list serves it; images of this server are paths. */
export type ServedRecord = { readonly id: number, readonly [field: string]: unknown }

/** The lists as they are served, each in its default order, and the cranksets, which only pages name. */
export type Lists = Readonly<Record<ListKey | 'cranksets', readonly ServedRecord[]>>

/** The texts around, between and after the records of a list. */
export type Frame = { readonly open: string, readonly separator: string, readonly close: string }

/** A recorded response for an origin; null for a header that it lacks. */
export type Replay = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | null>>
  /** The positions of its records. */
  readonly records: readonly number[]
  readonly body: () => Iterable<Buffer>
}

/** The responses to HEAD, where it differs from that to GET, and to a missing and an invalid token. */
export type OtherResponse = 'head' | 'missing' | 'invalid'

/** The recorded responses of a list, and the form of those that are made; authored data has the contract's. */
export type ListForm = {
  readonly paginate: 'always' | 'on-request' | 'never' | undefined
  readonly pageSize: number | undefined
  readonly pageSizeParameter: boolean | undefined
  /** Parameters that the service adds to its links. */
  readonly parameters: string | undefined
  readonly isReplayed: boolean
  /** The texts around the records of an array. */
  readonly array: Frame
  /** The headers of responses that are made; null for an absent one. */
  readonly headers: Replay['headers']
  /** The body of a list that is neither an array nor a page. */
  readonly document?: string
  /** Returns the sortable fields, from those of the contract. */
  readonly sortable: (known: readonly string[]) => readonly string[]
  /** Positions by ordering term; records that are left out follow. */
  readonly orders: Readonly<Record<string, readonly number[]>>
  /** Returns the JSON of a record; undefined for one that an overlay changes. */
  readonly bytesAt: (position: number, origin: string) => Buffer | undefined
  /** Returns the response to a sorted query, if one was recorded that holds for it. */
  readonly replay: (key: string, origin: string) => Replay | undefined
  readonly other: (name: OtherResponse, origin: string) => Replay | undefined
  /** Returns the response to the page after the last one. */
  readonly invalidPage: (last: number, origin: string) => Replay | undefined
  /** Returns the texts around the records of a page; undefined where no page was recorded. */
  readonly pageFrame: (links: Readonly<Record<string, unknown>>, origin: string) => Frame | undefined
}

/** The lists as they are served, deep frozen, and the images. */
export type Catalogue = Lists & {
  /** Recorded lists are served as they are; authored ones have the fields of their schemas in their order. */
  readonly isRecorded: boolean
  readonly forms: Readonly<Record<ListKey, ListForm>>
  /** The URL of the service that was recorded, where recording.json has it. */
  readonly recordedFrom?: string | undefined
  /** The part of names that stands for the fitness-tracking service: `fitness`, unless a setting or a recording has another. */
  readonly fitnessName: string
  /** Those of a recording from the contract; none in authored data. */
  readonly differences: readonly Difference[]
  /** The latest `updated` of the data files. */
  readonly updated: Date
  /** 12 hexadecimal digits that change with every data file. */
  readonly digest: string
  /** The data directory's own images, by their paths: `/media/bikes/<slug>.jpg`. */
  readonly images: ReadonlyMap<string, Image>
  /** One line for each file that is not served, each list that is missing, and each time in the future. */
  readonly warnings: readonly string[]
}
