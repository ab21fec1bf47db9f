import { field, partSize, picture, shadow } from './backdrop.ts'
import { darker, lighter, surface } from './colour.ts'
import { rimRadius } from './geometry.ts'
import { linear } from './gradient.ts'
import { counted } from './plane.ts'
import { number } from './read.ts'
import type { WheelRecord } from './records.ts'
import { d, disc, group, line, type Point, shape, stroke } from './svg.ts'
import { hasWheels, wheelLooks } from './wheel-look.ts'
import { noWheel, rotor, type WheelLook, wheelSide } from './wheel-side.ts'

const centre: Point = [360, 356]
const scale = 4.6

/** Returns a rim cut through: hooks, well and hollow, with the spoke's nipple below. */
function section (foot: Point, look: WheelLook, outer: number, inner: number): string {
  const [x, y] = foot
  const [half, inside] = [outer / 2 * scale, inner / 2 * scale]
  const depth = Math.max(14, look.depth) * scale
  const top = y - depth
  const lip = 6 * scale
  const fill = linear([x - half, y], [x + half, y], [[0, lighter(look.rim, 0.28)], [0.3, look.rim], [1, darker(look.rim, 0.3)]])
  const side = (hand: 1 | -1) => d`
    L${x + hand * half} ${top}
    C${x + hand * half * 1.02} ${top + depth * 0.4} ${x + hand * half * 0.78} ${y - depth * 0.2} ${x + hand * 13} ${y - 4}`
  const well = (hand: 1 | -1): Point[] => [
    [x + hand * inside, top], [x + hand * (inside - 4), top + 7], [x + hand * inside, top + lip * 0.6], [x + hand * inside, top + lip]
  ]
  const body = d`M${[x, top + lip * 1.4]}` +
    d`C${x + inside * 0.45} ${top + lip * 1.4} ${x + inside * 0.5} ${top + lip} ${x + inside} ${top + lip}` +
    well(1).reverse().map(point => d`L${point}`).join('') + side(1) + d`Q${x} ${y + 5} ${x - 13} ${y - 4}` +
    d`C${x - half * 0.78} ${y - depth * 0.2} ${x - half * 1.02} ${top + depth * 0.4} ${x - half} ${top}` +
    well(-1).map(point => d`L${point}`).join('') +
    d`C${x - inside * 0.5} ${top + lip} ${x - inside * 0.45} ${top + lip * 1.4} ${x} ${top + lip * 1.4}Z`
  const hollow = d`
    M${x - half * 0.78} ${top + lip * 1.75}
    Q${x} ${top + lip * 2.15} ${x + half * 0.78} ${top + lip * 1.75}
    C${x + half * 0.74} ${top + depth * 0.55} ${x + half * 0.5} ${y - depth * 0.2} ${x + 6} ${y - 15}
    Q${x} ${y - 11} ${x - 6} ${y - 15}
    C${x - half * 0.5} ${y - depth * 0.2} ${x - half * 0.74} ${top + depth * 0.55} ${x - half * 0.78} ${top + lip * 1.75}Z`
  const spoke = look.spokes > 0 && look.wired
    ? line([x, y], [x, y + 90], look.wire, look.wireWidth * 3) +
    line([x, y - 8], [x, y + 26], surface.steel, 15)
    : ''
  const track = look.brakeTrack
    ? [-1, 1].map(side => line([x + side * (half - 2), top + 5], [x + side * (half - 2), top + 46], '#eceef0', 6)).join('')
    : ''
  return group({}, fill.markup, spoke, shape(body, fill.url), depth > lip * 3 ? shape(hollow, '#e3e5e7', { opacity: 0.9 }) : '', track)
}

function axle (look: WheelLook): string {
  return disc(centre, look.hub * 0.5, surface.graphite) + disc(centre, 8, surface.steel) + disc(centre, 4.5, '#14161a')
}

const valve = (look: WheelLook) => look.wired && look.spokes > 0
  ? line([centre[0], centre[1] + rimRadius - look.depth], [centre[0], centre[1] + rimRadius - look.depth - 34], surface.steel, 5)
  : ''

function none (): string {
  const colour = '#9aa0a7'
  const gap = counted(2).map(index => stroke(d`M${800 - 60 + index * 120} ${240}L${800 - 60 + index * 120} ${270}`, colour, 5)).join('')
  return picture(partSize.width, partSize.height, '#b9bdc2', field(centre, 336, '#b9bdc2'), noWheel(centre, rimRadius, colour), gap,
    stroke('M740 270C740 380 770 440 800 452C830 440 860 380 860 270', colour, 5, { 'stroke-dasharray': '14 14' }))
}

/** Draws a pair of wheels from its record: one from the side and its rim cut through, five times as large; an outline without any. */
export function wheel (record: WheelRecord): string {
  if (!hasWheels(record)) return none()
  const { front, rear } = wheelLooks(record)
  const look = front.wired && record.spokecount === 0 ? rear : front
  const shown = look === rear && look.spokes === 0 ? { ...look, depth: 24 } : look
  const outer = number(record.external_rim_width, 26)
  const foot: Point = [802, 370 + Math.max(14, look.depth) * scale / 2]
  return picture(partSize.width, partSize.height, front.accent,
    field(centre, 336, front.accent),
    shadow([centre[0], centre[1] + rimRadius + 8], 240, 14, 0.4),
    record.brake_type === 'Disc Brake' && look.spokes > 0 ? rotor(centre, 80) : '',
    wheelSide(centre, shown), valve(look), axle(look),
    section(foot, shown, outer, number(record.internal_rim_width, 20)))
}
