import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { nullable } from './common.ts'

const PageLink = nullable(Type.String({ format: 'uri' }))

/** The schema of a page: DRF's PageNumberPagination envelope. */
export const Page = <T extends TSchema>(record: T) => Type.Object({
  count: Type.Integer({ minimum: 0, description: 'Records in the whole list' }),
  next: PageLink,
  previous: PageLink,
  results: Type.Array(record)
}, { additionalProperties: false })

/** The schema of a list: all its records, or a page of them. */
export const List = <T extends TSchema>(record: T) => Type.Union([Type.Array(record), Page(record)])

export type Page<Record = object> = {
  count: number
  next: string | null
  previous: string | null
  results: readonly Record[]
}

/** The body of errors that concern the whole request. */
export const Detail = Type.Object({
  detail: Type.String()
}, { additionalProperties: false })

export type Detail = Static<typeof Detail>

/** The body of a 400 with messages for each invalid parameter or field. */
export const FieldErrors = Type.Record(Type.String(), Type.Array(Type.String(), { minItems: 1 }))

export type FieldErrors = Static<typeof FieldErrors>

/** The JSON response of the token form. */
export const IssuedToken = Type.Object({
  token: Type.String({ pattern: '^bct_' }),
  label: Type.String({ description: 'The label as sent, trimmed; empty without one' }),
  curl: Type.String({ description: 'A command that uses the token' })
}, { additionalProperties: false })

export type IssuedToken = Static<typeof IssuedToken>

/** The response to OPTIONS: DRF's SimpleMetadata. */
export const Metadata = Type.Object({
  name: Type.String(),
  description: Type.String(),
  renders: Type.Array(Type.String()),
  parses: Type.Array(Type.String())
}, { additionalProperties: false })

export type Metadata = Static<typeof Metadata>
