import { type Colour, darker, lighter, surface } from './colour.ts'
import { disc, group, line, type Point, shifted, stroke } from './svg.ts'
import { moulded } from './tube.ts'

/** How a saddle looks from the side. */
export interface SaddleLook { colour: Colour, outline: 'race' | 'short' | 'classic' | 'comfort' | 'split', rails: Colour }

const outlines: Record<SaddleLook['outline'], string> = {
  race: 'M-146 -4C-146 -20 -122 -26 -92 -19C-48 -9 -6 -9 54 -13C92 -15 126 -13 134 -4C138 5 122 11 98 11C58 11 22 15 -16 25C-52 36 -92 44 -122 32C-138 24 -146 10 -146 -4Z',
  short: 'M-140 -6C-140 -24 -114 -30 -84 -22C-44 -11 -10 -10 40 -13C72 -15 100 -12 108 -1C112 10 96 16 76 15C46 14 18 18 -16 28C-52 40 -90 46 -118 34C-134 26 -140 10 -140 -6Z',
  classic: 'M-150 -14C-152 -34 -134 -42 -112 -32C-74 -14 -20 -4 50 -7C90 -9 124 -16 136 -10C142 -4 136 6 120 10C72 18 26 24 -20 36C-58 46 -108 48 -132 34C-146 24 -150 4 -150 -14Z',
  comfort: 'M-142 -8C-144 -30 -116 -36 -84 -27C-46 -15 -4 -13 48 -16C84 -18 116 -15 122 -3C126 10 108 18 84 18C52 19 20 26 -14 38C-52 52 -98 56 -122 40C-138 30 -142 10 -142 -8Z',
  split: 'M-132 -4C-134 -22 -108 -28 -78 -20C-40 -10 -4 -12 36 -15C78 -18 104 -20 110 -6C112 8 92 20 66 19C42 18 16 20 -14 28C-50 40 -88 44 -112 32C-126 24 -132 10 -132 -4Z'
}

/** Returns a saddle from the side with its rails, the top of its middle at the given point. */
export function saddleSide (top: Point, { colour, outline, rails }: SaddleLook): string {
  const rail = 'M-108 26C-92 34 -70 46 -46 46L34 46C60 46 72 28 88 10'
  return shifted(top,
    stroke(rail, darker(rails, 0.35), 8), stroke(rail, lighter(rails, 0.15), 3.4, { transform: 'translate(0 -1.4)' }),
    moulded(outlines[outline], -30, 46, colour, 0.45),
    stroke('M-116 18C-84 30 -40 18 0 8C30 1 60 2 90 0', lighter(colour, 0.16), 1.8, { opacity: 0.7 }))
}

/** Returns the clamp that holds a saddle's rails on its post. */
export const saddleClamp = ([x, y]: Point) => group({},
  line([x - 20, y + 46], [x + 20, y + 46], surface.graphite, 17), disc([x, y + 48], 6, surface.alloy))
