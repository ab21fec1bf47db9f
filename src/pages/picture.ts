import { html } from 'ghtml'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { mark } from './layout.ts'

/** A record with the fields in which it may name its picture. */
type Pictured = { id: number, image_url?: string | null, featured_image?: string, images?: string | null }

/** The address of the picture that a record names, or of the one drawn for it, or undefined where there is none. */
function addressOf (record: Pictured, folder: string, { pictures }: Catalogue): string | undefined {
  const drawn = `/media/${folder}/${record.id}.jpg`
  return record.image_url ?? record.featured_image ?? record.images ?? (pictures.has(drawn) ? drawn : undefined)
}

/** The picture of a record with a text for those who don't see it; without one, the mark of the catalogue. */
export function picture (record: Pictured, folder: string, text: string, catalogue: Catalogue): string {
  const address = addressOf(record, folder, catalogue)
  if (address === undefined) return html`<span class="blank">!${mark()}</span>`
  const { width, height } = catalogue.pictures.get(address) ?? { width: 640, height: 480 }
  return html`<img src="${address}" width="${width}" height="${height}" alt="${text}" loading="lazy">`
}
