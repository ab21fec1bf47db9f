import { Type, type Static } from '@sinclair/typebox'
import { PictureUrl } from '../common.ts'

const formats = ['jpeg', 'webp', 'avif', 'png'] as const

const fileFields = {
  format: Type.Unsafe<typeof formats[number]>({ type: 'string', enum: formats }),
  width: Type.Integer({ minimum: 1, description: 'Pixels' }),
  height: Type.Integer({ minimum: 1, description: 'Pixels' }),
  bytes: Type.Integer({ minimum: 1, description: 'Size of the file' })
}

/** One file of a picture. */
export const PictureFile = Type.Object({
  format: fileFields.format,
  url: PictureUrl,
  width: fileFields.width,
  height: fileFields.height,
  bytes: fileFields.bytes
}, { additionalProperties: false })

/** data/media/manifest.json: what is true of each picture, by its path. */
export const PictureManifest = Type.Object({
  $schema: Type.Optional(Type.String()),
  version: Type.Literal(1),
  pictures: Type.Record(Type.String(), Type.Object({
    ...fileFields,
    source: Type.String({ description: 'Digest of the drawing that it was made from' })
  }, { additionalProperties: false }), { additionalProperties: false })
}, { additionalProperties: false })

export type PictureFile = Static<typeof PictureFile>
export type PictureManifest = Static<typeof PictureManifest>
