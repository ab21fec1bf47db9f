import type { TObject } from '@sinclair/typebox'
import { Bike } from '../../schemas/v1/bike.ts'
import { Chain } from '../../schemas/v1/chain.ts'
import { Groupset } from '../../schemas/v1/groupset.ts'
import { Brake, Handlebar, Saddle } from '../../schemas/v1/make.ts'
import { Tyre } from '../../schemas/v1/tyre.ts'
import { Wheel } from '../../schemas/v1/wheel.ts'
import { DetailedBike } from '../../schemas/v2/bike.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { bikeCard } from './bike-card.ts'
import { makeTile } from './make-tile.ts'
import { partRow } from './part-row.ts'
import { chainPart, groupsetPart, tyrePart, wheelPart } from './parts.ts'

/** What the pictures and links of records need to know; the origin is that of the addresses in the records. */
export type View = { catalogue: Catalogue, origin: string }

/** Gives a record as an item of a list, with the link to its JSON. */
type Item<T> = (record: T, view: View, json: string) => string

/** How the records of a list are shown. */
export type Look = { layout: 'cards' | 'rows' | 'tiles', item: Item<never> }

const looks = new Map<TObject, Look>([
  [Bike, { layout: 'cards', item: bikeCard }],
  [DetailedBike, { layout: 'cards', item: bikeCard }],
  [Wheel, { layout: 'rows', item: (wheel: Wheel, view: View, json: string) => partRow('wheel', wheel, wheelPart(wheel), view, json) }],
  [Tyre, { layout: 'rows', item: (tyre: Tyre, view: View, json: string) => partRow('tyre', tyre, tyrePart(tyre), view, json) }],
  [Chain, { layout: 'rows', item: (chain: Chain, view: View, json: string) => partRow('chain', chain, chainPart(chain), view, json) }],
  [Groupset, { layout: 'rows', item: (groupset: Groupset, view: View, json: string) => partRow('groupset', groupset, groupsetPart(groupset, view.catalogue), view, json) }],
  [Brake, { layout: 'tiles', item: (brake: Brake, view: View, json: string) => makeTile('brake', brake, view, json) }],
  [Saddle, { layout: 'tiles', item: (saddle: Saddle, view: View, json: string) => makeTile('saddle', saddle, view, json) }],
  [Handlebar, { layout: 'tiles', item: (handlebar: Handlebar, view: View, json: string) => makeTile('handlebar', handlebar, view, json) }]
])

/** Gives how the records of a schema are shown. */
export function lookOf (record: TObject): Look {
  return looks.get(record) as Look
}
