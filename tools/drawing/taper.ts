import { type Colour, darker, lighter } from './colour.ts'
import { linear } from './gradient.ts'
import { counted } from './plane.ts'
import { d, type Point, shape } from './svg.ts'

/** A cubic curve: where it starts, its two handles, where it ends. */
export type Curve = readonly [Point, Point, Point, Point]

function at ([a, b, c, e]: Curve, share: number): Point {
  const rest = 1 - share
  const blend = (axis: 0 | 1) =>
    a[axis] * rest ** 3 + 3 * b[axis] * rest ** 2 * share + 3 * c[axis] * rest * share ** 2 + e[axis] * share ** 3
  return [blend(0), blend(1)]
}

function edge (curve: Curve, start: number, end: number, side: 1 | -1): Point[] {
  return counted(13).map(index => {
    const share = index / 12
    const [before, here, after] = [at(curve, share - 0.01), at(curve, share), at(curve, share + 0.01)]
    const length = Math.hypot(after[0] - before[0], after[1] - before[1])
    const half = side * (start + (end - start) * share) / 2
    return [here[0] - (after[1] - before[1]) / length * half, here[1] + (after[0] - before[0]) / length * half]
  })
}

/** Returns a bent blade along a curve, tapering from one width to another, shaded across its middle. */
export function taper (curve: Curve, start: number, end: number, colour: Colour, gloss = 1): string {
  const left = edge(curve, start, end, 1)
  const right = edge(curve, start, end, -1).reverse()
  const [first, ...others] = [...left, ...right]
  const [one, other] = [left[6], right[6]]
  if (first === undefined || one === undefined || other === undefined) return ''
  const oneIsLit = one[1] + one[0] * 0.5 < other[1] + other[0] * 0.5
  const fill = linear(oneIsLit ? one : other, oneIsLit ? other : one, [
    [0, lighter(colour, 0.06)], [0.25, lighter(colour, 0.1 + 0.26 * gloss)], [0.5, colour], [1, darker(colour, 0.4)]
  ])
  return fill.markup + shape(d`M${first}` + others.map(point => d`L${point}`).join('') + 'Z', fill.url, { 'stroke-linejoin': 'round' })
}
