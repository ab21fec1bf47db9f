import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, realpathSync, type Dirent } from 'node:fs'
import { extname, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { HEIF } from 'image-size/types/heif'
import { JPG } from 'image-size/types/jpg'
import { PNG } from 'image-size/types/png'
import { WEBP } from 'image-size/types/webp'
import { pictureForm } from '../../schemas/common.ts'
import type { PictureFile, PictureManifest } from '../../schemas/v2/picture.ts'
import type { Picture } from './catalogue.ts'
import { below, complain, complainOf, fileFault, label, shown, unreadable, type Complaint, type Fault } from './fault.ts'
import { eachRecord, fieldPointer, type DataFile } from './files.ts'

type Format = Picture['format']

/** The pictures of a data directory by their paths below /media/, in the order of the paths, and what stands between them. */
export type Pictures = {
  readonly pictures: ReadonlyMap<string, Picture>
  readonly faults: readonly Fault[]
  /** The paths of files that are neither pictures nor the manifest. */
  readonly others: readonly string[]
}

const formatByEnding: ReadonlyMap<string, Format> = new Map([
  ['.jpg', 'jpeg'], ['.jpeg', 'jpeg'], ['.webp', 'webp'], ['.avif', 'avif'], ['.png', 'png']
])

const readers = { jpeg: JPG, webp: WEBP, avif: HEIF, png: PNG }

/** So many files are read before others have a turn, which is some 10 ms. */
const filesAtOnce = 1000

/** Reads the headers of all picture files of a folder; no file, when there is no folder. */
export async function readPictures (folder: string): Promise<Pictures> {
  const [pictures, faults, others]: [Map<string, Picture>, Fault[], string[]] = [new Map(), [], []]
  const root = realpath(folder) ?? folder
  let count = 0
  for (const { entry, file, path } of filesOf(folder)) {
    if (++count % filesAtOnce === 0) await setImmediate()
    const format = formatByEnding.get(extname(file))
    if (path === '/manifest.json') continue
    if (format === undefined) {
      others.push(file)
    } else if (!isWithin(root, entry, file)) {
      faults.push(fileFault(file, 'picture', 'must be a file below media/, not a link that leads elsewhere'))
    } else {
      const picture = readPicture(file, format)
      if ('rule' in picture) faults.push(picture)
      else pictures.set(`/media${path}`, picture)
    }
  }
  return { pictures: inOrder(pictures), faults, others }
}

/** The pictures of both folders; where both have one of a path, the first one's. */
export function layPicturesOver (over: Pictures, { pictures, faults, others }: Pictures): Pictures {
  return { pictures: inOrder([...pictures, ...over.pictures]), faults: [...faults, ...over.faults], others: [...others, ...over.others] }
}

function inOrder (pictures: Iterable<[path: string, Picture]>): Pictures['pictures'] {
  return new Map([...pictures].sort(([a], [b]) => a < b ? -1 : 1))
}

/** The files of a folder and of those below it, but what is hidden, with their paths in it as an address has them. */
function * filesOf (folder: string, above = ''): Generator<{ entry: Dirent, file: string, path: string }> {
  for (const entry of entriesOf(folder)) {
    const [file, path] = [folder + sep + entry.name, `${above}/${encodeURIComponent(entry.name)}`]
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory()) yield * filesOf(file, path)
    else yield { entry, file, path }
  }
}

function entriesOf (folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return [] // what is wrong with the folder is said of its manifest
  }
}

function isWithin (root: string, entry: Dirent, file: string): boolean {
  return entry.isFile() || (entry.isSymbolicLink() && realpath(file)?.startsWith(root + sep) === true)
}

function realpath (file: string): string | undefined {
  try {
    return realpathSync(file)
  } catch {
    return undefined
  }
}

/** Where the size of nearly every picture stands, and where that of one with large metadata does, in bytes. */
const headers = [512, 2 ** 18].map(length => Buffer.alloc(length))

function readPicture (file: string, format: Format): Picture | Fault {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK) // a pipe that nobody writes to is not waited for
    return readHeader(descriptor, format) ?? fileFault(file, 'picture', `must be a picture in the format ${format}`)
  } catch (error) {
    return unreadable(file, error as NodeJS.ErrnoException)
  }
}

function readHeader (descriptor: number, format: Format): Picture | undefined {
  try {
    const { size: bytes } = fstatSync(descriptor)
    for (const header of headers) {
      const size = sizeOf(header.subarray(0, readSync(descriptor, header, 0, header.length, 0)), format)
      if (size !== undefined) return Object.freeze({ format, ...size, bytes })
    }
    return undefined
  } finally {
    closeSync(descriptor)
  }
}

function sizeOf (header: Uint8Array, format: Format): { width: number, height: number } | undefined {
  const { validate, calculate } = readers[format]
  try {
    const { width, height } = calculate(header)
    return validate(header) && width > 0 && height > 0 ? { width, height } : undefined
  } catch {
    return undefined
  }
}

const facts = ['format', 'width', 'height', 'bytes'] as const

/** Complains about each entry of a manifest that is not true of its file, and about each picture without an entry. */
export function complainAboutManifest ({ content, complaints }: DataFile, pictures: Pictures['pictures']): Complaint[] {
  if (content === null || complaints.length > 0) return []
  const { pictures: entries } = content as PictureManifest
  const untrue = Object.entries(entries).flatMap(([path, entry]) => {
    const pointer = below('/pictures', path)
    const picture = pictures.get(path)
    if (picture === undefined) {
      const message = `${label(pointer)} must be the path of a picture below /media/ that is there`
      return [{ pointer, rule: 'picture', message, atName: true }]
    }
    return facts.filter(fact => entry[fact] !== picture[fact]).map(fact =>
      complainOf(below(pointer, fact), 'picture', `must be ${shown(picture[fact])} as in its file`, entry[fact]))
  })
  const unlisted = [...pictures.keys()].filter(path => !Object.hasOwn(entries, path))
    .map(path => complain('/pictures', 'missing', `must have the picture ${shown(path)}, which is below media/`))
  return [...untrue, ...unlisted]
}

const pictureFields = ['image_url', 'featured_image', 'images']

const wellFormed = new RegExp(pictureForm)

/** Complains about each address of a picture that is neither that of a file below /media/ nor a URL; its form is the schema's affair. */
export function complainAboutPictures (file: DataFile, pictures: Pictures['pictures']): Complaint[] {
  const complaints: Complaint[] = []
  eachRecord(file, (record, index) => {
    for (const field of pictureFields) {
      const address = record[field]
      if (typeof address !== 'string' || pictures.has(address) || !wellFormed.test(address) || URL.canParse(address)) continue
      const wanted = 'must be a picture below /media/ that is there, or an http(s) URL'
      complaints.push(complainOf(fieldPointer(file, index, field), 'picture', wanted, address))
    }
  })
  return complaints
}

/** The order in which the files of a picture are listed: what every client reads, then the smaller ones, then the lossless one. */
const byUse: readonly Format[] = ['jpeg', 'webp', 'avif', 'png']

const fullResolution = /^\/media\/full\/(.+)\.\w+$/

/** The files of full resolution by the path of the picture that they are of. */
export function fullPictures (pictures: Pictures['pictures']): ReadonlyMap<string, readonly PictureFile[]> {
  const full = new Map<string, PictureFile[]>()
  for (const [url, { format, width, height, bytes }] of pictures) {
    const [, stem] = fullResolution.exec(url) ?? []
    if (stem === undefined) continue
    const path = `/media/${stem}.jpg`
    full.set(path, [...full.get(path) ?? [], Object.freeze({ format, url, width, height, bytes })])
  }
  for (const files of full.values()) Object.freeze(files.sort((a, b) => byUse.indexOf(a.format) - byUse.indexOf(b.format)))
  return full
}
