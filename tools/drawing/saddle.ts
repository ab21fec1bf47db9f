import { field, fieldColour, partSize, picture, shadow } from './backdrop.ts'
import { type Colour, darker, lighter } from './colour.ts'
import { linear } from './gradient.ts'
import type { MakeRecord } from './records.ts'
import { saddleLook } from './saddle-look.ts'
import { type SaddleLook, saddleSide } from './saddle-side.ts'
import { d, disc, group, shape, stroke } from './svg.ts'

interface Plan { tail: number, half: number, nose: number, tip: number, cut: 'none' | 'slot' | 'channel' | 'open' }

const plans: Record<SaddleLook['outline'], Plan> = {
  race: { tail: -146, half: 68, nose: 136, tip: 17, cut: 'none' },
  short: { tail: -140, half: 75, nose: 108, tip: 22, cut: 'slot' },
  classic: { tail: -150, half: 78, nose: 136, tip: 19, cut: 'none' },
  comfort: { tail: -142, half: 84, nose: 122, tip: 24, cut: 'channel' },
  split: { tail: -132, half: 66, nose: 110, tip: 28, cut: 'open' }
}

function cutOut ({ cut, tail, nose }: Plan, colour: Colour, behind: Colour, own: number): string {
  if (cut === 'slot') {
    const [from, to, wide] = [tail + 34 + own % 4 * 18, nose - 62 + own % 3 * 18, 13 + own % 3 * 6]
    return shape(d`
      M${from} 0
      C${from + 20} ${-wide} ${to - 40} ${-wide * 0.65} ${to} 0
      C${to - 40} ${wide * 0.65} ${from + 20} ${wide} ${from} 0Z`, darker(colour, 0.75))
  }
  if (cut === 'channel') return stroke(d`M${tail + 26} 0L${nose - 46} 0`, darker(colour, 0.5), 15)
  return cut === 'open'
    ? shape(d`M${tail + 46} 0C${tail + 80} -15 ${nose - 60} -13 ${nose + 6} -13L${nose + 6} 13
    C${nose - 60} 13 ${tail + 80} 15 ${tail + 46} 0Z`, behind)
    : ''
}

function above (look: SaddleLook, own: number, behind: Colour): string {
  const plan = plans[look.outline]
  const { tail, nose, tip } = plan
  const half = plan.half + own % 3 * 3 - 3
  const outline = (part: number, x = 0) => d`
    M${tail + x} 0
    C${tail + x} ${-half * 0.75 * part} ${tail + 12 + x} ${-half * part} ${tail + 46} ${-half * part}
    C${tail + 92} ${-half * part} ${-4} ${-tip * 1.35 * part} ${nose - 52} ${-tip * part}
    C${nose - 12} ${-tip * part} ${nose - x} ${-tip * 0.9 * part} ${nose - x} 0
    C${nose - x} ${tip * 0.9 * part} ${nose - 12} ${tip * part} ${nose - 52} ${tip * part}
    C${-4} ${tip * 1.35 * part} ${tail + 92} ${half * part} ${tail + 46} ${half * part}
    C${tail + 12 + x} ${half * part} ${tail + x} ${half * 0.75 * part} ${tail + x} 0Z`
  const fill = linear([0, -half], [0, half], [[0, lighter(look.colour, 0.24)], [0.4, look.colour], [1, darker(look.colour, 0.4)]])
  return group({}, fill.markup, shape(outline(1), fill.url),
    shape(outline(0.8, 12), 'none',
      { stroke: lighter(look.colour, 0.2), 'stroke-width': 1.3, opacity: 0.6, 'stroke-dasharray': own % 2 ? '4 2.6' : undefined }),
    look.outline === 'classic'
      ? [-1, 1].map(side => disc([tail + 20, side * 26], 4.5, '#b99555') +
      disc([tail + 14, side * 8], 4.5, '#b99555')).join('') + disc([nose - 14, 0], 4.5, '#b99555')
      : '',
    cutOut(plan, look.colour, behind, own))
}

/** Draws a saddle from its record: from the side, and below it from above. */
export function saddle (record: MakeRecord): string {
  const look = saddleLook(record)
  const tint: Colour = look.colour === '#26292e' ? '#8b929a' : look.colour
  const trim = ['#c9473f', '#8d949c', '#3f86c4', '#c79a3b', '#4d9a68', '#d5d8db'][record.id % 6] ?? '#8d949c'
  return picture(partSize.width, partSize.height, tint,
    field([480, 360], 336, tint), shadow([480, 668], 330, 16, 0.2),
    group({ transform: 'translate(492 136) scale(2.15)' }, saddleSide([0, 0], look),
      stroke('M8 8C12 20 20 25 30 27', trim, 3.5, { transform: `translate(${plans[look.outline].tail} 0)` })),
    group({ transform: 'translate(492 488) scale(2.3)' }, above(look, record.id, fieldColour(tint)),
      stroke(d`M${plans[look.outline].tail + 5} -22Q${plans[look.outline].tail + 1.5} 0 ${plans[look.outline].tail + 5} 22`, trim, 4)))
}
