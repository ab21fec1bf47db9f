import type { ServedRecord } from '../catalogue/catalogue.ts'
import { grouped, nameOf, numberAt, type Noun, type Shown } from './record.ts'

/** A fact of a part: the fields whose texts are joined, or a function. */
export type Fact = readonly string[] | ((part: ServedRecord, shown: Shown) => string)

/** The facts of a part by their names, the field of its text, a link to another part, and the path of its id in bikes. */
export type Summary = { facts: Record<string, Fact>, text: string, link?: [name: string, noun: Noun, path: string], inBikes: string }

/** Formats the weight of a part; 0 means unknown. */
function weight (part: ServedRecord): string {
  const grammes = numberAt(part, 'weight_grams')
  return grammes ? `${grouped(grammes)} g` : ''
}

/** Every part that is shown in a row. */
export const summaries = {
  wheel: {
    facts: {
      Brake: ['brake_type'],
      'Rim depth': ['rimdepth'],
      'Rim width in, out': ['internal_rim_width', 'external_rim_width'],
      Spokes: ['spokecount', 'spoke_material'],
      'Axle front, rear': ['axlesizeF', 'axlesizeR'],
      Weight: weight
    },
    text: 'description',
    inBikes: 'wheels.id'
  },
  tyre: {
    facts: {
      Width: ['width'],
      Colour: ['colour'],
      Tread: ['tread_pattern'],
      'Puncture protection': ['puncture_resistance'],
      Weight: weight
    },
    text: 'description',
    inBikes: 'tyre.id'
  },
  chain: {
    facts: {
      Speeds: ['speed_compatibility'],
      Links: chain => numberAt(chain, 'links_count') === 0 ? 'none: a belt' : String(numberAt(chain, 'links_count') ?? ''),
      Colour: ['colour']
    },
    text: '',
    inBikes: 'groupset.chain.id'
  },
  groupset: {
    facts: {
      Speed: ['speed'],
      Shifting: groupset => new Map<unknown, string>([[true, 'Electronic'], [false, 'Mechanical']]).get(groupset['is_electronic']) ?? '',
      Chainrings: ['Chainring_sizes', 'chainring_other'],
      Rotors: ['rotor_size'],
      Crankset: (groupset, { catalogue }) => catalogue.cranksets.filter(({ id }) => id === groupset['crankset_ref']).map(nameOf).join(),
      Weight: weight
    },
    text: 'other',
    link: ['Chain', 'chain', 'chain.id'],
    inBikes: 'groupset.id'
  }
} satisfies { readonly [noun in Noun]?: Summary }
