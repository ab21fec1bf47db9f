import type { Point } from './svg.ts'

const degrees = Math.PI / 180

/** Returns the point at a distance from another; 0° points forward, 90° points up. */
export const polar = ([x, y]: Point, distance: number, angle: number): Point =>
  [x + distance * Math.cos(angle * degrees), y - distance * Math.sin(angle * degrees)]

/** Returns the point a share of the way between two points; a share above 1 lies beyond the second. */
export const between = (from: Point, to: Point, share: number): Point =>
  [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]

/** Returns the sum of a point and an offset. */
export const plus = (point: Point, x: number, y: number): Point => [point[0] + x, point[1] + y]

/** Returns the distance between two points. */
export const distance = (from: Point, to: Point) => Math.hypot(to[0] - from[0], to[1] - from[1])

/** Returns the direction from one point to another in degrees; 90 points up. */
export const angle = (from: Point, to: Point) => Math.atan2(from[1] - to[1], to[0] - from[0]) / degrees

/** Returns the point on the line between two points that lies at a distance from the first. */
export const along = (from: Point, to: Point, length: number): Point => between(from, to, length / distance(from, to))

/** Returns the whole numbers from 0 to below the count. */
export const counted = (count: number) => Array.from({ length: count }, (_, index) => index)
