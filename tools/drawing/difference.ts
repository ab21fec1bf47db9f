import { entryOf, type Entry, pictureFiles, readManifest } from './manifest.ts'
import type { Output } from './render.ts'

async function problemOf (media: URL, output: Output, listed: Entry | undefined): Promise<string | undefined> {
  const { path, source, format, width } = output
  if (listed === undefined) return `${path}: not in the manifest`
  if (listed.source !== source) return `${path}: its record or drawing has changed`
  const found = await entryOf(media, { path, source }).catch(() => undefined)
  if (found === undefined) return `${path}: cannot be read as a picture`
  if (found.format !== format || found.width !== width) return `${path}: is ${found.format}, ${found.width} px wide, not ${format}, ${width} px`
  const isTrue = found.format === listed.format && found.width === listed.width && found.height === listed.height && found.bytes === listed.bytes
  return isTrue ? undefined : `${path}: the manifest's format, size or bytes are not the file's`
}

/** Names each picture that is missing, orphaned, or not as its drawing and its manifest entry say; none when all is well. */
export async function difference (media: URL, wanted: readonly Output[]): Promise<string[]> {
  const { pictures } = await readManifest(media)
  const there = new Set(await pictureFiles(media))
  const paths = new Set(wanted.map(({ path }) => path))
  const missing = wanted.filter(({ path }) => !there.has(path)).map(({ path }) => `${path}: missing`)
  const orphaned = [...there].filter(path => !paths.has(path)).map(path => `${path}: no record has this picture`)
  const listed = Object.keys(pictures).filter(path => !paths.has(path) && !there.has(path)).map(path => `${path}: in the manifest only`)
  const present = wanted.filter(({ path }) => there.has(path))
  const untrue = await Promise.all(present.map(output => problemOf(media, output, pictures[output.path])))
  return [...missing, ...orphaned, ...listed, ...untrue.filter(problem => problem !== undefined)]
}
