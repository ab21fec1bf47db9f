import { Ajv } from 'ajv'
import { isTimestamp } from '../../base/timestamps.ts'

/** Validates by the schemas. A test validates those by their meta-schema, so startup skips that. */
export const dataAjv = new Ajv({
  meta: false, validateSchema: false, allErrors: true, verbose: true, allowUnionTypes: true
})
dataAjv.addFormat('date-time', isTimestamp)
dataAjv.addFormat('uri', text => text.startsWith('/media/') || /^https?:/.test(text))
