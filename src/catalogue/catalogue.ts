import type { ListKey } from '../../schemas/lists.ts'
import type { ImageFile } from '../../schemas/v2/image.ts'
import type { Difference } from './errors/error.ts'
import type { JsonObject } from '../base/json.ts'

export type Image = Readonly<Omit<ImageFile, 'url'>>

/** A record as its list serves it; images of this server are paths. */
export type ServedRecord = { readonly id: number, readonly [field: string]: unknown }

/** The form of a list's responses; a missing property is as in the contract. */
export type ListForm = {
  readonly paginate?: 'always' | 'on-request' | 'never'
  readonly pageSize?: number
  /** Whether page_size is obeyed. */
  readonly pageSizeParameter?: boolean
  /** The largest page_size. */
  readonly maxPageSize?: number
  /** Whether the list is sorted by a field. */
  readonly sorts?: ReadonlyMap<string, boolean>
  /** Headers besides those of every list; null for one of those that responses lack. */
  readonly headers?: SourceHeaders
  /** Requests with these credentials get the list without a token. */
  readonly openTo?: readonly InvalidCredentials[]
}

export type SourceHeaders = Readonly<Record<string, string | null>>

export type InvalidCredentials = 'missing' | 'invalid'

/** The kind of request that a response belongs to: a method of a list, or missing or invalid credentials. */
export type ResponseKind = 'GET' | 'HEAD' | InvalidCredentials

/** A request, as far as a source needs it for a response of its own. */
export type SourceRequest = {
  readonly origin: string
  readonly query: URLSearchParams
  readonly format: string
  readonly indent: number
  /** Whether settings leave the form of pages to the source. */
  readonly resource: { readonly hasOwnForm: boolean }
}

/** A response that is sent as its source has it. */
export type SourceResponse = {
  readonly status: number
  readonly headers: SourceHeaders
  /** The positions of its records; undefined for a body that is no list. */
  readonly positions: readonly number[] | undefined
  /** Returns the fields of a page; undefined for any other body. */
  readonly page: () => JsonObject | undefined
  /** Returns the JSON of the record at a position, which may differ from that of the list. */
  readonly json: (position: number, origin: string, indent: number) => Buffer
  readonly body: () => Iterable<Buffer>
}

/** How the records of a list become responses; each function that is absent is the contract's. */
export type ListSource = {
  readonly form: ListForm
  /** Returns the fields of a page; its links are null, or undefined where the source leaves them out. */
  readonly page?: ((origin: string) => JsonObject) | undefined
  /** Returns a response, if the source has one. */
  readonly verbatim?: ((request: SourceRequest, to: ResponseKind) => SourceResponse | undefined) | undefined
  /** Returns the JSON of the record at a position. */
  readonly json?: ((position: number, origin: string, indent: number) => Buffer) | undefined
}

/** The lists as they are served, each in its default order, and the cranksets, which only pages name. */
export type Lists = Readonly<Record<ListKey | 'cranksets', readonly ServedRecord[]>>

/** The lists as they are served, deep frozen, and the images. */
export type Catalogue = Lists & {
  /** Recorded lists are served as they are; authored ones have the fields of their schemas in their order. */
  readonly isRecorded: boolean
  /** Undefined for lists in the contract's form. */
  readonly sources?: Readonly<Record<ListKey, ListSource>> | undefined
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
