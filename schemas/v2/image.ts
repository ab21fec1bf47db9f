import { Type, type Static } from '@sinclair/typebox'
import { ImageUrl } from '../common.ts'

const formats = ['jpeg', 'webp', 'avif', 'png'] as const

/** One file of an image. */
export const ImageFile = Type.Object({
  format: Type.Unsafe<typeof formats[number]>({ type: 'string', enum: formats }),
  url: ImageUrl,
  width: Type.Integer({ minimum: 1, description: 'Pixels' }),
  height: Type.Integer({ minimum: 1, description: 'Pixels' }),
  bytes: Type.Integer({ minimum: 1, description: 'Size of the file' })
}, { additionalProperties: false })

export type ImageFile = Static<typeof ImageFile>
