import { type Colour, darker, lighter } from './colour.ts'
import { counted } from './plane.ts'
import { d, group, type Point, stroke } from './svg.ts'

/** A point of a thing in space: to the right, ahead, up; in millimetres. */
export type Place = readonly [right: number, ahead: number, up: number]

/** Returns where a place in space shows when looked at from above and a little from one side. */
export const seen = ([right, ahead, up]: Place): Point => [right * 0.93 + ahead * 0.42, right * 0.13 - ahead * 0.36 - up * 0.92]

/** Returns the same places on the other side of the middle. */
export const mirrored = (places: readonly Place[]): Place[] => places.map(([right, ahead, up]) => [-right, ahead, up])

/** Returns a smooth way through places in space: each bend is eased towards its neighbours. */
export function smooth (places: readonly Place[]): string {
  const points = places.map(seen)
  const at = (index: number): Point => points[Math.min(points.length - 1, Math.max(0, index))] ?? [0, 0]
  const segment = (index: number) => {
    const [a, b, c, e] = [at(index - 1), at(index), at(index + 1), at(index + 2)]
    return d`C${b[0] + (c[0] - a[0]) / 6} ${b[1] + (c[1] - a[1]) / 6} ${c[0] - (e[0] - b[0]) / 6} ${c[1] - (e[1] - b[1]) / 6} ${c}`
  }
  return d`M${at(0)}` + counted(points.length - 1).map(segment).join('')
}

/** Returns a pipe through places in space, lit from above. */
export function pipe (places: readonly Place[], width: number, colour: Colour, cap: 'round' | 'butt' = 'round'): string {
  const data = smooth(places)
  const pen = (pen: Colour, share: number, lift: number) => stroke(data, pen, width * share,
    { 'stroke-linecap': cap, transform: `translate(0 ${(-width * lift).toFixed(2)})` })
  return group({}, pen(darker(colour, 0.5), 1, 0), pen(colour, 0.8, 0.05), pen(lighter(colour, 0.14), 0.42, 0.14),
    pen(lighter(colour, 0.34), 0.12, 0.24))
}
