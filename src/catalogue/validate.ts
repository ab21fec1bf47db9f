import type { TSchema } from '@sinclair/typebox'
import { Ajv, type ErrorObject } from 'ajv'
import addFormats from 'ajv-formats'
import type { Complaint } from './complaint.ts'
import { explain } from './explain.ts'

// Schemas are checked against their meta-schema by a test, not at every start; unoptimised code compiles in half the time.
const quick = { meta: false, validateSchema: false, code: { optimize: false } } as const
const thorough = { ...quick, allErrors: true, verbose: true }

function validator (options: typeof quick | typeof thorough): Ajv {
  return addFormats.default(new Ajv(options), ['date-time'])
}

const acceptance = validator(quick)
let explanation: Ajv | undefined

function errors (schema: TSchema, content: unknown): readonly ErrorObject[] {
  explanation ??= validator(thorough)
  explanation.validate(schema, content)
  return explanation.errors as ErrorObject[]
}

/** Gives what is wrong with the content of a data file; a file of another version gets that one complaint. */
export function validate (schema: TSchema, content: unknown): Complaint[] {
  if (acceptance.validate(schema, content)) return []
  const complaints = explain(errors(schema, content))
  const otherVersion = complaints.find(({ pointer }) => pointer === '/version')
  return otherVersion === undefined ? complaints : [otherVersion]
}
