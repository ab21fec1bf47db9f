import { field, partSize, picture, shadow } from './backdrop.ts'
import { type Colour, darker, lighter, surface } from './colour.ts'
import { rimRadius } from './geometry.ts'
import { linear } from './gradient.ts'
import { d, disc, group, type Point, ring, shape, stroke } from './svg.ts'
import { counted, polar } from './plane.ts'
import { says } from './read.ts'
import type { TyreRecord } from './records.ts'
import { tread } from './tread.ts'
import { type TyreLook, tyreLook, tyreSide } from './tyre-side.ts'
import { tyreWidths } from './wheel-look.ts'
import { noWheel } from './wheel-side.ts'

const centre: Point = [356, 360]
const strip: Point = [800, 360]
const scale = 4.3
const height = 312

function barrel ([x, y]: Point, half: number): string {
  return d`M${x - half} ${y - height + 30}C${x - half} ${y - height - 6} ${x + half} ${y - height - 6} ${x + half} ${y - height + 30}
    L${x + half} ${y + height - 30}C${x + half} ${y + height + 6} ${x - half} ${y + height + 6} ${x - half} ${y + height - 30}Z`
}

/** Returns a tyre cut through, six times as large: tread, casing, a guard against punctures where it has one, and the beads. */
function section ({ width, wall, tread, mark }: TyreLook, guarded: boolean): string {
  const r = width * 6 / 2
  const [x, y] = [centre[0], centre[1] - r * 0.1]
  const arc = (radius: number, from: number, to: number, colour: string, pen: number, cap: 'round' | 'butt' = 'butt') =>
    stroke(d`M${polar([x, y], radius, from)}A${radius} ${radius} 0 ${to - from > 180 ? 1 : 0} 0 ${polar([x, y], radius, to)}`, colour, pen,
      { 'stroke-linecap': cap })
  const knobs = tread === 'knobs' || tread === 'studs'
    ? counted(9).map(index => arc(r + 8, 26 + index * 15, 34 + index * 15, '#33363b', 17)).join('')
    : ''
  const feet = [-52, 232].map(at => disc(polar([x, y], r - 6, at), 11, '#26282c') + disc(polar([x, y], r - 6, at), 5.5, surface.gold)).join('')
  return group({}, knobs, arc(r - 6, -52, 232, wall === surface.rubber ? '#3a3d43' : wall, 12, 'round'), arc(r, 22, 158, '#26282c', 17, 'round'),
    arc(r + 4, 50, 130, '#3d4046', 10, 'round'),
    guarded ? arc(r - 10, 48, 132, mark, 6, 'round') : '', feet)
}

function front (look: TyreLook, pattern: string, strip: Point): string {
  const half = look.width * scale / 2
  const [x, y] = strip
  const wall: Colour = look.wall
  const across = linear([x - half, y], [x + half, y], [
    [0, darker(wall, 0.45)], [0.06, wall], [0.1, darker(surface.rubber, 0.2)], [0.36, '#474a50'], [0.5, '#3a3d43'], [0.9, '#1b1d21'], [0.94,
      wall], [1, darker(wall, 0.5)]
  ])
  const ends = linear([x, y - height], [x, y + height],
    [[0, '#0b0c0f', 0.85], [0.2, '#0b0c0f', 0], [0.5, '#ffffff', 0.07], [0.8, '#0b0c0f', 0], [1, '#0b0c0f', 0.9]])
  return group({}, across.markup, ends.markup, shape(barrel(strip, half), across.url), tread(strip, half * 0.84, height - 12, pattern),
    shape(barrel(strip, half), ends.url))
}

function none (): string {
  const colour = '#9aa0a7'
  return picture(partSize.width, partSize.height, '#b9bdc2', field(centre, 348, '#b9bdc2'), noWheel(centre, rimRadius + 14, colour),
    shape(barrel(strip, 62), 'none', { stroke: colour, 'stroke-width': 6, 'stroke-dasharray': '22 18', 'stroke-linecap': 'round' }))
}

/** Draws a tyre from its record: from the side, and its tread from ahead four times as large; an outline where there is none. */
export function tyre (record: TyreRecord): string {
  const [narrow, width] = tyreWidths(record.width)
  if (record.width === '0') return none()
  const look = tyreLook(record, width)
  const tint: Colour = look.wall === surface.rubber ? look.mark : look.wall
  return picture(partSize.width, partSize.height, tint,
    field(centre, 348, tint),
    shadow([centre[0], centre[1] + rimRadius + width * 0.5], 230, 14, 0.36), shadow([strip[0], strip[1] + height + 8], 90, 12, 0.4),
    group({ transform: `translate(${centre[0] * 0.07} ${centre[1] * 0.07}) scale(0.93)` },
      tyreSide(centre, look), ring(centre, rimRadius - 1, lighter(surface.rubber, 0.1), 4), ring(centre, rimRadius - 5, '#101215', 4,
        { opacity: 0.5 })),
    section(look, says('\\S', record.puncture_resistance)),
    ...(narrow === width
      ? [front(look, record.tread_pattern, strip)]
      : [front({ ...look, width: narrow }, record.tread_pattern, [742, 360]), front(look, record.tread_pattern, [868, 360])]))
}
