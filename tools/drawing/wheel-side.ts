import { type Colour, darker, lighter, lightness, mix, surface } from './colour.ts'
import { rimRadius } from './geometry.ts'
import { linear } from './gradient.ts'
import { between, counted, polar } from './plane.ts'
import { d, disc, element, group, line, type Point, ring, shape, stroke } from './svg.ts'

/** One wheel as it is seen from the side, in millimetres. */
export interface WheelLook {
  depth: number
  spokes: number
  hub: number
  rim: Colour
  accent: Colour
  wire: Colour
  wireWidth: number
  brakeTrack: boolean
  wired: boolean
}

function rimBody (centre: Point, { depth, rim, brakeTrack }: WheelLook): string {
  const width = depth + 5
  const light = linear([centre[0] - 200, centre[1] - 300], [centre[0] + 200, centre[1] + 300], [
    [0, lighter(rim, 0.3)], [0.35, rim], [0.65, darker(rim, 0.25)], [1, lighter(rim, 0.1)]
  ])
  const inner = rimRadius - depth
  const track = lightness(rim) > 0.5 ? '#e3e6e9' : surface.alloy
  return group({},
    light.markup,
    ring(centre, inner + width / 2, light.url, width),
    ring(centre, inner + 1.5, darker(rim, 0.45), 3),
    ring(centre, inner + 5, lighter(rim, 0.28), 1.5, { opacity: 0.6 }),
    brakeTrack ? ring(centre, rimRadius - 5, track, 12) + ring(centre, rimRadius - 11.5, darker(rim, 0.5), 1.2) : ''
  )
}

function decals (centre: Point, { depth, accent }: WheelLook): string {
  const radius = rimRadius - depth / 2 - 3
  const arc = (from: number, to: number, width: number) =>
    stroke(d`M${polar(centre, radius, from)}A${radius} ${radius} 0 0 0 ${polar(centre, radius, to)}`, accent, width,
      { 'stroke-linecap': 'butt', opacity: 0.85 })
  const width = depth * 0.24
  return [70, 250].map(at => arc(at, at + 30, width) + arc(at + 33, at + 37, width) + arc(at + 40, at + 42, width)).join('')
}

function wires (centre: Point, { spokes, hub, depth, wire, wireWidth }: WheelLook): string {
  const lean = spokes >= 28 ? 66 : spokes >= 20 ? 52 : 30
  const one = (index: number) => {
    const at = 90 + (index + 0.5) * 360 / spokes
    const side = index % 2 === 0 ? 1 : -1
    return line(polar(centre, hub * 0.86, at + side * lean), polar(centre, rimRadius - depth + 2, at), wire, wireWidth, { 'stroke-linecap': 'butt' })
  }
  return group({}, ...counted(spokes).map(one))
}

function blades (centre: Point, { spokes, depth, rim, hub }: WheelLook): string {
  const rimAt = rimRadius - depth + 14
  const one = (index: number) => {
    const at = 90 + index * 360 / spokes
    const foot = [polar(centre, hub * 1.1, at - 62), polar(centre, hub * 1.1, at + 62)] as const
    const waist = [polar(centre, rimAt * 0.55, at - 7), polar(centre, rimAt * 0.55, at + 7)] as const
    const head = [polar(centre, rimAt, at - 17), polar(centre, rimAt, at + 17)] as const
    const near = [polar(centre, rimAt * 0.86, at - 7), polar(centre, rimAt * 0.86, at + 7)] as const
    const fill = linear(waist[0], waist[1], [[0, darker(rim, 0.3)], [0.4, lighter(rim, 0.22)], [1, darker(rim, 0.15)]])
    return fill.markup + shape(d`M${foot[0]}C${waist[0]} ${near[0]} ${head[0]}L${head[1]}C${near[1]} ${waist[1]} ${foot[1]}Z`, fill.url)
  }
  return group({}, ...counted(spokes).map(one))
}

function solid (centre: Point, { depth, rim, accent }: WheelLook): string {
  const edge = rimRadius - depth
  const light = linear(polar(centre, edge, 125), polar(centre, edge, -55), [
    [0, lighter(rim, 0.3)], [0.45, rim], [0.5, lighter(rim, 0.12)], [0.55, rim], [1, darker(rim, 0.35)]
  ])
  const band = (at: number) => {
    const [a, b] = [polar(centre, edge * 0.8, at), polar(centre, edge * 0.8, at + 62)]
    return stroke(d`M${a}A${edge * 0.8} ${edge * 0.8} 0 0 0 ${b}`, accent, 13, { 'stroke-linecap': 'butt', opacity: 0.85 })
  }
  return group({}, light.markup, disc(centre, edge + 3, light.url), ring(centre, edge * 0.34, mix(rim, '#ffffff', 0.14), 1.5),
    band(60), band(240), disc(polar(centre, edge * 0.62, -75), 11, darker(rim, 0.6)))
}

function hubShell (centre: Point, { hub, wired, rim }: WheelLook): string {
  const metal = wired ? surface.graphite : darker(rim, 0.2)
  const light = linear(polar(centre, hub, 90), polar(centre, hub, -90), [[0, lighter(metal, 0.3)], [1, darker(metal, 0.4)]])
  return light.markup + disc(centre, hub, light.url) + ring(centre, hub * 0.62, lighter(metal, 0.25), 1.2, { opacity: 0.7 }) +
    disc(centre, 8.5, darker(metal, 0.55))
}

/** Returns a wheel without its tyre: rim, then wires, blades or a closed disc, then the hub. */
export function wheelSide (centre: Point, look: WheelLook): string {
  const filling = look.spokes === 0 ? solid : look.wired ? wires : blades
  return group({}, filling(centre, look), rimBody(centre, look), look.depth >= 28 && look.spokes > 0 ? decals(centre, look) : '',
    hubShell(centre, look))
}

/** Returns a brake rotor with arms and rows of vents. */
export function rotor (centre: Point, radius: number): string {
  const arm = (index: number) => line(polar(centre, 17, index * 60 + 20), polar(centre, radius - 16, index * 60), surface.graphite, 7)
  const hole = (index: number) => disc(polar(centre, radius - 7 + (index % 2) * 4 - 2, index * 22.5), 3, '#5d636b')
  return group({}, ring(centre, radius - 7, surface.steel, 14), ring(centre, radius - 0.8, '#868d95', 1.6), ring(centre, radius - 14, '#868d95', 1.4),
    ...counted(16).map(hole), ...counted(6).map(arm), disc(centre, 22, surface.black))
}

/** Returns the empty outline that stands for a wheel where there is none. */
export function noWheel (centre: Point, radius: number, colour: Colour): string {
  const dash = (r: number, width: number, pattern: string) => ring(centre, r, colour, width,
    { 'stroke-dasharray': pattern, 'stroke-linecap': 'round' })
  const cross = element('g', {},
    line(between(centre, polar(centre, 22, 180), 1), polar(centre, 22, 0), colour, 5) +
    line(polar(centre, 22, 90), polar(centre, 22, -90), colour, 5))
  return dash(radius, 7, '26 22') + dash(radius - 42, 4, '14 18') + cross
}
