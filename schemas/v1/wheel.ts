import { Type, type Static } from '@sinclair/typebox'
import { Count, partFields, Text } from '../common.ts'

export const Wheel = Type.Object({
  ...partFields,
  brand_name: Type.String({ description: 'Placeholders such as "Unknown Brand" or "N/A" occur' }),
  model_name: Text,
  description: Text,
  internal_rim_width: Type.String({ description: 'Millimetres as a string, or "N/A"' }),
  external_rim_width: Type.String({ description: 'Millimetres as a string, or "N/A"' }),
  spokecount: Type.Integer({ minimum: 0, description: '0 for wheels without spokes' }),
  spoke_material: Text,
  rimdepth: Type.String({ description: 'Millimetres as a string, with or without a unit, or "N/A"' }),
  axlesizeF: Type.String({ description: 'Front axle size, free text' }),
  axlesizeR: Type.String({ description: 'Rear axle size, free text' }),
  weight_grams: Count,
  brake_type: Type.String({ description: 'Observed: "Rim brake", "Disc Brake"' })
}, { additionalProperties: false, description: 'A pair of wheels' })

export type Wheel = Static<typeof Wheel>
