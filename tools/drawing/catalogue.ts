import { bike } from './bike.ts'
import { brake } from './brake.ts'
import { chain } from './chain.ts'
import { crankset } from './crankset.ts'
import { groupset } from './groupset.ts'
import { handlebar } from './handlebar.ts'
import type { BikeRecord, ChainRecord, GroupsetRecord, MakeRecord, TyreRecord, WheelRecord } from './records.ts'
import type { Drawing } from './render.ts'
import { saddle } from './saddle.ts'
import { tyre } from './tyre.ts'
import { wheel } from './wheel.ts'

type Stored<T, Links extends string> = Omit<T, Links> & { id: number }

/** The stored records that pictures are drawn from, by resource; links between them are ids. */
export interface Catalogue {
  bikes: ReadonlyArray<Stored<BikeRecord, 'wheels' | 'tyre' | 'groupset' | 'saddle' | 'handlebars' | 'crankset'> & {
    wheels: number | null
    tyre: number | null
    groupset: number | null
    saddle: number | null
    handlebars: number | null
    crankset_ref: number | null
    is_featured: boolean
  }>
  wheels: ReadonlyArray<Stored<WheelRecord, never>>
  tyres: ReadonlyArray<Stored<TyreRecord, never>>
  chains: readonly ChainRecord[]
  groupsets: ReadonlyArray<Stored<GroupsetRecord, 'chain'> & { chain: number }>
  brakes: readonly MakeRecord[]
  saddles: readonly MakeRecord[]
  handlebars: readonly MakeRecord[]
  cranksets: readonly MakeRecord[]
}

/** The 48 bikes in all four formats would be three times the package, so that only the featured ones have them all. */
const featuredFormats = ['jpeg', 'webp', 'avif', 'png'] as const
const usualFormats = ['jpeg', 'avif'] as const

function linked<T extends { id: number }> (records: readonly T[], id: number | null): T | null {
  if (id === null) return null
  const found = records.find(record => record.id === id)
  if (found === undefined) throw new Error(`No record has the id ${id}`)
  return found
}

function groupsetOf (catalogue: Catalogue, stored: Catalogue['groupsets'][number]): GroupsetRecord {
  const found = linked(catalogue.chains, stored.chain)
  if (found === null) throw new Error(`Groupset ${stored.id} has no chain`)
  return { ...stored, chain: found }
}

function bikeOf (catalogue: Catalogue, stored: Catalogue['bikes'][number]): BikeRecord {
  const set = linked(catalogue.groupsets, stored.groupset)
  return {
    ...stored,
    wheels: linked(catalogue.wheels, stored.wheels),
    tyre: linked(catalogue.tyres, stored.tyre),
    groupset: set && groupsetOf(catalogue, set),
    saddle: linked(catalogue.saddles, stored.saddle),
    handlebars: linked(catalogue.handlebars, stored.handlebars),
    crankset: linked(catalogue.cranksets, stored.crankset_ref)
  }
}

function parts<T extends { id: number }> (resource: string, records: readonly T[], draw: (record: T) => string): Drawing[] {
  return records.map(record => ({ name: `${resource}/${record.id}`, svg: draw(record), full: [] }))
}

/** Draws every record of the catalogue. */
export function drawings (catalogue: Catalogue): Drawing[] {
  return [
    ...catalogue.bikes.map(stored => ({
      name: `bikes/${stored.slug}`, svg: bike(bikeOf(catalogue, stored)), full: stored.is_featured ? featuredFormats : usualFormats
    })),
    ...parts('wheels', catalogue.wheels, wheel),
    ...parts('tyres', catalogue.tyres, tyre),
    ...parts('chains', catalogue.chains, chain),
    ...parts('groupsets', catalogue.groupsets, stored => groupset(groupsetOf(catalogue, stored))),
    ...parts('brakes', catalogue.brakes, brake),
    ...parts('saddles', catalogue.saddles, saddle),
    ...parts('handlebars', catalogue.handlebars, handlebar),
    ...parts('cranksets', catalogue.cranksets, crankset)
  ]
}
