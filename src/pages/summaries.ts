import type { Chain } from '../../schemas/v1/chain.ts'
import type { Groupset } from '../../schemas/v1/groupset.ts'
import type { Tyre } from '../../schemas/v1/tyre.ts'
import type { Wheel } from '../../schemas/v1/wheel.ts'
import type { Fitted } from './fit.ts'
import { grouped, nameOf, recordLinks, type Shown } from './record.ts'

/** Facts of a part by their names (an empty one is omitted), a text, and links as HTML. */
export type Summary = { facts: Readonly<Record<string, string>>, text: string, links?: [name: string, link: string][] }

/** Formats the weight of a part; 0 means unknown. */
const weight = ({ weight_grams: grammes }: { weight_grams: number | null }) => grammes ? `${grouped(String(grammes))} g` : ''

/** Joins the values that are known and differ. */
const join = (separator: string, ...values: (string | number | null)[]) =>
  [...new Set(values)].filter(value => value !== null && value !== '').join(separator)

export function wheelSummary (wheel: Fitted<Wheel>): Summary {
  const facts = {
    Brake: wheel.brake_type,
    'Rim depth': wheel.rimdepth,
    'Rim width in, out': join(', ', wheel.internal_rim_width, wheel.external_rim_width),
    Spokes: join(' · ', wheel.spokecount, wheel.spoke_material),
    'Axle front, rear': join(', ', wheel.axlesizeF, wheel.axlesizeR),
    Weight: weight(wheel)
  }
  return { facts, text: wheel.description }
}

export function tyreSummary (tyre: Fitted<Tyre>): Summary {
  const facts = {
    Width: tyre.width,
    Colour: tyre.colour,
    Tread: tyre.tread_pattern,
    'Puncture protection': tyre.puncture_resistance,
    Weight: weight(tyre)
  }
  return { facts, text: tyre.description }
}

export function chainSummary (chain: Fitted<Chain>): Summary {
  const links = chain.links_count === 0 ? 'none: a belt' : join('', chain.links_count)
  return { facts: { Speeds: chain.speed_compatibility, Links: links, Colour: chain.colour }, text: '' }
}

export function groupsetSummary (groupset: Fitted<Groupset>, shown: Shown): Summary {
  const { chain, crankset_ref: crankset, is_electronic: isElectronic } = groupset
  const fitted = shown.catalogue.cranksets.filter(({ id }) => id === crankset)
  const facts = {
    Speed: groupset.speed,
    Shifting: isElectronic === null ? '' : isElectronic ? 'Electronic' : 'Mechanical',
    Chainrings: join(' · ', groupset.Chainring_sizes, groupset.chainring_other),
    Rotors: groupset.rotor_size,
    Crankset: fitted.map(nameOf).join(''),
    Weight: weight(groupset)
  }
  const links = recordLinks(shown, 'chain', [chain.id], 1).map((link): [string, string] => ['Chain', link])
  return { facts, text: groupset.other, links }
}
