import type { Chain } from '../../schemas/v1/chain.ts'
import type { Groupset } from '../../schemas/v1/groupset.ts'
import type { Saddle } from '../../schemas/v1/make.ts'
import type { Tyre } from '../../schemas/v1/tyre.ts'
import type { Wheel } from '../../schemas/v1/wheel.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { grams } from './figures.ts'
import { nameOf, recordLink } from './record.ts'

/** Facts of a part by their names (an empty one is omitted), a text, and links as HTML. */
export type Summary = { facts: Readonly<Record<string, string>>, text: string, links?: [name: string, link: string][] }

/** Formats the weight of a part; 0 means unknown. */
const weight = ({ weight_grams: grammes }: { weight_grams: number }) => grammes === 0 ? '' : grams(grammes)

const pair = (first: string, second: string) => first === second ? first : `${first}, ${second}`

export function wheelSummary (wheel: Wheel): Summary {
  const facts = {
    Brake: wheel.brake_type,
    'Rim depth': wheel.rimdepth,
    'Rim width in, out': pair(wheel.internal_rim_width, wheel.external_rim_width),
    Spokes: `${wheel.spokecount} · ${wheel.spoke_material}`,
    'Axle front, rear': pair(wheel.axlesizeF, wheel.axlesizeR),
    Weight: weight(wheel)
  }
  return { facts, text: wheel.description }
}

export function tyreSummary (tyre: Tyre): Summary {
  const facts = {
    Width: tyre.width,
    Colour: tyre.colour,
    Tread: tyre.tread_pattern,
    'Puncture protection': tyre.puncture_resistance,
    Weight: weight(tyre)
  }
  return { facts, text: tyre.description }
}

export function chainSummary (chain: Chain): Summary {
  const links = chain.links_count === 0 ? 'none: a belt' : String(chain.links_count)
  return { facts: { Speeds: chain.speed_compatibility, Links: links, Colour: chain.colour }, text: '' }
}

export function groupsetSummary (groupset: Groupset, catalogue: Catalogue): Summary {
  const { chain, crankset_ref: crankset } = groupset
  const fitted = catalogue.cranksets.find(({ id }) => id === crankset)
  const facts = {
    Speed: groupset.speed,
    Shifting: groupset.is_electronic ? 'Electronic' : 'Mechanical',
    Chainrings: [groupset.Chainring_sizes, groupset.chainring_other].filter(Boolean).join(' · '),
    Rotors: groupset.rotor_size,
    Crankset: fitted === undefined ? '' : nameOf(fitted as unknown as Saddle),
    Weight: weight(groupset)
  }
  return { facts, text: groupset.other, links: [['Chain', recordLink(catalogue, 'chain', chain.id)]] }
}
