import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import sharp, { type Sharp } from 'sharp'
import type { Drawing } from './catalogue.ts'

/** The formats that pictures are written in. */
export type Format = 'jpeg' | 'webp' | 'avif' | 'png'

/** One file to write: its path as served, what it is drawn from, and its shape. */
export interface Output { path: string, svg: string, source: string, format: Format, width: number, full: boolean }

const widths = { part: 640, bike: 960, full: 1600 }

const encoders: Record<Format, (picture: Sharp, full: boolean) => Sharp> = {
  jpeg: (picture, full) => picture.jpeg({ quality: full ? 40 : 52, mozjpeg: true }),
  webp: picture => picture.webp({ quality: 30, effort: 5 }),
  avif: picture => picture.avif({ quality: 34, effort: 2 }),
  png: picture => picture.png({ palette: true, quality: 40, dither: 0, effort: 8, compressionLevel: 9 })
}

const endings: ReadonlyArray<readonly [ending: string, Format]> = [['jpg', 'jpeg'], ['webp', 'webp'], ['avif', 'avif'], ['png', 'png']]

/** Gives the first twelve hexadecimal digits of a drawing's SHA-256. */
const digest = (svg: string) => createHash('sha256').update(svg).digest('hex').slice(0, 12)

/** Gives the files of a drawing: one basic picture, and for bikes one of full resolution in each format. */
export function outputsOf ({ name, svg }: Drawing): Output[] {
  const isBike = name.startsWith('bikes/')
  const source = digest(svg)
  const basic: Output = { path: `/media/${name}.jpg`, svg, source, format: 'jpeg', width: isBike ? widths.bike : widths.part, full: false }
  const large = endings.map(([ending,
    format]): Output => ({ path: `/media/full/${name}.${ending}`, svg, source, format, width: widths.full, full: true }))
  return isBike ? [basic, ...large] : [basic]
}

/** Writes one picture below the media folder; throws when the drawing is no SVG. */
export async function render (media: URL, { path, svg, format, width, full }: Output): Promise<void> {
  const file = new URL(path.replace('/media/', ''), media)
  await mkdir(new URL('.', file), { recursive: true })
  const picture = sharp(Buffer.from(svg)).resize({ width }).removeAlpha()
  await encoders[format](picture, full).toFile(fileURLToPath(file))
}
