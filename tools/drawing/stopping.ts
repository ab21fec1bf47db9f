import { darker, lighter, surface } from './colour.ts'
import { rimRadius, type Geometry } from './geometry.ts'
import { angle, plus, polar } from './plane.ts'
import { d, group, line, type Point, stroke } from './svg.ts'
import { moulded } from './tube.ts'
import { rotor } from './wheel-side.ts'

/** Returns the rotors on the far side of the hubs with a calliper at the far leg and stay. */
export function discBrakes ({ front, rear }: Geometry, sizes: readonly [number, number]): string {
  const calliper = (axle: Point, radius: number, at: number) => {
    const [x, y] = polar(axle, radius - 3, at)
    return group({}, line([x - 8, y - 22], [x + 10, y + 22], '#2b2e34', 27), line([x - 10, y - 20], [x + 4, y + 16], '#555b63', 4))
  }
  return group({}, rotor(front, sizes[0] / 2), rotor(rear, sizes[1] / 2), calliper(front, sizes[0] / 2, 148), calliper(rear, sizes[1] / 2, 62))
}

function pads (centre: Point, at: number): string {
  const spot = polar(centre, rimRadius - 5, at)
  return line(polar(spot, 24, at + 90), polar(spot, 24, at - 90), '#1b1d21', 13) +
    line(polar(spot, 22, at + 90), polar(spot, 22, at - 90), '#4a4f57', 3)
}

function calliper (bolt: Point, centre: Point, at: number): string {
  const shoe = polar(centre, rimRadius - 5, at)
  const body = surface.alloy
  return group({}, pads(centre, at),
    stroke(d`M${bolt}Q${polar(bolt, 26, at - 70)} ${shoe}`, darker(body, 0.45), 17), stroke(d`M${bolt}Q${polar(bolt, 26, at - 70)} ${shoe}`, body, 11),
    line(plus(bolt, -6, -8), plus(bolt, 10, 4), darker(body, 0.3), 18), line(plus(bolt, -6, -9), plus(bolt, 8, 2), lighter(body, 0.4), 4))
}

/** Returns rim callipers: one before the fork's crown and, where asked, one behind the seat stays' bridge. */
export function rimBrakes ({ front, rear, headLow, headAngle }: Geometry, stay: Point, tyre: number, both: boolean): string {
  const crown = polar(polar(headLow, 18, headAngle + 180), 24, headAngle - 90)
  const lean = angle(rear, stay)
  const bridge = polar(rear, rimRadius + tyre + 18, lean + 3.2)
  return calliper(crown, front, 100) + (both ? calliper(bridge, rear, lean + 8) : '')
}

/** Returns the cable of a mechanical brake in an open loop from the bar to the frame. */
export const cable = (from: Point, to: Point) =>
  stroke(d`M${from}C${plus(from, 62, 34)} ${plus(to, 74, 6)} ${to}`, '#1d2025', 5.5) +
    stroke(d`M${from}C${plus(from, 62, 34)} ${plus(to, 74, 6)} ${to}`, '#565c64', 1.4)

/** Returns a mudguard round a wheel from one angle to another, counter-clockwise. */
export function mudguard (centre: Point, radius: number, from: number, to: number): string {
  const arc = (r: number, width: number, colour: string) =>
    stroke(d`M${polar(centre, r, from)}A${r} ${r} 0 ${to - from > 180 ? 1 : 0} 0 ${polar(centre, r, to)}`, colour, width)
  const stay = (at: number) => line(centre, polar(centre, radius, at), '#6b7178', 3)
  return group({}, stay(from > 90 ? to - 30 : from + 24), stay(from > 90 ? to - 44 : to - 24), arc(radius, 11, '#26292f'),
    arc(radius + 2, 2.4, '#666c74'))
}

/** Returns a front and a rear lamp. */
export function lamps (bar: Point, seatTop: Point): string {
  const [x, y] = bar
  const glow = moulded('M0 -20L38 -17Q46 -2 38 12L0 16Q-10 -2 0 -20Z', -20, 16, '#30343a', 0.6)
  return group({}, line([x + 2, y + 4], [x + 26, y + 30], '#22252a', 11) +
    group({ transform: `translate(${x + 16} ${y + 36})` }, glow, line([38, -12], [38, 7], '#fff6cf', 7)),
  line(plus(seatTop, -22, -34), plus(seatTop, -15, -12), '#c8242b', 13))
}
