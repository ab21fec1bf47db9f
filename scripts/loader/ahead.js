import { readdirSync, readFileSync } from 'node:fs'
import { strip } from './load.js'

// Strips the types of all that tests load; run in a thread while something else is waited for.
for (const folder of ['src', 'schemas', 'test', 'scripts', 'bench']) {
  for (const file of readdirSync(folder, { recursive: true })) if (file.endsWith('.ts')) strip(readFileSync(`${folder}/${file}`, 'utf8'))
}
