import { type Colour, darker, lighter, surface } from './colour.ts'
import type { Geometry } from './geometry.ts'
import { linear } from './gradient.ts'
import { along, between, distance, polar } from './plane.ts'
import { d, disc, group, line, type Point, ring, shape } from './svg.ts'
import { taper } from './taper.ts'
import { tube } from './tube.ts'
import type { Paint } from './paint.ts'

/** The widths of a frame's tubes from the side, in millimetres: where two stand, the tube tapers from the first to the second. */
export interface Tubes {
  down: [number, number]
  top: [number, number]
  seat: [number, number]
  head: [number, number]
  chainstay: [number, number]
  seatstay: [number, number]
  fork: [number, number]
  shell: number
  moulded: boolean
  lowStays: boolean
}

/** Returns the corner between two tubes filled in, as a moulded frame has it. */
function gusset (corner: Point, one: Point, other: Point, size: number, colour: Colour): string {
  const [a, b] = [along(corner, one, size), along(corner, other, size)]
  const fill = linear(between(a, b, 0.5), corner, [[0, darker(colour, 0.24)], [0.6, colour]])
  return fill.markup + shape(d`M${a}Q${between(corner, between(a, b, 0.5), 0.52)} ${b}L${corner}Z`, fill.url)
}

/** Returns where the seat stays meet the seat tube: at its top, or lower on a moulded frame. */
export const stayTop = ({ topRear, bottom }: Geometry, { lowStays }: Tubes) => between(topRear, bottom, lowStays ? 0.22 : 0.02)

function stays (points: Geometry, tubes: Tubes, colour: Colour, gloss: number): string {
  const { rear, bottom } = points
  const upper = stayTop(points, tubes)
  const knee = between(between(upper, rear, 0.5), bottom, tubes.lowStays ? 0.045 : 0)
  return tube(between(bottom, rear, 0.05), rear, tubes.chainstay[0], tubes.chainstay[1], colour, gloss) +
    taper([upper, between(upper, knee, 0.7), between(knee, rear, 0.3), rear], tubes.seatstay[0], tubes.seatstay[1], colour, gloss)
}

function dropout ({ rear }: Geometry, through: boolean, colour: Colour): string {
  const plate = disc(rear, 19, darker(colour, 0.12))
  return through
    ? group({}, plate, disc(rear, 12.5, surface.black), ring(rear, 8, surface.alloy, 2.4), disc(rear, 4, '#0f1115'))
    : group({}, disc(rear, 17, surface.alloy), disc(rear, 9, '#30343a'), disc(rear, 5.5, surface.steel))
}

function stripes ({ bottom, downFront, headTop, headLow }: Geometry, tubes: Tubes, { accent }: Paint): string {
  const width = (tubes.down[0] + tubes.down[1]) / 2
  const band = (from: number, to: number, share: number) =>
    line(between(bottom, downFront, from), between(bottom, downFront, to), accent, width * share, { 'stroke-linecap': 'butt', opacity: 0.92 })
  const badge = between(headTop, headLow, 0.42)
  return band(0.34, 0.62, 0.3) + band(0.635, 0.66, 0.3) + band(0.675, 0.685, 0.3) +
    (distance(headTop, headLow) > 75 ? disc(badge, 7, accent, { opacity: 0.9 }) : '')
}

function bosses ({ bottom, downFront, seatTop }: Geometry, tubes: Tubes): string {
  const out = (point: Point, degrees: number, width: number) => disc(polar(point, width * 0.1, degrees), 3.1, '#14161a')
  return [0.3, 0.42].map(share => out(between(bottom, downFront, share - 0.06), 90, tubes.down[0])).join('') +
    [0.32, 0.45].map(share => out(between(bottom, seatTop, share), 0, tubes.seat[0])).join('')
}

/** Returns the frame without its fork: stays, three main tubes, head tube, shell and the details on them. */
export function frame (points: Geometry, tubes: Tubes, paint: Paint, through: boolean): string {
  const { bottom, seatTop, topFront, topRear, downFront, headTop, headLow, headAngle } = points
  const { base, gloss } = paint
  const main = (from: Point, to: Point, [start, end]: [number, number], ends: 'round' | 'flat' = 'round') => tube(from, to, start, end, base, gloss, ends)
  const fillets = tubes.moulded
    ? gusset(downFront, bottom, topFront, tubes.down[1] * 1.25, base) + gusset(topFront, topRear, downFront, tubes.top[1] * 1.5, base) +
      gusset(bottom, downFront, seatTop, tubes.down[0] * 1.35, base) + gusset(topRear, topFront, bottom, tubes.top[0] * 1.5, base)
    : ''
  const rim = (point: Point) => line(polar(point, tubes.head[1] / 2 - 1, headAngle - 90), polar(point, tubes.head[1] / 2 - 1, headAngle + 90),
    darker(base, 0.55), 2.4, { 'stroke-linecap': 'butt' })
  return group({},
    stays(points, tubes, base, gloss),
    dropout(points, through, base),
    main(bottom, seatTop, tubes.seat),
    fillets,
    main(bottom, downFront, tubes.down),
    main(topRear, topFront, tubes.top),
    main(headLow, headTop, tubes.head, 'flat'),
    rim(headTop), rim(headLow),
    disc(bottom, tubes.shell, darker(base, 0.08)),
    stripes(points, tubes, paint),
    bosses(points, tubes),
    line(polar(seatTop, tubes.seat[1] / 2 + 2, 170), polar(seatTop, tubes.seat[1] / 2 + 2, -10), surface.black, 9, { 'stroke-linecap': 'butt' })
  )
}

/** Returns the look of bare metal or weave inside a cut tube end. */
export const shellHole = (centre: Point, radius: number, colour: Colour) =>
  ring(centre, radius, lighter(colour, 0.2), 3) + disc(centre, radius - 2, '#101216')
