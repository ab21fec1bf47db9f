import { endless, type Pulley } from './belt.ts'
import { beltring, chainring, type CranksetLook, pitchRadius, spider, toothed } from './chainring.ts'
import { type Colour, darker, lighter, mix, surface } from './colour.ts'
import { crankArm, pedal } from './crank.ts'
import type { Geometry } from './geometry.ts'
import { along, between, counted, polar, plus } from './plane.ts'
import { d, disc, group, line, type Point, ring, shape, stroke } from './svg.ts'

/** What drives a bike: rings and cogs by their teeth, a chain or a belt, and whether it shifts by derailleur. */
export interface Drive {
  rings: readonly number[]
  cogs: readonly [smallest: number, largest: number]
  belt: boolean
  single: boolean
  electronic: boolean
  chain: Colour
  crank: CranksetLook
  pedals: 'road' | 'platform' | 'none'
}

/** The points that a drive hangs from. */
export type Anchors = Pick<Geometry, 'rear' | 'bottom' | 'seatTop'>

const beltRadius = (teeth: number) => teeth * 11 / (2 * Math.PI)

/** Returns the two jockey wheels of a rear derailleur, upper first; a wide cassette asks for a longer cage. */
export function jockeys (rear: Point, largest: number): [Point, Point] {
  const upper = plus(rear, 16, Math.max(66, pitchRadius(largest) * 0.5 + 44))
  return [upper, polar(upper, largest > 38 ? 84 : largest > 30 ? 66 : 58, -50)]
}

/** Returns a cassette from the side: sprockets from the largest to the smallest. */
export function cassette (centre: Point, [smallest, largest]: Drive['cogs'], count: number): string {
  const steps = counted(count).map(index => Math.round(largest + (smallest - largest) * (index / Math.max(1, count - 1)) ** 0.8))
  const sprocket = (teeth: number, index: number) => {
    const colour = mix('#6d737b', '#c3c8cd', index / Math.max(1, count - 1))
    const windows = index === 0
      ? counted(8).map(at => line(polar(centre, pitchRadius(teeth) * 0.5, at * 45), polar(centre, pitchRadius(teeth) - 9, at * 45 + 6),
        darker(colour, 0.3), 5)).join('')
      : ''
    const rim = { stroke: darker(colour, 0.4), 'stroke-width': 1.2 }
    return (index % 2 === 0 ? shape(toothed(centre, teeth, 3.4), colour, rim) : disc(centre, pitchRadius(teeth), colour, rim)) + windows
  }
  return group({}, ...steps.map(sprocket), disc(centre, pitchRadius(smallest) * 0.62, surface.graphite), disc(centre, 8, surface.black))
}

/** Returns a rear derailleur: hanger, body, cage and jockey wheels; an electronic one carries its battery or motor. */
export function derailleur (rear: Point, [upper, lower]: readonly [Point, Point], colour: Colour, electronic: boolean): string {
  const knuckle = plus(rear, 4, 34)
  const wheel = (centre: Point) => shape(toothed(centre, 11, 3), '#17191d') + disc(centre, 9, '#575d65') + disc(centre, 4, surface.steel)
  const motor = electronic
    ? line(plus(knuckle, -16, 12), plus(upper, -26, 2), colour, 30) + line(plus(knuckle, -20, 10), plus(upper, -31, -4), lighter(colour, 0.25), 3) +
      disc(plus(upper, -22, -8), 2.6, '#5ad06a')
    : line(plus(knuckle, -8, 12), plus(upper, -12, 2), colour, 20) + line(plus(knuckle, -12, 8), plus(upper, -17, -4), lighter(colour, 0.3), 3)
  return group({},
    line(rear, knuckle, darker(colour, 0.2), 14), disc(knuckle, 12, colour), disc(knuckle, 5, surface.steel),
    wheel(upper), wheel(lower),
    motor,
    line(between(upper, lower, -0.06), between(upper, lower, 1.04), darker(colour, 0.1), 13),
    line(between(upper, lower, 0.12), between(upper, lower, 0.88), lighter(colour, 0.18), 2.4),
    disc(upper, 5, surface.steel), disc(lower, 5, surface.steel))
}

function chainPath ({ rear, bottom }: Anchors, drive: Drive): string {
  const ringAt: Pulley = { centre: bottom, radius: drive.belt ? beltRadius(drive.rings[0] ?? 55) : pitchRadius(drive.rings[0] ?? 46), clockwise: true }
  const cog: Pulley = { centre: rear, radius: drive.belt ? beltRadius(26) : pitchRadius(drive.single ? drive.cogs[0] : Math.round(drive.cogs[0] * 0.55 + drive.cogs[1] * 0.3) + 2), clockwise: true }
  if (drive.single || drive.belt) return endless([ringAt, cog])
  const [upper, lower] = jockeys(rear, drive.cogs[1])
  return endless([ringAt, { centre: lower, radius: pitchRadius(11), clockwise: true }, { centre: upper, radius: pitchRadius(11), clockwise: false },
    cog])
}

/** Returns a chain along path data: dark plates with a lighter one on every second link; a belt has none. */
export function chainLine (data: string, colour: Colour, belt: boolean): string {
  if (belt) return stroke(data, '#121418', 9) + stroke(data, '#3b3f46', 1.6, { transform: 'translate(0 -2)' })
  return stroke(data, darker(colour, 0.42), 8) + stroke(data, lighter(colour, 0.06), 5.6, { 'stroke-dasharray': '18.4 7', 'stroke-linecap': 'butt' })
}

function frontDerailleur ({ bottom, seatTop }: Anchors, largest: number): [behind: string, before: string] {
  const radius = pitchRadius(largest)
  const at = along(bottom, seatTop, radius + 30)
  const plate = (r: number, colour: Colour, width: number) => {
    const [from, to] = [polar(bottom, r, 64), polar(bottom, r, 112)]
    return stroke(d`M${to}A${r} ${r} 0 0 1 ${from}`, colour, width)
  }
  return [
    line(at, plus(at, 18, 8), surface.graphite, 17) + line(plus(at, 2, -5), plus(at, 18, 2), '#7b828a', 3),
    plate(radius + 6, '#33373d', 13) + plate(radius + 9, '#8d949c', 2.4)
  ]
}

const pedalAt = (end: Point, { pedals }: Drive) => pedals === 'none' ? '' : pedal(end, pedals === 'platform')

/** Returns what lies behind the frame: the far crank with its pedal, and the cogs on the rear hub. */
export function farDrive (points: Anchors, drive: Drive): string {
  const end = polar(points.bottom, 172, 176)
  const cogs = drive.belt
    ? disc(points.rear, 66, '#33373d') + ring(points.rear, 60, '#5d636b', 2) + ring(points.rear, beltRadius(26) - 5, '#17191d', 12) +
      disc(points.rear, 30, surface.graphite)
    : drive.single
      ? shape(toothed(points.rear, drive.cogs[0]), surface.steel, { stroke: '#6d737b', 'stroke-width': 1.2 }) + ring(points.rear, 19, '#7b828a', 3)
      : cassette(points.rear, drive.cogs, 5)
  return group({}, group({ opacity: 0.92 }, crankArm(points.bottom, 176, 172, drive.crank)), pedalAt(end, drive), cogs)
}

/** Returns what lies before the frame: rings, chain, derailleurs, the near crank and its pedal. */
export function nearDrive (points: Anchors, drive: Drive): string {
  const { bottom, rear } = points
  const [outer = 46, inner] = drive.rings
  const { crank } = drive
  const rings = drive.belt
    ? beltring(bottom, outer, surface.black)
    : (inner ? chainring(bottom, inner, darker(crank.rings, 0.35), 14) : '') + chainring(bottom, outer, crank.rings) +
      spider(bottom, pitchRadius(inner ?? outer) - (inner ? 2 : 14), crank, -4)
  const shifting = drive.single || drive.belt ? '' : derailleur(rear, jockeys(rear, drive.cogs[1]), surface.black, drive.electronic)
  const [behind, before] = inner && !drive.belt ? frontDerailleur(points, outer) : ['', '']
  return group({},
    behind,
    rings,
    shifting,
    chainLine(chainPath(points, drive), drive.chain, drive.belt),
    before,
    crankArm(bottom, -4, 172, crank),
    pedalAt(polar(bottom, 172, -4), drive))
}
