import { access, constants, lstat, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { unescape } from 'node:querystring'
import { recordedFiles, recordingFile } from '../catalogue/files.ts'
import { isImageOf } from '../catalogue/images.ts'
import type { Get } from './lists.ts'

const image = /\.(?:jpe?g|webp|avif|png)$/

const folders = ['v1', 'v2', 'media']
const files = new Set([recordingFile, ...Object.values(recordedFiles).map(file => `${file}.json`)])

/** Checks that a directory can be made, or may be replaced: only an empty one, or one that a pull wrote. @throws {Error} otherwise */
export async function assertReplaceable (directory: string, overwrites: boolean): Promise<void> {
  const parent = await stat(dirname(directory)).catch(() => undefined)
  if (parent?.isDirectory() !== true) throw new Error(`${dirname(directory)} is no directory: make it first`)
  const own = await lstat(directory).catch(() => undefined)
  if (own !== undefined) {
    if (!overwrites) throw new Error(`${directory} is there already (--overwrite replaces it)`)
    if (own.dev !== parent.dev) throw new Error(`${directory} is a mount point, which cannot be replaced: pull into a directory in it`)
    if (!own.isDirectory()) throw new Error(`${directory} is a ${own.isSymbolicLink() ? 'link' : 'file'}, which is not replaced`)
    const top = await readdir(directory)
    // Folders that a pull does not write are not read.
    const other = top.find(name => !files.has(name) && !folders.includes(name)) ?? await findOther(directory)
    if (other !== undefined) throw new Error(`${directory} is not replaced: it contains ${other}, which no pull created`)
    const isPulled = top.length === 0 || top.includes(recordingFile)
    if (!isPulled) throw new Error(`${directory} is not replaced: it has no ${recordingFile}, so no pull wrote it`)
  }
  await access(dirname(directory), constants.W_OK)
}

/** Returns the first path in a directory that is neither a folder nor a file that a pull writes; links are neither. */
async function findOther (directory: string): Promise<string | undefined> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries.flatMap(entry => {
    const path = relative(directory, join(entry.parentPath, entry.name)).replaceAll('\\', '/')
    const isMedia = /^media(?:\/[^.][^/]*)*$/.test(path)
    const isFile = entry.isFile() && (files.has(path) || (isMedia && image.test(path)))
    return isFile || (entry.isDirectory() && (isMedia || folders.includes(path))) ? [] : path
  }).sort()[0]
}

export async function assertFree (directory: string): Promise<void> {
  const isThere = await access(directory).then(() => true, () => false)
  if (isThere) throw new Error(`${directory} is there already: move or delete it first`)
}

/** Renames a directory, in place of one that has the name. */
export async function moveTo (directory: string, from: string): Promise<void> {
  const old = `${from}.old`
  const isThere = await rename(directory, old).then(() => true, () => false)
  await rename(from, directory).catch(async (error: Error) => {
    if (isThere) await rename(old, directory)
    throw error
  })
  await rm(old, { recursive: true, force: true })
}

/** Writes a file below a directory, and its folder. */
export async function writeBelow (directory: string, path: string, content: string | Buffer): Promise<void> {
  const file = join(directory, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
}

/**
 * Fetches images by their addresses or paths, which begin with `media` or its path, into the same places below a folder.
 * Returns their number, and a message for each that is not fetched.
 */
export async function fetchImages (get: Get, media: URL, addresses: ReadonlySet<string>, folder: string) {
  const messages: string[] = []
  for (const address of addresses) {
    const path = address.replace(media.href, '').replace(/^\/media\//, '')
    const reason = isImagePath(path)
      ? await fetchImage(get, new URL(address, media), join(folder, ...path.split('/').map(unescape)))
      : 'it is not the path of an image'
    if (reason !== undefined) messages.push(`${address} stays an address: ${reason}`)
  }
  return { count: addresses.size - messages.length, messages }
}

/** Fetches an image into a file; returns the reason if it cannot be had. */
async function fetchImage (get: Get, address: URL, file: string): Promise<string | undefined> {
  const { status, headers: { 'content-type': type = 'no type' }, body } = await get(address)
  if (status !== 200 || !type.startsWith('image/')) return `it responds with ${status}, ${type}`
  if (!isImageOf(file, body)) return 'it is no image in the format of its name'
  try {
    await writeBelow(file, '', body)
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (!['EEXIST', 'ENOTDIR', 'EISDIR'].includes(String(code))) throw error
    return 'an image has the name of its folder, or a folder its name'
  }
}

/** Returns the texts of lists, at any depth, that begin with an address, or as the paths of our images do. */
export function addressesBelow (media: URL, lists: readonly (readonly object[])[]): Set<string> {
  const found = new Set<string>()
  function visit (value: unknown): void {
    if (typeof value === 'string' && [media.href, '/media/'].some(begin => value.startsWith(begin))) found.add(value)
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit)
  }
  lists.forEach(visit)
  return found
}

/** Returns whether a path names an image that the catalogue finds by it, and that stays below its folder. */
function isImagePath (path: string): boolean {
  return image.test(path) && path.split('/').every(segment => {
    const name = unescape(segment)
    return encodeURIComponent(name) === segment && /^[^./\\\p{Cc}][^/\\\p{Cc}]*$/u.test(name) && Buffer.byteLength(name) <= 255
  })
}
