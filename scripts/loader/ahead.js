import { readdirSync, readFileSync } from 'node:fs'
import { strip } from './load.js'

// Strips the types of all that tests load, so that none of their processes has to.
for (const folder of ['src', 'schemas', 'test', 'scripts']) {
  for (const file of readdirSync(folder, { recursive: true })) if (file.endsWith('.ts')) strip(readFileSync(`${folder}/${file}`, 'utf8'))
}
