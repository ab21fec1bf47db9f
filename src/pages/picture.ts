import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { html } from 'ghtml'
import type { PictureManifest } from '../../schemas/v2/picture.ts'
import { dataDirectory } from '../package.ts'
import { mark } from './layout.ts'

const { pictures } = JSON.parse(readFileSync(join(dataDirectory, 'media/manifest.json'), 'utf8')) as PictureManifest

/** A record with the fields in which it may name its picture. */
type Pictured = { id: number, image_url?: string | null, featured_image?: string, images?: string | null }

/** Gives the address of the picture that a record names, or of the one drawn for it, or undefined where there is none. */
function addressOf ({ id, image_url: image, featured_image: featured, images }: Pictured, folder: string): string | undefined {
  const drawn = `/media/${folder}/${id}.jpg`
  return image ?? featured ?? images ?? (drawn in pictures ? drawn : undefined)
}

/** Gives the picture of a record with a text for those who don't see it; without one, the mark of the catalogue. */
export function picture (record: Pictured, folder: string, text: string): string {
  const address = addressOf(record, folder)
  if (address === undefined) return html`<span class="blank">!${mark()}</span>`
  const { width, height } = pictures[address] ?? { width: 640, height: 480 }
  return html`<img src="${address}" width="${width}" height="${height}" alt="${text}" loading="lazy">`
}
