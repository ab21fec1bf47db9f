import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { nullable } from './common.ts'

const PageLink = Type.String({ format: 'uri' })

/** The schema of one page of a list of such records: DRF's PageNumberPagination envelope. */
export const Page = <T extends TSchema>(record: T) => Type.Object({
  count: Type.Integer({ minimum: 0, description: 'Records in the whole list' }),
  next: nullable(PageLink),
  previous: nullable(PageLink),
  results: Type.Array(record)
}, { additionalProperties: false })

export type Page<Record = object> = { count: number, next: string | null, previous: string | null, results: readonly Record[] }

/** The body of every error that is not about single fields. */
export const Detail = Type.Object({
  detail: Type.String()
}, { additionalProperties: false, examples: [{ detail: 'Not found.' }] })

export type Detail = Static<typeof Detail>

/** The body of a 400 that is about single parameters or fields: what is wrong with each. */
export const FieldErrors = Type.Record(Type.String(), Type.Array(Type.String(), { minItems: 1 }))

export type FieldErrors = Static<typeof FieldErrors>

/** What the token form answers a program. */
export const IssuedToken = Type.Object({
  token: Type.String({ pattern: '^bct_' }),
  label: Type.String({ description: 'The label as sent, trimmed' }),
  curl: Type.String({ description: 'A command that uses the token' })
}, { additionalProperties: false })

export type IssuedToken = Static<typeof IssuedToken>

/** What OPTIONS answers: DRF's SimpleMetadata. */
export const Metadata = Type.Object({
  name: Type.String(),
  description: Type.String(),
  renders: Type.Array(Type.String()),
  parses: Type.Array(Type.String())
}, { additionalProperties: false })

export type Metadata = Static<typeof Metadata>
