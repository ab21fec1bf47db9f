import { type Colour, darker, lighter, surface } from './colour.ts'
import type { Geometry } from './geometry.ts'
import { linear } from './gradient.ts'
import { angle, between, counted, polar } from './plane.ts'
import { d, disc, group, line, type Point, ring, shape } from './svg.ts'
import { tube } from './tube.ts'

/** Where the help comes from: at the bottom bracket or in the rear hub. */
export type Motor = 'middle' | 'hub'

function casing ({ bottom, downFront, seatTop }: Geometry, colour: Colour): string {
  const [forward, up] = [angle(bottom, downFront), angle(bottom, seatTop)]
  const at = (reach: number, degrees: number): Point => polar(bottom, reach, degrees)
  const fill = linear(at(90, 80), at(90, -100), [[0, lighter(colour, 0.22)], [0.5, colour], [1, darker(colour, 0.4)]])
  const fin = (index: number) => line(at(48 + index * 11, forward - 46), at(48 + index * 11, forward - 20), darker(colour, 0.45), 3)
  return group({}, fill.markup,
    shape(d`
      M${at(112, up + 12)}
      C${at(96, up + 40)} ${at(88, 180)} ${at(70, 205)}
      C${at(84, 240)} ${at(92, 290)} ${at(104, forward - 62)}
      C${at(132, forward - 44)} ${at(158, forward - 30)} ${at(176, forward - 16)}
      L${at(166, forward + 14)}
      C${at(110, forward + 28)} ${at(96, up - 24)} ${at(112, up - 12)}Z`, fill.url),
    ...counted(4).map(fin))
}

function battery ({ bottom, downFront }: Geometry, width: number, taken: boolean): string {
  const [from, to] = [between(bottom, downFront, 0.3), between(bottom, downFront, 0.86)]
  if (!taken) {
    return line(between(from, to, 0.1), to, '#0f1114', 2, { opacity: 0.45 }) + disc(between(bottom, downFront, 0.22), 9, '#16181c') +
    ring(between(bottom, downFront, 0.22), 9, surface.graphite, 2)
  }
  return group({}, tube(from, to, width * 0.62, width * 0.62, '#24272d', 0.5),
    line(between(from, to, 0.04), between(from, to, 0.13), '#3d4249', width * 0.5, { 'stroke-linecap': 'butt' }), disc(between(from, to, 0.085), 5, surface.steel),
    ...counted(4).map(index => disc(between(from, to, 0.86 + index * 0.03), 4, index < 3 ? '#62d27a' : '#4c525a')))
}

/** Returns the motor's casing and the battery of the down tube: one that comes out, or the port of one built in. */
export function motorOn (points: Geometry, motor: Motor, downWidth: number, takenOut: boolean, colour: Colour): string {
  const { topRear, topFront } = points
  const light = between(topRear, topFront, 0.82)
  return group({}, motor === 'middle' ? casing(points, darker(colour, 0.35)) : '', battery(points, downWidth, takenOut),
    line(polar(light, 15, 180), polar(light, 15, 0), '#101216', 8), line(polar(light, 11, 180), polar(light, 3, 0), '#57d3e8', 3.4))
}

/** Returns the wide body of a hub motor at the rear axle. */
export function hubMotor (centre: Point): string {
  const light = linear(polar(centre, 76, 90), polar(centre, 76, -90), [[0, '#6a7078'], [0.5, '#33373d'], [1, '#191b1f']])
  const bolt = (index: number) => disc(polar(centre, 66, index * 45), 3, '#9aa1a8')
  return group({}, light.markup, disc(centre, 76, light.url), ring(centre, 71, '#7b828a', 1.6, { opacity: 0.7 }), ...counted(8).map(bolt),
    disc(centre, 26, '#1d1f24'))
}
