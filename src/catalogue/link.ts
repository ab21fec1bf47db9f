import type { Static, TObject } from '@sinclair/typebox'
import type { StoredBike, StoredGroupset } from '../../schemas/stored.ts'
import { Chain } from '../../schemas/v1/chain.ts'
import type { Groupset } from '../../schemas/v1/groupset.ts'
import { Brake, Crankset, Handlebar, Saddle } from '../../schemas/v1/make.ts'
import { Tyre } from '../../schemas/v1/tyre.ts'
import { Wheel } from '../../schemas/v1/wheel.ts'
import { linkBike } from './bike.ts'
import type { Lists } from './catalogue.ts'
import type { FilesV1 } from './check.ts'
import { recordsOf, type DataFile } from './files.ts'

type Identified = { readonly id: number }
type Linked<Record> = ReadonlyMap<number | null, Record>

/** Gives the valid records of a file, each in its final form and frozen, in ascending id order. */
function linkRecords<Stored, Final extends Identified> (file: DataFile, link: (stored: Stored) => Final): readonly Final[] {
  const records = (recordsOf(file) as readonly Stored[]).map(stored => Object.freeze(link(stored)))
  return Object.freeze(records.sort((a, b) => a.id - b.id))
}

/** Gives the records that are stored as they are served, but for the order of their fields. */
function sameRecords<Schema extends TObject> (file: DataFile, schema: Schema) {
  const fields = Object.keys(schema.properties)
  return linkRecords(file, (stored: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(fields.map(field => [field, stored[field]])) as Static<Schema> & Identified)
}

function byId<Record extends Identified> (records: readonly Record[]): Linked<Record> {
  return new Map(records.map(record => [record.id, record]))
}

function linkGroupset (stored: StoredGroupset, chains: Linked<Chain>): Groupset {
  return {
    id: stored.id,
    chain: chains.get(stored.chain) as Chain,
    image_url: stored.image_url,
    images: stored.images,
    model_name: stored.model_name,
    brand_name: stored.brand_name,
    rotor_size: stored.rotor_size,
    Chainring_sizes: stored.Chainring_sizes,
    other: stored.other,
    chainring_other: stored.chainring_other,
    speed: stored.speed,
    weight_grams: stored.weight_grams,
    is_electronic: stored.is_electronic,
    crankset_ref: stored.crankset_ref
  }
}

/** Gives the lists of files without faults. */
export function linkV1 (files: FilesV1): Lists {
  const wheels = sameRecords(files.wheels, Wheel)
  const tyres = sameRecords(files.tyres, Tyre)
  const chains = sameRecords(files.chains, Chain)
  const chainsById = byId(chains)
  const groupsets = linkRecords(files.groupsets, (stored: StoredGroupset) => linkGroupset(stored, chainsById))
  const parts = { wheels: byId(wheels), tyres: byId(tyres), groupsets: byId(groupsets) }

  return {
    bikes: linkRecords(files.bikes, (stored: StoredBike) => linkBike(stored, parts)),
    wheels,
    tyres,
    chains,
    groupsets,
    brakes: sameRecords(files.brakes, Brake),
    saddles: sameRecords(files.saddles, Saddle),
    handlebars: sameRecords(files.handlebars, Handlebar),
    cranksets: sameRecords(files.cranksets, Crankset)
  }
}
