import { access, constants, lstat, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { unescape } from 'node:querystring'
import { recordedFiles, recordingFile } from '../catalogue/files.ts'
import { isImageOf } from '../catalogue/images.ts'
import type { Get } from './lists.ts'

const image = /\.(?:jpe?g|webp|avif|png)$/

const folders = ['v1', 'v2', 'media']
const files = new Set([recordingFile, ...Object.values(recordedFiles).map(file => `${file}.json`)])

/** @throws {Error} unless a directory is missing, empty, or written by an earlier pull and may be replaced */
export async function assertReplaceable (directory: string, overwrites: boolean): Promise<void> {
  const parent = await stat(dirname(directory)).catch(() => undefined)
  if (parent?.isDirectory() !== true) throw new Error(`${dirname(directory)} is not a directory: create it first`)
  const own = await lstat(directory).catch(() => undefined)
  if (own !== undefined) {
    if (!overwrites) throw new Error(`${directory} already exists (--overwrite replaces it)`)
    if (own.dev !== parent.dev) throw new Error(`${directory} is a mount point, which cannot be replaced: pull into a directory in it`)
    if (!own.isDirectory()) throw new Error(`${directory} is a ${own.isSymbolicLink() ? 'link' : 'file'}, which is not replaced`)
    const top = await readdir(directory)
    // Only directories that a pull writes are read.
    const other = top.find(name => !files.has(name) && !folders.includes(name)) ?? await findOther(directory)
    if (other !== undefined) throw new Error(`${directory} is not replaced: it contains ${other}, which no pull created`)
    const isPulled = top.length === 0 || top.includes(recordingFile)
    if (!isPulled) throw new Error(`${directory} is not replaced: it has no ${recordingFile}, so no pull wrote it`)
  }
  await access(dirname(directory), constants.W_OK)
}

/** Returns the first path that no pull writes; links are such paths. */
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
  if (isThere) throw new Error(`${directory} already exists: move or delete it first`)
}

/** Renames a directory, replacing an existing one. */
export async function moveTo (directory: string, from: string): Promise<void> {
  const old = `${from}.old`
  const isThere = await rename(directory, old).then(() => true, () => false)
  await rename(from, directory).catch(async (error: Error) => {
    if (isThere) await rename(old, directory)
    throw error
  })
  await rm(old, { recursive: true, force: true })
}

/** Writes a file, and creates its directory. */
export async function createFile (file: string, content: string | Buffer): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw Object.assign(new Error(`${file} could not be written: ${message}`), { code })
  }
}

/**
 * Downloads images, given by URLs below `media` or by paths, to the same paths below a directory.
 * Returns their number, and a message for each failure.
 */
export async function fetchImages (get: Get, media: URL, addresses: ReadonlySet<string>, folder: string) {
  const messages: string[] = []
  for (const address of addresses) {
    const path = address.replace(media.href, '').replace(/^\/media\//, '')
    const reason = isImagePath(path)
      ? await fetchImage(get, new URL(address, media), join(folder, ...path.split('/').map(unescape)))
      : 'it is not the path of an image'
    if (reason !== undefined) messages.push(`${address} keeps its URL: ${reason}`)
  }
  return { count: addresses.size - messages.length, messages }
}

/** Downloads an image to a file; returns the reason for a failure. */
async function fetchImage (get: Get, address: URL, file: string): Promise<string | undefined> {
  const { status, headers: { 'content-type': type = 'no type' }, body } = await get(address)
  if (status !== 200 || !type.startsWith('image/')) return `it responds with ${status}, ${type}`
  if (!isImageOf(file, body)) return 'its content is not an image in the format of its name'
  try {
    await createFile(file, body)
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (!['EEXIST', 'ENOTDIR', 'EISDIR'].includes(String(code))) throw error
    return 'its path conflicts with the path of another image'
  }
}

/** Returns the strings, at any depth, that begin with a URL, or with the path of our images. */
export function addressesBelow (media: URL, lists: readonly (readonly object[])[]): Set<string> {
  const found = new Set<string>()
  function visit (value: unknown): void {
    if (typeof value === 'string' && [media.href, '/media/'].some(begin => value.startsWith(begin))) found.add(value)
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit)
  }
  lists.forEach(visit)
  return found
}

/** Returns whether a path is a valid image path that stays below its directory. */
function isImagePath (path: string): boolean {
  return image.test(path) && path.split('/').every(segment => {
    const name = unescape(segment)
    return encodeURIComponent(name) === segment && /^[^./\\\p{Cc}][^/\\\p{Cc}]*$/u.test(name) && Buffer.byteLength(name) <= 255
  })
}
