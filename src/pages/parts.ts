import type { Chain } from '../../schemas/v1/chain.ts'
import type { Groupset } from '../../schemas/v1/groupset.ts'
import type { Tyre } from '../../schemas/v1/tyre.ts'
import type { Wheel } from '../../schemas/v1/wheel.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { grams } from './figures.ts'
import { makeOf, recordLink } from './links.ts'
import type { Part } from './part-row.ts'

const weight = (number: number) => number === 0 ? '' : grams(number)

const pair = (first: string, second: string) => first === second ? first : `${first}, ${second}`

/** What the row of a pair of wheels says. */
export function wheelPart (wheel: Wheel): Part {
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

/** What the row of a tyre says. */
export function tyrePart (tyre: Tyre): Part {
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

/** What the row of a chain says. */
export function chainPart (chain: Chain): Part {
  return {
    facts: {
      Speeds: chain.speed_compatibility,
      Links: chain.links_count === 0 ? 'none: a belt' : String(chain.links_count),
      Colour: chain.colour
    },
    text: ''
  }
}

/** What the row of a groupset says, with the way to its chain. */
export function groupsetPart (groupset: Groupset, catalogue: Catalogue): Part {
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
