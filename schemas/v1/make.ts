import { Type, type Static } from '@sinclair/typebox'
import { closed, makeFields } from '../common.ts'

export const Brake = Type.Object(makeFields, { ...closed, description: 'A pair of brakes' })
export const Saddle = Type.Object(makeFields, { ...closed, description: 'A saddle' })
export const Handlebar = Type.Object(makeFields, { ...closed, description: 'A handlebar' })
export const Crankset = Type.Object(makeFields, {
  ...closed, description: 'A crankset; it has no list of its own in v1'
})

export type Brake = Static<typeof Brake>
export type Saddle = Static<typeof Saddle>
export type Handlebar = Static<typeof Handlebar>
export type Crankset = Static<typeof Crankset>
