import { readFile, rm } from 'node:fs/promises'
import { type Catalogue, drawings } from './catalogue.ts'
import { difference } from './difference.ts'
import { entryOf, type Manifest, manifestText, pictureFiles, readManifest, writeManifest } from './manifest.ts'
import { type Output, outputsOf, render } from './render.ts'

const resources = ['bikes', 'wheels', 'tyres', 'chains', 'groupsets', 'brakes', 'saddles', 'handlebars', 'cranksets'] as const
const data = new URL('../../data/v1/', import.meta.url)
const media = new URL('../../data/media/', import.meta.url)

async function records (resource: string): Promise<unknown> {
  const stored = JSON.parse(await readFile(new URL(`${resource}.json`, data), 'utf8')) as Record<string, unknown>
  return stored[resource]
}

async function catalogue (): Promise<Catalogue> {
  const entries = await Promise.all(resources.map(async resource => [resource, await records(resource)] as const))
  return Object.fromEntries(entries) as unknown as Catalogue
}

async function check (wanted: readonly Output[]): Promise<number> {
  const problems = await difference(media, wanted)
  for (const problem of problems) console.error(problem)
  console.log(problems.length === 0 ? `${wanted.length} pictures are as their records say` : `${problems.length} pictures differ: run npm run pictures`)
  return problems.length === 0 ? 0 : 1
}

async function draw (wanted: readonly Output[], all: boolean): Promise<number> {
  const before = await readManifest(media)
  const there = new Set(await pictureFiles(media))
  const paths = new Set(wanted.map(({ path }) => path))
  const stale = wanted.filter(({ path, source }) => all || !there.has(path) || before.pictures[path]?.source !== source)
  const orphans = [...there].filter(path => !paths.has(path))
  await Promise.all(orphans.map(path => rm(new URL(path.replace('/media/', ''), media))))
  for (const output of stale) await render(media, output)
  const entries = await Promise.all(wanted.map(async output => [output.path, await entryOf(media, output)] as const))
  const pictures: Manifest['pictures'] = Object.fromEntries(entries)
  await writeManifest(media, manifestText(pictures))
  const bytes = Object.values(pictures).reduce((sum, entry) => sum + entry.bytes, 0)
  console.log(`${stale.length} pictures drawn, ${orphans.length} removed; ${wanted.length} in all, ${(bytes / 1e6).toFixed(2)} MB`)
  return 0
}

const wanted = drawings(await catalogue()).flatMap(outputsOf)
process.exitCode = process.argv.includes('--check') ? await check(wanted) : await draw(wanted, process.argv.includes('--all'))
