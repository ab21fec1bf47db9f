/** What a drawing reads of a pair of wheels. */
export interface WheelRecord {
  brand_name: string
  model_name: string
  description: string
  internal_rim_width: string
  external_rim_width: string
  spokecount: number
  spoke_material: string
  rimdepth: string
  brake_type: string
  axlesizeF: string
}

/** What a drawing reads of a tyre. */
export interface TyreRecord {
  brand_name: string
  model_name: string
  description: string
  width: string
  colour: string
  tread_pattern: string
  puncture_resistance: string
}

/** What a drawing reads of a chain. */
export interface ChainRecord {
  id: number
  brand_name: string
  model_name: string
  links_count: number
  colour: string
  speed_compatibility: string
}

/** What a drawing reads of a groupset. */
export interface GroupsetRecord {
  chain: ChainRecord
  brand_name: string
  model_name: string
  rotor_size: string
  Chainring_sizes: string
  other: string
  chainring_other: string
  speed: string
  is_electronic: boolean
}

/** What a drawing reads of a brake, saddle, handlebar or crankset. */
export interface MakeRecord { id: number, brand: string, model: string }

/** What a drawing reads of a bike whose parts have been put in. */
export interface BikeRecord {
  slug: string
  title: string
  description: string
  brand: string
  model_name: string
  bike_type: string
  colour: string
  frame_material: string
  frame_size: string
  chainring_sizes: string
  wheels: WheelRecord | null
  tyre: TyreRecord | null
  groupset: GroupsetRecord | null
  saddle: MakeRecord | null
  handlebars: MakeRecord | null
  crankset: MakeRecord | null
}
