import { type Colour, surface } from './colour.ts'
import { says } from './read.ts'
import type { MakeRecord } from './records.ts'

/** How a brake looks: where it grips, the build of its calliper, its colours, and the shape of its rotor. */
export interface BrakeLook {
  kind: 'rim' | 'disc'
  body: Colour
  mark: Colour
  pistons: 2 | 4
  hose: 'hose' | 'cable'
  arms: number
  carrier: Colour
  skeletal: boolean
}

const rim = (body: Colour, mark: Colour, skeletal = false): BrakeLook =>
  ({ kind: 'rim', body, mark, skeletal, pistons: 2, hose: 'cable', arms: 0, carrier: surface.black })

const disc = (body: Colour, mark: Colour, arms: number, carrier: Colour, more: Partial<BrakeLook> = {}): BrakeLook =>
  ({ kind: 'disc', body, mark, arms, carrier, pistons: 2, hose: 'hose', skeletal: false, ...more })

const looks: ReadonlyArray<readonly [words: string, look: BrakeLook]> = [
  ['br-r7000', rim('#484d55', '#aab0b7')],
  ['chorus|dual pivot', rim('#3a3d43', '#d8dbde', true)],
  ['r540', rim('#b4bac0', '#4a4f57')],
  ['eebrakes|ee|g4', rim('#1f2126', '#d0342c', true)],
  ['r70\\d\\d', disc('#4d525a', '#8d949c', 4, '#5a6068')],
  ['r8170', disc('#33363d', '#c8ccd1', 5, '#3d4148')],
  ['r9270', disc('#1d1f24', '#a8aeb5', 5, '#24272c')],
  ['grx|rx810', disc('#3a3d44', '#6d747c', 6, '#4a4f57')],
  ['rival', disc('#43474e', '#e0e3e6', 6, '#8d949c')],
  ['red', disc('#22252a', '#d0342c', 7, '#1d1f24')],
  ['spyre', disc('#a9afb6', '#2a2d33', 6, '#aab0b7', { hose: 'cable' })],
  ['magura|mt\\d', disc('#25282d', '#f0d21e', 4, '#2d3036')],
  ['hope', disc('#7a3fa0', '#e9ebed', 8, '#7a3fa0', { pistons: 4 })]
]

/** Reads how a brake looks from the words of its brand and model, a plain disc brake where they say nothing. */
export function brakeLook ({ brand, model }: MakeRecord): BrakeLook {
  const plain = says('rim|calliper', model) ? rim(surface.graphite, surface.steel) : disc(surface.graphite, surface.steel, 6, surface.black)
  return looks.find(([words]) => says(words, `${brand} ${model}`))?.[1] ?? plain
}
