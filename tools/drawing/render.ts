import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import sharp, { type Sharp } from 'sharp'

/** The formats that pictures are written in. */
export type Format = 'jpeg' | 'webp' | 'avif' | 'png'

/** One drawing, the name of its picture, such as "wheels/3", and the formats of full resolution that it comes in. */
export interface Drawing { name: string, svg: string, full: readonly Format[] }

/** One file to write: its path as served, what it is drawn from, and its shape. */
export interface Output { path: string, svg: string, source: string, format: Format, width: number, full: boolean }

const widths = { part: 400, bike: 576, full: 1200 }

// The drawings are flat shapes, which stand strong compression; the package would be three times as large at the usual qualities.
const encoders: Record<Format, (picture: Sharp, full: boolean) => Sharp> = {
  jpeg: (picture, full) => picture.jpeg({ quality: full ? 30 : 42, mozjpeg: true }),
  webp: picture => picture.webp({ quality: 40, effort: 6, smartSubsample: true }),
  avif: picture => picture.avif({ quality: 36, effort: 4 }),
  png: picture => picture.png({ palette: true, quality: 75, dither: 0, effort: 10, compressionLevel: 9 })
}

const endings: Record<Format, string> = { jpeg: 'jpg', webp: 'webp', avif: 'avif', png: 'png' }

/** Returns the first twelve hexadecimal digits of a drawing's SHA-256. */
const digest = (svg: string) => createHash('sha256').update(svg).digest('hex').slice(0, 12)

/** Returns the files of a drawing: the basic picture, and those of full resolution. */
export function outputsOf ({ name, svg, full }: Drawing): Output[] {
  const common = { svg, source: digest(svg) }
  const basic = { ...common, path: `/media/${name}.jpg`, format: 'jpeg', width: name.startsWith('bikes/') ? widths.bike : widths.part, full: false } as const
  return [basic, ...full.map(format => ({ ...common, path: `/media/full/${name}.${endings[format]}`, format, width: widths.full, full: true }))]
}

/** Writes one picture below the media folder; throws when the drawing is no SVG. */
export async function render (media: URL, { path, svg, format, width, full }: Output): Promise<void> {
  const file = new URL(path.replace('/media/', ''), media)
  await mkdir(new URL('.', file), { recursive: true })
  const picture = sharp(Buffer.from(svg)).resize({ width }).removeAlpha()
  await encoders[format](picture, full).toFile(fileURLToPath(file))
}
