import { type Colour, darker, lighter } from './colour.ts'
import { linear } from './gradient.ts'
import { distance } from './plane.ts'
import { d, group, type Point, shape, stroke } from './svg.ts'

const around = ([x, y]: Point, [across, down]: Point, width: number): [Point, Point] =>
  [[x + across * width / 2, y + down * width / 2], [x - across * width / 2, y - down * width / 2]]

/** Returns the direction across a line that faces the light, which falls from above and behind. */
function towardsLight (from: Point, to: Point): Point {
  const length = distance(from, to)
  const across: Point = [(from[1] - to[1]) / length, (to[0] - from[0]) / length]
  return across[1] + across[0] * 0.5 > 0 ? [-across[0], -across[1]] : across
}

/** Returns a fill that makes a straight tube look round, lit from above and behind. */
export function tubeFill (from: Point, to: Point, width: number, colour: Colour, gloss = 1) {
  const across = towardsLight(from, to)
  const [light, shade] = around([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2], across, width)
  return linear(light, shade, [
    [0, lighter(colour, 0.08)],
    [0.22, lighter(colour, 0.1 + 0.3 * gloss)],
    [0.45, colour],
    [0.75, darker(colour, 0.16)],
    [1, darker(colour, 0.42)]
  ])
}

/** Returns a tube that tapers from one width to another, its ends round or cut flat. */
export function tube (from: Point, to: Point, start: number, end: number, colour: Colour, gloss = 1, ends: 'round' | 'flat' = 'round'): string {
  const fill = tubeFill(from, to, Math.max(start, end), colour, gloss)
  const across = towardsLight(from, to)
  const [a, b] = around(from, across, start)
  const [c, e] = around(to, across, end)
  const turn = (b[0] - a[0]) * (to[1] - from[1]) - (b[1] - a[1]) * (to[0] - from[0]) > 0 ? 0 : 1
  const outline = ends === 'flat'
    ? d`M${a}L${c}L${e}L${b}Z`
    : d`M${a}L${c}A${end / 2} ${end / 2} 0 0 ${turn} ${e}L${b}A${start / 2} ${start / 2} 0 0 ${turn} ${a}Z`
  return fill.markup + shape(outline, fill.url)
}

/** Returns a bent rod along path data: a shaded body and one line of light. */
export function rod (data: string, width: number, colour: Colour, gloss = 1): string {
  return group({},
    stroke(data, darker(colour, 0.4), width),
    stroke(data, colour, width * 0.74, { transform: `translate(0 ${-width * 0.07})` }),
    stroke(data, lighter(colour, 0.16 + 0.24 * gloss), width * 0.2, { transform: `translate(0 ${(-width * 0.2).toFixed(2)})` })
  )
}

/** Returns a closed outline filled from a light top to a shaded foot. */
export function moulded (data: string, top: number, foot: number, colour: Colour, gloss = 1): string {
  const fill = linear([0, top], [0, foot], [
    [0, lighter(colour, 0.14 + 0.2 * gloss)],
    [0.35, colour],
    [1, darker(colour, 0.38)]
  ])
  return fill.markup + shape(data, fill.url)
}
