import type { PictureFile, PictureManifest } from '../../schemas/v2/picture.ts'
import type { DataFile } from './files.ts'

/** The order in which the formats of a picture are listed: what every client reads, then the smaller ones, then the lossless one. */
const formats = ['jpeg', 'webp', 'avif', 'png']

const fullResolution = /^\/media\/full\/(.+)\.\w+$/

/** The files of full resolution by the path of the picture that they are of; none without a manifest. */
export function picturesOf ({ content }: DataFile): ReadonlyMap<string, readonly PictureFile[]> {
  const pictures = new Map<string, PictureFile[]>()
  const { pictures: entries = {} } = (content ?? {}) as Partial<PictureManifest>
  for (const [url, { format, width, height, bytes }] of Object.entries(entries)) {
    const [, stem] = fullResolution.exec(url) ?? []
    if (stem === undefined) continue
    const path = `/media/${stem}.jpg`
    pictures.set(path, [...pictures.get(path) ?? [], Object.freeze({ format, url, width, height, bytes })])
  }
  for (const files of pictures.values()) Object.freeze(files.sort((a, b) => formats.indexOf(a.format) - formats.indexOf(b.format)))
  return pictures
}
