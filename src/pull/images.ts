import { join } from 'node:path'
import { unescape } from 'node:querystring'
import { nextTurn } from '../base/timers.ts'
import { isImageOf } from '../catalogue/images.ts'
import { Limited, Unreachable, type HttpResponse } from '../client/client.ts'
import type { Get } from './recorder.ts'
import type { ListRecording } from './reduce.ts'
import type { Stage } from './stage.ts'

const imageEnding = /\.(?:jpe?g|webp|avif|png)$/

/** Records that are read between two turns of the event loop, in which signals arrive. */
const recordsATurn = 10_000

/**
 * Returns the strings in records that link to an image: below the URL `media`, or with a path below /media/. The case
 * of the scheme, and a fragment, do not matter.
 */
export async function imageLinks (
  media: URL, lists: Iterable<ListRecording>, signal: AbortSignal
): Promise<Set<string>> {
  const found = new Set<string>()
  for (const { texts } of lists) {
    for (const [index, text] of texts.entries()) {
      if (index % recordsATurn === 0) await nextTurn()
      signal.throwIfAborted()
      JSON.parse(text, (_name, value: unknown) => {
        if (typeof value !== 'string') return
        if (value.startsWith('/media/') || withoutFragment(value).startsWith(media.href)) found.add(value)
      })
    }
  }
  return found
}

/** Returns a link without its fragment, and with its scheme in lower case. */
const withoutFragment = (link: string) => link.replace(/#.*$/s, '').replace(/^https?:/i, scheme => scheme.toLowerCase())

type Download = {
  get: Get
  /** The base URL of the images. */
  media: URL
  /** The most bytes of all images together. */
  imageBytes: number
  stage: Stage
  warn: (message: string) => void
}

/**
 * Downloads images to the same paths below media/, each path once; returns their number. @throws {Error} on a full disk
 */
export async function fetchImages (
  links: ReadonlySet<string>, { get, media, imageBytes, stage, warn }: Download
): Promise<number> {
  let count = 0
  let bytes = 0
  const linksByPath = new Map<string, string>()
  for (const link of links) {
    const path = withoutFragment(link).replace(media.href, '').replace(/^\/media\//, '')
    linksByPath.set(path, link)
  }
  for (const [path, link] of linksByPath) {
    try {
      if (!isImagePath(path)) throw new Unreachable('it is not the path of an image')
      if (bytes > imageBytes) throw new Unreachable(`the images before it have ${imageBytes / 2 ** 20} MB in all`)
      const response = await get(new URL(link, media))
      bytes += response.body.length
      await writeImage(response, path, stage)
      count++
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      warn(`${link} keeps its URL: ${error.message}`)
      if (error instanceof Limited) break
    }
  }
  return count
}

/** Writes an image to a path below media/. @throws {Unreachable} for another response, and a path that is taken */
async function writeImage ({ status, headers, body }: HttpResponse, path: string, stage: Stage): Promise<void> {
  const type = headers['content-type'] ?? 'no type'
  if (status !== 200 || !/^image\//i.test(type)) throw new Unreachable(`it responds with ${status}, ${type}`)
  if (!isImageOf(path, body)) throw new Unreachable('its content is not an image in the format of its name')
  try {
    await stage.write(join('media', ...path.split('/').map(unescape)), body)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code === 'ENOSPC' ? error : new Unreachable(`it cannot be written: ${code}`)
  }
}

/** Returns whether a path has an image's ending and segments that are encoded file names, without a leading dot. */
function isImagePath (path: string): boolean {
  return imageEnding.test(path) && path.split('/').every(segment => {
    const name = unescape(segment)
    if (encodeURIComponent(name) !== segment) return false
    return /^[^./\\\p{Cc}][^/\\\p{Cc}]*$/u.test(name) && Buffer.byteLength(name) <= 255
  })
}
