import { Type, type Static } from '@sinclair/typebox'
import { Count, Id, nullable, partFields, Text } from '../common.ts'
import { Chain } from './chain.ts'

const { id, image_url: imageUrl, images } = partFields

export const Groupset = Type.Object({
  id,
  chain: Chain,
  image_url: imageUrl,
  images,
  model_name: Text,
  brand_name: Text,
  rotor_size: Type.String({ description: 'Free text; "Rim brake" for rim-brake sets' }),
  Chainring_sizes: Text,
  other: Text,
  chainring_other: Type.String({ description: 'May be empty' }),
  speed: Text,
  weight_grams: Count,
  is_electronic: Type.Boolean(),
  crankset_ref: nullable(Id)
}, { additionalProperties: false, description: 'A groupset with its chain' })

export type Groupset = Static<typeof Groupset>
