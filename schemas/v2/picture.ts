import { Type, type Static } from '@sinclair/typebox'
import { PictureUrl } from '../common.ts'

const formats = ['jpeg', 'webp', 'avif', 'png'] as const

/** One file of a picture. */
export const PictureFile = Type.Object({
  format: Type.Unsafe<typeof formats[number]>({ type: 'string', enum: formats }),
  url: PictureUrl,
  width: Type.Integer({ minimum: 1, description: 'Pixels' }),
  height: Type.Integer({ minimum: 1, description: 'Pixels' }),
  bytes: Type.Integer({ minimum: 1, description: 'Size of the file' })
}, { additionalProperties: false })

export type PictureFile = Static<typeof PictureFile>
