import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, type Dirent } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { HEIF } from 'image-size/types/heif'
import { JPG } from 'image-size/types/jpg'
import { PNG } from 'image-size/types/png'
import { WEBP } from 'image-size/types/webp'
import type { ImageFile } from '../../schemas/v2/image.ts'
import { attempt } from '../base/attempt.ts'
import { groupBy } from '../base/group.ts'
import { realPathOf } from '../base/files.ts'
import type { Image } from './catalogue.ts'
import { fileError, readError, type DataError } from './errors/error.ts'
import { locationIn, type Location } from './files.ts'

type ImageFormat = Image['format']

/** The images of media folders by their paths below /media/, in the order of the paths. */
export type Images = {
  readonly images: ReadonlyMap<string, Image>
  readonly errors: readonly DataError[]
  /** The paths of other files. */
  readonly others: readonly string[]
}

const imageFormats: Readonly<Record<string, ImageFormat>> = {
  '.jpg': 'jpeg', '.jpeg': 'jpeg', '.webp': 'webp', '.avif': 'avif', '.png': 'png'
}

const outsideLink = 'is a link that leads nowhere or out of media/: links must stay inside it'

const imageReaders = { jpeg: JPG, webp: WEBP, avif: HEIF, png: PNG }

/** Reads the headers of all images of folders, which may be missing; the last image of a path counts. */
export function readImages (folders: readonly Location[]): Images {
  const images = new Map<string, Image>()
  const errors: DataError[] = []
  const others: string[] = []
  for (const folder of folders) {
    for (const { entry, name } of filesBelow(folder.realPath)) {
      const file = locationIn(folder, name)
      const format = imageFormats[extname(name)]
      const target = entry.isSymbolicLink() ? realPathOf(file.realPath) ?? '' : file.realPath
      if (!target.startsWith(folder.realPath + sep)) {
        errors.push(fileError(file.path, 'image', outsideLink))
      } else if (format === undefined) {
        others.push(file.path)
      } else {
        const url = name.split(sep).map(encodeURIComponent).join('/')
        const { value: image, error } = attempt(() => readImage(file.realPath, format))
        if (image !== undefined) images.set(`/media/${url}`, image)
        else if (error !== undefined) errors.push(readError(file.path, error))
        else errors.push(fileError(file.path, 'image', `must be an image in the format ${format}`))
      }
    }
  }
  const inOrder = [...images].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  return { images: new Map(inOrder), errors, others }
}

/** Finds the files of a folder, which may be missing, and of its subfolders, except hidden ones; names are relative. */
function * filesBelow (root: string, folder = ''): Generator<{ entry: Dirent, name: string }> {
  const { value: entries = [] } = attempt(() => readdirSync(join(root, folder), { withFileTypes: true }))
  for (const entry of entries) {
    const name = join(folder, entry.name)
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory()) yield * filesBelow(root, name)
    else yield { entry, name }
  }
}

/** Buffers for the bytes that hold the size of nearly every image, and of one with large metadata. */
const headerBuffers = [512, 2 ** 18].map(length => Buffer.alloc(length))

/** Returns the format, the extent and the length of an image; undefined for any other file. */
function readImage (path: string, format: ImageFormat): Image | undefined {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK) // a pipe could block forever
  try {
    const { size: bytes } = fstatSync(descriptor)
    for (const header of headerBuffers) {
      const length = readSync(descriptor, header, 0, header.length, 0)
      const extent = extentIn(header.subarray(0, length), format)
      if (extent !== undefined) return Object.freeze({ format, ...extent, bytes })
    }
    return undefined
  } finally {
    closeSync(descriptor)
  }
}

/** Returns whether bytes are an image in the format of a name, which ends as the names of images do. */
export function isImageOf (name: string, bytes: Uint8Array): boolean {
  const format = imageFormats[extname(name)] as ImageFormat
  return headerBuffers.some(({ length }) => {
    const header = bytes.subarray(0, length)
    return extentIn(header, format) !== undefined
  })
}

/** Returns the width and height in the header of an image; undefined for other bytes, or an extent of zero. */
function extentIn (header: Uint8Array, format: ImageFormat): Pick<Image, 'width' | 'height'> | undefined {
  const { validate, calculate } = imageReaders[format]
  const { value: size } = attempt(() => validate(header) ? calculate(header) : undefined)
  if (size === undefined) return undefined
  const { width, height } = size
  return width > 0 && height > 0 ? { width, height } : undefined
}

/** The order of an image's files: the most widely supported format first, then smaller ones, then the lossless one. */
const byUse: readonly ImageFormat[] = ['jpeg', 'webp', 'avif', 'png']

const fullResolution = /^\/media\/full\/(.+)\.\w+$/

/** Returns the files of full resolution by the path of their image. */
export function fullImages (images: Images['images']): ReadonlyMap<string, readonly ImageFile[]> {
  const files: ImageFile[] = []
  for (const [url, image] of images) {
    const { format, width, height, bytes } = image
    if (fullResolution.test(url)) files.push({ format, url, width, height, bytes })
  }
  const positionOf = ({ format }: ImageFile) => byUse.indexOf(format)
  files.sort((one, other) => positionOf(one) - positionOf(other))
  return groupBy(files, ({ url }) => url.replace(fullResolution, '/media/$1.jpg'))
}
