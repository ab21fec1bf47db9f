import type { Chain } from '../../schemas/v1/chain.ts'
import type { Groupset } from '../../schemas/v1/groupset.ts'
import type { Tyre } from '../../schemas/v1/tyre.ts'
import type { Wheel } from '../../schemas/v1/wheel.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { grams } from './figures.ts'
import { makeOf, recordLink } from './links.ts'

/** What the row of a part says: facts by their names (an empty one is left out), a text, and links that are HTML. */
export type Summary = { facts: Readonly<Record<string, string>>, text: string, links?: [name: string, link: string][] }

const weight = (number: number) => number === 0 ? '' : grams(number)

const pair = (first: string, second: string) => first === second ? first : `${first}, ${second}`

export function wheelSummary (wheel: Wheel): Summary {
  return {
    facts: {
      Brake: wheel.brake_type,
      'Rim depth': wheel.rimdepth,
      'Rim width in, out': pair(wheel.internal_rim_width, wheel.external_rim_width),
      Spokes: `${wheel.spokecount} · ${wheel.spoke_material}`,
      'Axle front, rear': pair(wheel.axlesizeF, wheel.axlesizeR),
      Weight: weight(wheel.weight_grams)
    },
    text: wheel.description
  }
}

export function tyreSummary (tyre: Tyre): Summary {
  return {
    facts: {
      Width: tyre.width,
      Colour: tyre.colour,
      Tread: tyre.tread_pattern,
      'Puncture protection': tyre.puncture_resistance,
      Weight: weight(tyre.weight_grams)
    },
    text: tyre.description
  }
}

export function chainSummary (chain: Chain): Summary {
  return {
    facts: {
      Speeds: chain.speed_compatibility,
      Links: chain.links_count === 0 ? 'none: a belt' : String(chain.links_count),
      Colour: chain.colour
    },
    text: ''
  }
}

export function groupsetSummary (groupset: Groupset, catalogue: Catalogue): Summary {
  const { chain, crankset_ref: crankset } = groupset
  return {
    facts: {
      Speed: groupset.speed,
      Shifting: groupset.is_electronic ? 'Electronic' : 'Mechanical',
      Chainrings: [groupset.Chainring_sizes, groupset.chainring_other].filter(Boolean).join(' · '),
      Rotors: groupset.rotor_size,
      Crankset: crankset === null ? '' : makeOf(catalogue.cranksets, crankset),
      Weight: weight(groupset.weight_grams)
    },
    text: groupset.other,
    links: [['Chain', recordLink(catalogue, 'chain', chain.id, `${chain.brand_name} ${chain.model_name}`)]]
  }
}
