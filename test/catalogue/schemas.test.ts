import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { test } from 'tap'
import { storedV1 } from '../../schemas/stored.ts'

test('the schemas of the data files are JSON Schemas', async t => {
  const ajv = addFormats.default(new Ajv({ strict: true }), ['date-time'])
  for (const [resource, schema] of Object.entries(storedV1)) t.ok(ajv.validateSchema(schema), resource)
})

test('schemas/json/ holds what schemas/ says', async t => {
  await t.resolves(promisify(execFile)(process.execPath, ['--import', 'tsx', 'scripts/schemas.ts', '--check']))
})
