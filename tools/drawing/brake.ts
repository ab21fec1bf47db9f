import { field, partSize, picture, shadow } from './backdrop.ts'
import { brakeLook, type BrakeLook } from './brake-look.ts'
import { discCalliper, rimCalliper, wavedRotor } from './calliper.ts'
import { type Colour, mix } from './colour.ts'
import { linear } from './gradient.ts'
import type { MakeRecord } from './records.ts'
import { group, line, shape } from './svg.ts'

function wheelFromAhead (): string {
  const tyre = linear([-62, 0], [62, 0], [[0, '#121316'], [0.35, '#4a4d53'], [0.6, '#303339'], [1, '#0e0f12']])
  const rim = linear([-48, 0], [48, 0], [[0, '#7b828a'], [0.3, '#eef0f2'], [0.7, '#b9bfc5'], [1, '#6d747c']])
  return group({}, tyre.markup, rim.markup,
    shape('M-44 118L44 118L40 250C40 262 -40 262 -40 250Z', rim.url),
    shape('M-58 60C-58 -20 58 -20 58 60C58 92 52 110 46 122L-46 122C-52 110 -58 92 -58 60Z', tyre.url),
    line([0, 258], [0, 330], '#8d949c', 7), line([0, 252], [0, 268], '#c3c8cd', 13))
}

function discBrake (look: BrakeLook): string {
  return group({},
    group({ transform: 'translate(400 372) scale(1.02)' }, wavedRotor([0, 0], 290, look)),
    group({ transform: 'translate(648 214) rotate(-32) scale(1.08)' }, discCalliper(look)))
}

function rimBrake (look: BrakeLook): string {
  return group({ transform: 'translate(480 330) scale(1.28)' }, wheelFromAhead(), rimCalliper(look))
}

/** Draws a brake from its record: a rotor in its calliper, or a dual-pivot calliper round a rim. */
export function brake (record: MakeRecord): string {
  const look = brakeLook(record)
  const tint: Colour = mix(look.mark, look.body, 0.3)
  return picture(partSize.width, partSize.height, tint, field([480, 360], 336, tint),
    look.kind === 'disc' ? shadow([400, 682], 240, 14, 0.36) : '',
    look.kind === 'disc' ? discBrake(look) : rimBrake(look))
}
