import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import type { Format, Output } from './render.ts'

/** What the manifest says of one picture; source is a short digest of the drawing that it was rendered from. */
export interface Entry { format: Format, width: number, height: number, bytes: number, source: string }

/** The list of all pictures by the path at which they are served. */
export interface Manifest { version: 1, pictures: Record<string, Entry> }

const name = 'manifest.json'

/** Returns the paths of all picture files below the media folder, as served; none where there is no folder. */
export async function pictureFiles (media: URL): Promise<string[]> {
  const entries = await readdir(media, { recursive: true, withFileTypes: true }).catch(() => [])
  const root = fileURLToPath(media)
  return entries
    .filter(entry => entry.isFile() && entry.name !== name)
    .map(entry => `/media/${`${entry.parentPath}/${entry.name}`.slice(root.length).replace(/^\/+/, '')}`)
}

/** Returns the manifest as stored, an empty one where there is none. */
export async function readManifest (media: URL): Promise<Manifest> {
  const text = await readFile(new URL(name, media), 'utf8').catch(() => '{"version":1,"pictures":{}}')
  return JSON.parse(text) as Manifest
}

/** Returns the true entry of a picture, read back from its file; throws where there is none. */
export async function entryOf (media: URL, { path, source }: Pick<Output, 'path' | 'source'>): Promise<Entry> {
  const file = fileURLToPath(new URL(path.replace('/media/', ''), media))
  const [{ size }, { format, width, height }] = await Promise.all([stat(file), sharp(file).metadata()])
  return { format: (format === 'heif' ? 'avif' : format) as Format, width, height, bytes: size, source }
}

/** Returns the manifest's text: sorted by path, one picture a line. */
export function manifestText (pictures: Manifest['pictures']): string {
  const lines = Object.keys(pictures).sort().map(path => `    ${JSON.stringify(path)}: ${JSON.stringify(pictures[path])}`)
  return `{\n  "version": 1,\n  "pictures": {\n${lines.join(',\n')}\n  }\n}\n`
}

/** Stores the manifest's text. */
export const writeManifest = (media: URL, text: string) => writeFile(new URL(name, media), text)
