/** Writes the JSON Schemas of the data files to schemas/json/, for editors; --check only compares. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { stored } from '../schemas/stored.ts'
import { writeFiles } from './write.ts'

const output = 'schemas/json'

function text (path: string, schema: TSchema): string {
  const head = { $schema: 'http://json-schema.org/draft-07/schema#', title: `data/${path}` }
  return `${JSON.stringify({ ...head, ...schema }, null, 2)}\n`
}

const found = readdirSync(output, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.json'))

writeFiles(new Map([
  ...found.map(file => [join(output, file), undefined] as const),
  ...Object.entries<TSchema>(stored).map(([name, schema]) => {
    return [join(output, `${name}.json`), text(`${name}.json`, schema)] as const
  })
]), 'npm run schemas')
