import { along, angle, between, distance, polar } from './plane.ts'
import { frameSize } from './read.ts'
import type { Point } from './svg.ts'

/** The kinds of bike that have a geometry of their own. */
export type Build = 'road' | 'gravel' | 'track' | 'trial' | 'city'

/** Radius of a 700C rim at the tyre's bead, in millimetres. */
export const rimRadius = 311

/** Height of the ground in the bike's picture; one unit is one millimetre. */
export const ground = 1210

const middle = 998

interface Measures {
  stack: number
  reach: number
  headAngle: number
  seatAngle: number
  drop: number
  chainstay: number
  rake: number
  saddleHeight: number
  slope: number
  stem: number
  rise: number
}

const measures: Record<Build, Measures> = {
  road: { stack: 560, reach: 386, headAngle: 73, seatAngle: 73.5, drop: 71, chainstay: 411, rake: 45, saddleHeight: 735, slope: 55, stem: 105, rise: 9 },
  gravel: { stack: 582, reach: 388, headAngle: 71, seatAngle: 73.5, drop: 76, chainstay: 428, rake: 50, saddleHeight: 730, slope: 88, stem: 80, rise: 11 },
  track: { stack: 555, reach: 388, headAngle: 74, seatAngle: 74, drop: 58, chainstay: 395, rake: 36, saddleHeight: 735, slope: 0, stem: 95, rise: 2 },
  trial: { stack: 520, reach: 420, headAngle: 72.5, seatAngle: 78.5, drop: 76, chainstay: 405, rake: 45, saddleHeight: 760, slope: 14, stem: 85, rise: 0 },
  city: { stack: 618, reach: 395, headAngle: 70.5, seatAngle: 73.5, drop: 74, chainstay: 447, rake: 48, saddleHeight: 728, slope: 105, stem: 78, rise: 16 }
}

/** The points of a bike in its picture, drive side towards the viewer. */
export interface Geometry {
  rear: Point
  front: Point
  bottom: Point
  headTop: Point
  headLow: Point
  seatTop: Point
  topRear: Point
  topFront: Point
  downFront: Point
  saddle: Point
  stemFoot: Point
  bar: Point
  headAngle: number
  seatAngle: number
}

/** Turns the angles of a geometry table, which are measured from the ground behind, into directions in which the tubes point upwards. */
const upwards = (row: Measures): Measures => ({ ...row, headAngle: 180 - row.headAngle, seatAngle: 180 - row.seatAngle })

/** Returns the points of a bike by its build, frame size and the outer radius of its tyres; a level top tube where it is classic. */
export function geometryOf (build: Build, size: string, wheelRadius: number, classic: boolean): Geometry {
  const row = upwards(measures[build])
  const growth = frameSize(size) - 55
  const rearY = ground - wheelRadius
  const rearX = Math.sqrt(row.chainstay ** 2 - row.drop ** 2)
  const origin: Point = [0, rearY + row.drop]
  const headTop: Point = [row.reach + growth * 3, origin[1] - row.stack - growth * 8]
  const toGround = (rearY - headTop[1] - row.rake * Math.cos(row.headAngle * Math.PI / 180)) / Math.sin(row.headAngle * Math.PI / 180)
  const front = polar(polar(headTop, toGround, row.headAngle + 180), row.rake, row.headAngle - 90)
  const shift = middle - (front[0] - rearX) / 2
  const moved = ([x, y]: Point): Point => [x + shift, y]
  return joints(row, moved(headTop), moved(origin), moved([-rearX, rearY]), moved(front), growth, toGround, classic)
}

function joints (row: Measures, headTop: Point, bottom: Point, rear: Point, front: Point, growth: number, toGround: number,
  classic: boolean): Geometry {
  const headLow = polar(headTop, toGround - 388, row.headAngle + 180)
  const topFront = along(headTop, headLow, 26)
  const slope = (classic ? 0 : row.slope) + growth * 2
  const rise = (bottom[1] - topFront[1] - slope) / Math.sin(row.seatAngle * Math.PI / 180)
  const topRear = polar(bottom, rise, row.seatAngle)
  const stemFoot = polar(headTop, 30, row.headAngle)
  return {
    rear,
    front,
    bottom,
    headTop,
    headLow,
    topFront,
    topRear,
    downFront: between(headLow, headTop, 0.22),
    seatTop: polar(topRear, 26, row.seatAngle),
    saddle: polar(bottom, row.saddleHeight + growth * 11, row.seatAngle),
    stemFoot,
    bar: polar(stemFoot, row.stem, row.rise),
    headAngle: row.headAngle,
    seatAngle: row.seatAngle
  }
}

/** Returns how far a point on the steering axis lies above the axle, for a fork drawn from it. */
export const forkLength = ({ headLow, front }: Geometry) => distance(headLow, front)

/** Returns the direction of the down tube, upwards from the bottom bracket, in degrees. */
export const downAngle = ({ bottom, downFront }: Geometry) => angle(bottom, downFront)
