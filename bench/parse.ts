import { readFile } from 'node:fs/promises'

// A process that only reads and parses JSON files, and holds what they contain.
const held: unknown[] = []
for (const file of process.argv.slice(2)) held.push(JSON.parse(await readFile(file, 'utf8')))
console.log(JSON.stringify({ url: '', files: held.length }))
setInterval(() => held.length, 60_000)
