import { type Colour, darker, lighter } from './colour.ts'
import { linear } from './gradient.ts'
import { counted, polar } from './plane.ts'
import { d, disc, group, line, type Point, ring, shape } from './svg.ts'

/** Length of half a chain link, from pin to pin, in millimetres. */
export const pitch = 12.7

/** Returns the radius at which a chain's pins lie on a ring of so many teeth. */
export const pitchRadius = (teeth: number) => pitch * teeth / (2 * Math.PI)

/** How a crankset looks: its arms, their colour and the rings' own. */
export interface CranksetLook {
  arm: Colour
  rings: Colour
  spider: number
  uneven: boolean
  shape: 'slim' | 'broad' | 'hollow' | 'round'
  gloss: number
  mark: Colour
}

/** Returns the outline of a toothed wheel: rounded teeth on its pitch circle. */
export function toothed (centre: Point, count: number, height = 4.4): string {
  const radius = pitchRadius(count)
  const step = 360 / count
  const tooth = (index: number) => {
    const at = index * step
    const [a, b, c, e] = [-0.34, -0.13, 0.13, 0.34].map((share, side) =>
      polar(centre, side === 0 || side === 3 ? radius - height * 0.75 : radius + height, at + share * step)) as [Point, Point, Point, Point]
    return (index === 0 ? d`M${a}` : d`L${a}`) + d`L${b}L${c}L${e}`
  }
  return counted(count).map(tooth).join('') + 'Z'
}

function hole (centre: Point, radius: number): string {
  const [x, y] = centre
  return d`M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`
}

/** Returns one chainring, open in the middle. */
export function chainring (centre: Point, teeth: number, colour: Colour, width = 17): string {
  const radius = pitchRadius(teeth)
  const light = linear(polar(centre, radius, 125), polar(centre, radius, -55), [[0, lighter(colour, 0.32)], [0.5, colour], [1, darker(colour, 0.35)]])
  return group({},
    light.markup,
    shape(toothed(centre, teeth) + hole(centre, radius - width), light.url, { 'fill-rule': 'evenodd' }),
    ring(centre, radius - 6, darker(colour, 0.4), 1.2, { opacity: 0.7 }),
    ring(centre, radius - width + 1, darker(colour, 0.45), 2))
}

/** Returns the spider that joins the rings to the arm, with a bolt at the end of each leg. */
export function spider (centre: Point, reach: number, look: CranksetLook, towards: number): string {
  const step = 360 / look.spider
  const leg = (index: number) => {
    const at = towards + (look.uneven ? [34, -34, 146, -146][index] ?? 0 : (index + 0.5) * step)
    const end = polar(centre, reach, at)
    const fill = linear(polar(end, 10, 90), polar(end, 10, -90), [[0, lighter(look.arm, 0.24)], [1, darker(look.arm, 0.2)]])
    const side = (share: number, spread: number, turn: number) => polar(polar(centre, reach * share, at), spread, at + turn)
    return fill.markup +
      shape(d`M${side(0.1, 24, 90)}Q${side(0.55, 9, 90)} ${side(1, 11, 90)}A11 11 0 0 1 ${side(1, 11, -90)}
        Q${side(0.55, 9, -90)} ${side(0.1, 24, -90)}Z`, fill.url) +
      disc(end, 5.4, '#d3d7db') + disc(end, 2.6, '#4b5058')
  }
  return group({}, ...counted(look.spider).map(leg))
}

/** Returns a belt's front sprocket. */
export function beltring (centre: Point, teeth: number, colour: Colour): string {
  const radius = teeth * 11 / (2 * Math.PI)
  const window = (index: number) => line(polar(centre, radius * 0.45, index * 72), polar(centre, radius * 0.84, index * 72), darker(colour, 0.1), 15)
  return group({}, ring(centre, radius - 9, colour, 18), ring(centre, radius - 3, lighter(colour, 0.25), 1.6), ...counted(5).map(window),
    disc(centre, radius * 0.36, colour))
}
