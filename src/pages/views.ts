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
import type { Noun } from './links.ts'
import { partRow, type Part, type PartRecord } from './part-row.ts'
import { chainPart, groupsetPart, tyrePart, wheelPart } from './parts.ts'

/** Gives a record as an item of a list, with the link to its JSON. */
type Item<T> = (record: T, catalogue: Catalogue, json: string) => string

/** How the records of a list are shown. */
export type Look = { arrangement: 'cards' | 'rows' | 'tiles', item: Item<never> }

const rows = <T extends PartRecord>(noun: Noun, part: (record: T, catalogue: Catalogue) => Part): Look => ({
  arrangement: 'rows',
  item: (record: T, catalogue: Catalogue, json: string) => partRow(noun, record, part(record, catalogue), catalogue, json)
})

const tiles = (noun: string): Look => ({
  arrangement: 'tiles',
  item: (record: Brake, catalogue: Catalogue, json: string) => makeTile(noun, record, catalogue, json)
})

const looks = new Map<TObject, Look>([
  [Bike, { arrangement: 'cards', item: bikeCard }],
  [DetailedBike, { arrangement: 'cards', item: bikeCard }],
  [Wheel, rows('wheel', wheelPart)],
  [Tyre, rows('tyre', tyrePart)],
  [Chain, rows('chain', chainPart)],
  [Groupset, rows('groupset', groupsetPart)],
  [Brake, tiles('brake')],
  [Saddle, tiles('saddle')],
  [Handlebar, tiles('handlebar')]
])

/** Gives how the records of a schema are shown. */
export function lookOf (record: TObject): Look {
  return looks.get(record) as Look
}
