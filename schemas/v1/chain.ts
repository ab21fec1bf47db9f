import { Type, type Static } from '@sinclair/typebox'
import { partFields, Text } from '../common.ts'

export const Chain = Type.Object({
  ...partFields,
  model_name: Text,
  links_count: Type.Integer({ minimum: 0, description: '0 for a belt drive' }),
  brand_name: Text,
  colour: Text,
  speed_compatibility: Type.String({ description: 'A number, a number with "-speed", or "N/A"' })
}, { additionalProperties: false, description: 'A chain or belt' })

export type Chain = Static<typeof Chain>
