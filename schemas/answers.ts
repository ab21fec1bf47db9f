import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { nullable } from './common.ts'

const PageLink = Type.String({ format: 'uri' })

/** Gives the schema of one page of a list: DRF's PageNumberPagination envelope. */
export const Page = <T extends TSchema>(record: T) => Type.Object({
  count: Type.Integer({ minimum: 0, description: 'Records in the whole list' }),
  next: nullable(PageLink),
  previous: nullable(PageLink),
  results: Type.Array(record)
}, { additionalProperties: false })

export type Page = { count: number, next: string | null, previous: string | null, results: readonly object[] }

/** The body of every error that is not about single fields. */
export const Detail = Type.Object({
  detail: Type.String()
}, { additionalProperties: false, examples: [{ detail: 'Not found.' }] })

export type Detail = Static<typeof Detail>

/** What OPTIONS answers: DRF's SimpleMetadata. */
export const Metadata = Type.Object({
  name: Type.String(),
  description: Type.String(),
  renders: Type.Array(Type.String()),
  parses: Type.Array(Type.String())
}, { additionalProperties: false })

export type Metadata = Static<typeof Metadata>
