import { type Colour, darker, lighter, lightness, surface } from './colour.ts'
import { rimRadius } from './geometry.ts'
import { polar } from './plane.ts'
import { colourOf } from './paint.ts'
import { says } from './read.ts'
import type { TyreRecord } from './records.ts'
import { d, group, type Point, ring, stroke } from './svg.ts'

/** One tyre as it is seen from the side, in millimetres. */
export interface TyreLook {
  width: number
  wall: Colour
  stripe: Colour | undefined
  tread: 'slick' | 'file' | 'knobs' | 'studs'
  mark: Colour
}

const marks: Record<string, Colour> = {
  continental: '#e8a01e',
  vittoria: '#d0342c',
  schwalbe: '#8fb7d6',
  pirelli: '#e6c313',
  wtb: '#e07c2a',
  specialized: '#d5d8db',
  bontrager: '#9aa1a9',
  michelin: '#3f7fc9',
  goodyear: '#f0c419',
  'rené herse': '#33363b'
}

/** Reads the tread that a tyre's pattern names. */
export function treadOf (pattern: string): TyreLook['tread'] {
  if (says('round studs|diamond|fish-scale', pattern)) return 'studs'
  if (says('knob|block|edge', pattern)) return 'knobs'
  return says('file|herringbone|groove', pattern) ? 'file' : 'slick'
}

/** Reads how a tyre looks; a bike that names no tyre rides on a plain black one of 25 mm. */
export function tyreLook (tyre: TyreRecord | null, width: number): TyreLook {
  const colour = tyre?.colour ?? ''
  const wall = says('tan|classic', colour) ? surface.gum : says('transparent', colour) ? '#6b5a48' : surface.rubber
  const stripe = says('white', colour) ? '#e9e9e4' : says('reflective', colour) ? '#c9ced3' : undefined
  return {
    width,
    wall: says('brown', colour)
      ? colourOf(colour, wall)
      : wall,
    stripe,
    tread: treadOf(tyre?.tread_pattern ?? ''),
    mark: marks[tyre?.brand_name.toLowerCase() ?? ''] ?? '#6d747c'
  }
}

function edge (centre: Point, radius: number, tread: TyreLook['tread']): string {
  const teeth = (width: number, pattern: string, colour: Colour, at = radius) =>
    ring(centre, at, colour, width, { 'stroke-dasharray': pattern })
  if (tread === 'knobs') return teeth(5, '7 5.5', '#1d1f23') + teeth(7, '8 4.5', '#3b3e44', radius - 6)
  if (tread === 'studs') return teeth(3, '4.5 3.5', '#1d1f23', radius - 1) + teeth(5, '4 4', '#3b3e44', radius - 5)
  return tread === 'file' ? teeth(3, '1.5 4.5', '#4a4d53', radius - 5) : ''
}

/** Returns a tyre on a 700C rim from the side: tread, side wall and bead. */
export function tyreSide (centre: Point, { width, wall, stripe, tread, mark }: TyreLook): string {
  const label = (at: number) => {
    const r = rimRadius + (width - width * 0.38) / 2 + 1
    return stroke(d`M${polar(centre, r, at - 9)}A${r} ${r} 0 0 0 ${polar(centre, r, at + 9)}`, mark, width * 0.17,
      { 'stroke-linecap': 'butt', opacity: 0.9 })
  }
  const outer = rimRadius + width
  const cap = width * (wall === surface.rubber ? 0.4 : 0.36)
  const middle = rimRadius + (width - cap) / 2
  return group({},
    edge(centre, outer, tread),
    ring(centre, middle, wall, width - cap + 3),
    ring(centre, rimRadius + 2.5, darker(wall, 0.4), 3),
    ring(centre, outer - cap / 2 - 1.5, surface.rubber, cap),
    edge(centre, outer - 0.5, tread),
    ring(centre, outer - cap * 0.62, lightness(wall) > 0.3 ? '#54575d' : '#50545b', 2, { opacity: 0.8 }),
    ring(centre, middle - 2, lighter(wall, 0.22), 2, { opacity: 0.6 }),
    stripe ? ring(centre, middle, stripe, 3.2) : '',
    label(140), label(-40)
  )
}
