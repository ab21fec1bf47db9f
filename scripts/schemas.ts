/** Writes the JSON Schemas of the data files to schemas/json/, so that editors complete and check them; --check only compares. */

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TSchema } from '@sinclair/typebox'
import { stored } from '../schemas/stored.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const output = join(root, 'schemas', 'json')

function text (folder: string, name: string, schema: TSchema): string {
  const head = { $schema: 'http://json-schema.org/draft-07/schema#', title: `data/${folder}/${name}.json` }
  return `${JSON.stringify({ ...head, ...schema }, null, 2)}\n`
}

const wanted = new Map(Object.entries(stored).flatMap(([folder, schemas]) => Object.entries<TSchema>(schemas)
  .map(([name, schema]) => [join(output, folder, `${name}.json`), text(folder, name, schema)])))

async function existing (): Promise<Map<string, string>> {
  const entries = await readdir(output, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  return new Map(await Promise.all(files.map(async file => [file, await readFile(file, 'utf8')] as const)))
}

async function write (file: string): Promise<void> {
  const content = wanted.get(file)
  if (content === undefined) return await rm(file)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
}

const found = await existing()
const different = [...new Set([...wanted.keys(), ...found.keys()])].filter(file => wanted.get(file) !== found.get(file))
const isCheck = process.argv.includes('--check')

for (const file of different) {
  const state = !found.has(file) ? 'missing' : wanted.has(file) ? 'stale' : 'orphaned'
  console.log(`${relative(root, file)} ${isCheck ? 'is' : 'was'} ${state}`)
  if (!isCheck) await write(file)
}

if (isCheck && different.length > 0) {
  console.error('Write the schemas anew: npm run schemas')
  process.exitCode = 1
}
