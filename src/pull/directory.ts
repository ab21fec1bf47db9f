import { access, constants, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { unescape } from 'node:querystring'
import { fileVersion } from '../../schemas/common.ts'
import { newestDate } from '../catalogue/contradictions.ts'
import { isJsonObject } from '../http/client.ts'
import type { Get, Pulled } from './lists.ts'
import type { StoredFile } from './store.ts'

/**
 * Checks that a directory can be made, or may be replaced: only one that is empty or has data files.
 * @throws {Error} otherwise
 */
export async function assertReplaceable (directory: string, overwrites: boolean): Promise<void> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
  if (names === undefined) return access(dirname(directory), constants.W_OK)
  if (!overwrites) throw new Error(`${directory} is there already (--overwrite replaces it)`)
  if (names.length > 0 && !names.includes('v1')) throw new Error(`${directory} is no data directory, so it is not replaced`)
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

/** Writes the data files, with the paths of pictures in place of their addresses. */
export async function writeFiles (directory: string, { files, updated }: Pulled, paths: Pictures['paths']): Promise<void> {
  const pathOf = (field: string, value: unknown) => addressFields.includes(field) ? paths.get(value) ?? value : value
  for (const { path, records } of files) {
    const file = join(directory, `${path}.json`)
    const resource = basename(path)
    const content = { version: fileVersion, updated: newestDate({ resource, content: { updated }, records }), [resource]: records }
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, `${JSON.stringify(content, pathOf, 2)}\n`)
  }
}

/** The fields that hold the address of a picture, in records and in their `image_formats`. */
const addressFields: readonly string[] = ['image_url', 'images', 'featured_image', 'url']

/** The paths of pictures by their addresses, and a message for each picture that keeps its address. */
export type Pictures = { paths: ReadonlyMap<unknown, string>, messages: readonly string[] }

/** Fetches the pictures below an address into the same places below a folder. */
export async function fetchPictures (get: Get, media: URL, files: readonly StoredFile[], folder: string): Promise<Pictures> {
  const paths = new Map<string, string>()
  const messages: string[] = []
  for (const address of addressesOf(files)) {
    if (!address.startsWith(media.href)) continue
    const path = address.slice(media.href.length)
    const picture = isPicturePath(path) ? await get(new URL(address)) : undefined
    if (picture?.status === 200) {
      const file = join(folder, ...path.split('/').map(unescape))
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, picture.body)
      paths.set(address, `/media/${path}`)
    } else {
      const reason = picture === undefined ? 'is not the path of a picture' : `responds with ${picture.status}`
      messages.push(`${address} stays an address: it ${reason}`)
    }
  }
  return { paths, messages }
}

function addressesOf (files: readonly StoredFile[]): Set<string> {
  const records = files.flatMap(({ records }) => records)
  const formats = records.flatMap(({ image_formats: formats }) => Array.isArray(formats) ? formats.filter(isJsonObject) : [])
  const values = [...records, ...formats].flatMap(holder => addressFields.map(field => holder[field]))
  return new Set(values.filter(value => typeof value === 'string'))
}

/** Returns whether a path names a picture that the catalogue finds by it, and that stays below its folder. */
function isPicturePath (path: string): boolean {
  return /\.(?:jpe?g|webp|avif|png)$/.test(path) && path.split('/').every(segment => {
    const name = unescape(segment)
    return encodeURIComponent(name) === segment && /^[^./\\\p{Cc}][^/\\\p{Cc}]*$/u.test(name) && Buffer.byteLength(name) <= 255
  })
}
