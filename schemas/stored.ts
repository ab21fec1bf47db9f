import { Type, type Static, type TObject } from '@sinclair/typebox'
import { Id, nullable, Timestamp } from './common.ts'
import { Bike } from './v1/bike.ts'
import { Chain } from './v1/chain.ts'
import { Groupset } from './v1/groupset.ts'
import { Brake, Crankset, Handlebar, Saddle } from './v1/make.ts'
import { Tyre } from './v1/tyre.ts'
import { Wheel } from './v1/wheel.ts'

/** Where a picture is: a path of this server, made absolute when served, or a URL elsewhere. */
const Picture = Type.String({
  pattern: '^(/|https?://)[^\\s"<>\\\\]+$',
  description: 'A path such as /media/wheels/1.jpg, or an absolute URL'
})

const closed = { additionalProperties: false }

const pictures = { image_url: nullable(Picture), images: nullable(Picture) }

export const StoredWheel = Type.Object({ ...Wheel.properties, ...pictures }, closed)
export const StoredTyre = Type.Object({ ...Tyre.properties, ...pictures }, closed)
export const StoredChain = Type.Object({ ...Chain.properties, ...pictures }, closed)
export const StoredGroupset = Type.Object({ ...Groupset.properties, ...pictures, chain: Id }, closed)

const { rating, reviews, weight_kg: weight, ...storedBikeFields } = Bike.properties

export const StoredBike = Type.Object({
  ...storedBikeFields,
  ...pictures,
  featured_image: Picture,
  wheels: nullable(Id),
  tyre: nullable(Id),
  groupset: nullable(Id)
}, closed)

export type StoredBike = Static<typeof StoredBike>
export type StoredGroupset = Static<typeof StoredGroupset>

/** The version of the data files' form; a file of another version is refused. */
export const fileVersion = 1

/** Gives the schema of a data file that holds its records under the resource's name. */
const file = (name: string, record: TObject): TObject => Type.Object({
  $schema: Type.Optional(Type.String()),
  version: Type.Literal(fileVersion),
  updated: Timestamp,
  [name]: Type.Array(record)
}, closed)

/** The schema of each file under data/v1/, by resource. */
export const storedV1 = {
  bikes: file('bikes', StoredBike),
  wheels: file('wheels', StoredWheel),
  tyres: file('tyres', StoredTyre),
  chains: file('chains', StoredChain),
  groupsets: file('groupsets', StoredGroupset),
  brakes: file('brakes', Brake),
  saddles: file('saddles', Saddle),
  handlebars: file('handlebars', Handlebar),
  cranksets: file('cranksets', Crankset)
}
