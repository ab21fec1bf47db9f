import { Type, type Static } from '@sinclair/typebox'
import { Count, partFields, Text } from '../common.ts'

export const Tyre = Type.Object({
  ...partFields,
  description: Text,
  width: Type.String({ description: 'A width with unit, a pair separated by a slash, or "0"' }),
  colour: Text,
  brand_name: Text,
  model_name: Text,
  weight_grams: Count,
  tread_pattern: Text,
  puncture_resistance: Type.String({ description: 'Free text; may be empty' })
}, { additionalProperties: false, description: 'A tyre' })

export type Tyre = Static<typeof Tyre>
