import { type Colour, darker, lighter, mix } from './colour.ts'
import { radial } from './gradient.ts'
import { disc, element, group, line, type Point } from './svg.ts'

/** Size of a part's picture in its own unit. */
export const partSize = { width: 960, height: 720 }

/** Gives a wall colour that takes a breath of the thing's own colour and stays between light and dark pages. */
export const wallColour = (colour: Colour): Colour => mix(mix('#dfe2e4', colour, 0.1), '#e2e1de', 0.25)

/** Gives a soft shadow on the ground: an ellipse that fades outwards. */
export function shadow ([x, y]: Point, across: number, depth: number, strength = 0.34): string {
  const fade = radial([0, 0], 1, [[0, '#1b1f26', strength], [0.55, '#1b1f26', strength * 0.45], [1, '#1b1f26', 0]])
  return fade.markup + element('ellipse', { cx: 0, cy: 0, rx: 1, ry: 1, fill: fade.url, transform: `translate(${x} ${y}) scale(${across} ${depth})` })
}

/** Gives a whole picture: a plain wall in a quiet colour, a paler disc on it, and the drawing. */
export function picture (width: number, height: number, colour: Colour, ...content: string[]): string {
  const wall = wallColour(colour)
  return element('svg', { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height },
    element('rect', { width, height, fill: wall }) + content.join(''))
}

/** Gives the pale round field that stands behind a thing. */
export const field = (centre: Point, radius: number, colour: Colour) => disc(centre, radius, lighter(wallColour(colour), 0.32))

/** Gives a repair stand that holds a frame by its seat post: foot, mast and jaws. */
export function stand ([x, y]: Point, ground: number): string {
  const mast = '#8f969e'
  return group({},
    line([x - 190, ground - 4], [x - 10, ground - 96], darker(mast, 0.2), 17), line([x + 190, ground - 4], [x + 10, ground - 96], darker(mast, 0.12), 17),
    line([x, ground - 80], [x, y], mast, 26), line([x - 6, ground - 80], [x - 6, y], lighter(mast, 0.4), 6),
    line([x - 200, ground - 4], [x - 176, ground - 4], '#33373d', 22), line([x + 176, ground - 4], [x + 200, ground - 4], '#33373d', 22))
}

/** Gives the jaws of a repair stand round a post. */
export const jaws = ([x, y]: Point) => group({},
  line([x - 20, y - 16], [x - 12, y + 22], '#c5382f', 30), line([x + 12, y - 22], [x + 20, y + 16], '#e04a3f', 30), disc([x + 2, y], 13, '#33373d'))
