import { type Colour, darker, lighter, mix } from './colour.ts'
import { disc, element, group, line, type Point } from './svg.ts'

/** Size of a part's picture in its own unit. */
export const partSize = { width: 960, height: 720 }

/** Returns a wall colour that takes a breath of the thing's own colour and stays between light and dark pages. */
export const wallColour = (colour: Colour): Colour => mix(mix('#dfe2e4', colour, 0.13), '#e2e1de', 0.25)

/** Returns a shadow on the ground: flat ellipses one in the other, so that pictures of few colours show it without bands. */
export function shadow ([cx, cy]: Point, across: number, depth: number, strength = 0.34): string {
  const ellipse = (share: number) => element('ellipse', { cx, cy, rx: across * share, ry: depth * share, fill: '#1b1f26', opacity: strength * 0.3 })
  return [0.95, 0.72, 0.46].map(ellipse).join('')
}

/** Returns a whole picture: a plain wall in a quiet colour, a paler disc on it, and the drawing. */
export function picture (width: number, height: number, colour: Colour, ...content: string[]): string {
  const wall = wallColour(colour)
  return element('svg', { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height },
    element('rect', { width, height, fill: wall }) + content.join(''))
}

/** Returns the colour of the pale field before a wall. */
export const fieldColour = (colour: Colour): Colour => lighter(wallColour(colour), 0.32)

/** Returns the pale round field that stands behind a thing. */
export const field = (centre: Point, radius: number, colour: Colour) => disc(centre, radius, fieldColour(colour))

/** Returns a repair stand that holds a frame by its seat post: foot, mast and jaws. */
export function stand ([x, y]: Point, ground: number): string {
  const mast = '#8f969e'
  return group({},
    line([x - 190, ground - 4], [x - 10, ground - 96], darker(mast, 0.2), 17), line([x + 190, ground - 4], [x + 10, ground - 96], darker(mast, 0.12), 17),
    line([x, ground - 80], [x, y], mast, 26), line([x - 6, ground - 80], [x - 6, y], lighter(mast, 0.4), 6),
    line([x - 200, ground - 4], [x - 176, ground - 4], '#33373d', 22), line([x + 176, ground - 4], [x + 200, ground - 4], '#33373d', 22))
}

/** Returns the jaws of a repair stand round a post. */
export const jaws = ([x, y]: Point) => group({},
  line([x - 20, y - 16], [x - 12, y + 22], '#c5382f', 30), line([x + 12, y - 22], [x + 20, y + 16], '#e04a3f', 30), disc([x + 2, y], 13, '#33373d'))
