import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, statSync, type Dirent } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { HEIF } from 'image-size/types/heif'
import { JPG } from 'image-size/types/jpg'
import { PNG } from 'image-size/types/png'
import { WEBP } from 'image-size/types/webp'
import type { ImageFile } from '../../schemas/v2/image.ts'
import { attempt } from '../base/attempt.ts'
import { dataDirectory } from '../package.ts'
import { builtInImages } from './built-in-images.ts'
import type { Image } from './catalogue.ts'
import { fileError, unreadable, type DataError } from './errors/error.ts'
import { realPathOf, type Location } from './files.ts'
import { groupBy } from '../base/group.ts'

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

const imageReaders = { jpeg: JPG, webp: WEBP, avif: HEIF, png: PNG }

/** Reads the headers of all image files of folders, which may be missing; an image of a later folder replaces one with the same path. */
export function readImages (folders: readonly Location[]): Images {
  const images = new Map<string, Image>()
  const errors: DataError[] = []
  const others: string[] = []
  const builtIn = realPathOf(join(dataDirectory, 'media'))
  for (const folder of folders) {
    const known = folder.realPath === builtIn ? builtInImages : undefined
    for (const { entry, name } of filesOf(folder.realPath)) {
      const path = join(folder.path, name)
      const realPath = join(folder.realPath, name)
      const format = imageFormats[extname(name)]
      if (entry.isSymbolicLink() && realPathOf(realPath)?.startsWith(folder.realPath + sep) !== true) {
        errors.push(fileError(path, 'image', 'is a link that leads nowhere or out of media/: links must stay inside it'))
        continue
      }
      if (format === undefined) {
        others.push(path)
        continue
      }
      const url = name.split(sep).map(encodeURIComponent).join('/')
      const { value: image, error } = attempt(() => unchanged(realPath, known?.get(url)) ?? readHeader(realPath, format))
      if (error !== undefined) errors.push(unreadable(path, error))
      else if (image === undefined) errors.push(fileError(path, 'image', `must be an image in the format ${format}`))
      else images.set(`/media/${url}`, image)
    }
  }
  const inOrder = [...images].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  return { images: new Map(inOrder), errors, others }
}

/** Returns what is known of an image, unless its file has another size by now. */
function unchanged (path: string, known: Image | undefined): Image | undefined {
  return known !== undefined && statSync(path).size === known.bytes ? known : undefined
}

/** Finds the files of a folder, which may be missing, and of its subfolders, except hidden ones; names begin in the folder. */
export function * filesOf (root: string, folder = ''): Generator<{ entry: Dirent, name: string }> {
  const { value: entries = [] } = attempt(() => readdirSync(join(root, folder), { withFileTypes: true }))
  for (const entry of entries) {
    const name = join(folder, entry.name)
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory()) yield * filesOf(root, name)
    else yield { entry, name }
  }
}

/** Bytes that hold the size of nearly every image, and of one with large metadata. */
const imageHeaders = [512, 2 ** 18].map(length => Buffer.alloc(length))

function readHeader (path: string, format: ImageFormat): Image | undefined {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK) // O_NONBLOCK, because a pipe could block forever
  try {
    const { size: bytes } = fstatSync(descriptor)
    for (const header of imageHeaders) {
      const length = readSync(descriptor, header, 0, header.length, 0)
      const size = sizeOf(header.subarray(0, length), format)
      if (size !== undefined) return Object.freeze({ format, ...size, bytes })
    }
    return undefined
  } finally {
    closeSync(descriptor)
  }
}

/** Returns whether bytes are an image in the format of a name, which ends as the names of images do. */
export function isImageOf (name: string, bytes: Uint8Array): boolean {
  const format = imageFormats[extname(name)] as ImageFormat
  return imageHeaders.some(({ length }) => sizeOf(bytes.subarray(0, length), format) !== undefined)
}

function sizeOf (header: Uint8Array, format: ImageFormat): { width: number, height: number } | undefined {
  const { validate, calculate } = imageReaders[format]
  const { value: size } = attempt(() => validate(header) ? calculate(header) : undefined)
  if (size === undefined || size.width <= 0 || size.height <= 0) return undefined
  return { width: size.width, height: size.height }
}

/** The order of an image's files: the most widely supported format first, then smaller ones, then the lossless one. */
const byUse: readonly ImageFormat[] = ['jpeg', 'webp', 'avif', 'png']

const fullResolution = /^\/media\/full\/(.+)\.\w+$/

/** Returns the files of full resolution by the path of their image. */
export function fullImages (images: Images['images']): ReadonlyMap<string, readonly ImageFile[]> {
  const files: ImageFile[] = []
  for (const [url, { format, width, height, bytes }] of images) {
    if (fullResolution.test(url)) files.push({ format, url, width, height, bytes })
  }
  files.sort((a, b) => byUse.indexOf(a.format) - byUse.indexOf(b.format))
  return groupBy(files, ({ url }) => url.replace(fullResolution, '/media/$1.jpg'))
}
