import type { TObject } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { test } from 'tap'
import { stored } from '../../schemas/stored.ts'
import { runScript } from '../run-script.ts'

test('the schemas of the data files are JSON Schemas', async t => {
  const ajv = addFormats.default(new Ajv({ strict: true }), ['date-time'])
  for (const schema of Object.values<TObject>(stored)) {
    t.ok(ajv.validateSchema(schema), Object.keys(schema.properties).join())
    t.notMatch(JSON.stringify(schema), 'anyOf', 'messages know no alternatives')
  }
})

test('schemas/json/ is up to date with schemas/', async t => {
  t.match(runScript('scripts/schemas.ts', '--check'), { status: 0, stderr: '' })
})
