/**
 * Writes the OpenAPI document to schemas/openapi.json and schemas/openapi.yaml; with --check it only compares.
 */

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stringify } from 'yaml'
import { openApiDocument } from './openapi/document.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const json = `${JSON.stringify(await openApiDocument(), null, 2)}\n`

const wanted = {
  'schemas/openapi.json': json,
  'schemas/openapi.yaml': stringify(JSON.parse(json), { lineWidth: 120 })
}

const isCheck = process.argv.includes('--check')

for (const [path, text] of Object.entries(wanted)) {
  const file = join(root, path)
  if (await readFile(file, 'utf8').catch(() => '') === text) continue
  if (isCheck) {
    console.error(`${path} is stale. Write it anew: npm run openapi`)
    process.exitCode = 1
  } else {
    await writeFile(file, text)
    console.log(`${path} written`)
  }
}
