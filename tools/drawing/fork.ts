import { type Colour, darker, surface } from './colour.ts'
import { forkLength, type Geometry } from './geometry.ts'
import { between, polar } from './plane.ts'
import { disc, group, type Point, ring } from './svg.ts'
import { type Curve, taper } from './taper.ts'
import { tube } from './tube.ts'

/** How a fork is built: its blades' width at crown and axle, bent or straight, one leg on the far side or two. */
export interface ForkLook { width: [number, number], bent: boolean, single: boolean, colour: Colour, gloss: number }

function leg (points: Geometry, { bent }: ForkLook): Curve {
  const { headLow, front, headAngle } = points
  const length = forkLength(points)
  const down = (share: number): Point => polar(headLow, length * share, headAngle + 180)
  return bent
    ? [headLow, down(0.5), down(0.86), front]
    : [headLow, between(down(0.3), front, 0.1), between(down(0.6), front, 0.5), front]
}

/** Returns the far leg of a fork, which stands behind the wheel. */
export function farLeg (points: Geometry, look: ForkLook): string {
  const { headLow, headTop, front, headAngle } = points
  if (!look.single) return taper(leg(points, look), look.width[0], look.width[1], darker(look.colour, 0.35), 0.3)
  const foot = polar(front, 12, headAngle)
  const knee = between(headLow, foot, 0.52)
  return group({},
    tube(knee, foot, 44, 38, '#3a3e45', 0.8),
    tube(between(headTop, headLow, 0.9), knee, 58, 54, look.colour, look.gloss),
    tube(foot, front, 40, 34, look.colour, look.gloss))
}

/** Returns the near leg with the crown and the axle's end; a single-sided fork shows its crown and the open hub. */
export function nearLeg (points: Geometry, look: ForkLook, through: boolean): string {
  const { headLow, front, headAngle } = points
  const crown = tube(polar(headLow, 2, headAngle + 180), polar(headLow, 34, headAngle + 180), look.width[0] + 8, look.width[0] - 1, look.colour,
    look.gloss, 'flat')
  const end = through
    ? disc(front, 15, darker(look.colour, 0.1)) + disc(front, 10, surface.black) + ring(front, 6, surface.alloy, 2)
    : disc(front, 13, surface.alloy) + disc(front, 7, '#30343a') + disc(front, 4, surface.steel)
  if (look.single) return group({}, crown, disc(front, 13, surface.alloy), disc(front, 8, surface.black))
  return group({}, taper(leg(points, look), look.width[0], look.width[1], look.colour, look.gloss), crown, end)
}
