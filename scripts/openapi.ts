/** Writes the OpenAPI document to schemas/openapi.json and schemas/openapi.yaml; with --check it only compares. */

import { stringify } from 'yaml'
import { openApiDocument } from './openapi/document.ts'
import { writeFiles } from './write.ts'

const json = `${JSON.stringify(await openApiDocument(), null, 2)}\n`

writeFiles(new Map([
  ['schemas/openapi.json', json],
  ['schemas/openapi.yaml', stringify(JSON.parse(json), { lineWidth: 120 })]
]), 'npm run openapi')
