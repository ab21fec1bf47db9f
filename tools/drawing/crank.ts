import type { CranksetLook } from './chainring.ts'
import { darker, lighter, surface } from './colour.ts'
import { linear } from './gradient.ts'
import { between, polar } from './plane.ts'
import { d, disc, group, line, type Point, ring, shape, stroke } from './svg.ts'

const widths: Record<CranksetLook['shape'], readonly [number, number]> = {
  slim: [28, 21], round: [32, 25], broad: [42, 30], hollow: [46, 30]
}

/** Returns a crank arm from its axle to the pedal's, with its length in millimetres. */
export function crankArm (centre: Point, angle: number, length: number, look: CranksetLook): string {
  const end = polar(centre, length, angle)
  const [root, tip] = widths[look.shape]
  const side = (share: number, spread: number, turn: number): Point => polar(polar(centre, length * share, angle), spread, angle + turn)
  const waist = look.shape === 'slim' ? 0.38 : 0.45
  const body = d`M${side(0, root / 2, 90)}C${side(0.3, root * waist, 90)} ${side(0.6, tip * 0.42, 90)} ${side(1, tip / 2, 90)}
    A${tip / 2} ${tip / 2} 0 0 1 ${side(1, tip / 2, -90)}` +
    d`C${side(0.6, tip * 0.42, -90)} ${side(0.3, root * waist, -90)} ${side(0, root / 2, -90)}
      A${root / 2} ${root / 2} 0 0 1 ${side(0, root / 2, 90)}Z`
  const light = linear(side(0.5, root / 2, 90), side(0.5, root / 2, -90), [
    [0, lighter(look.arm, 0.12)], [0.3, lighter(look.arm, 0.14 + 0.26 * look.gloss)], [0.55, look.arm], [1, darker(look.arm, 0.42)]
  ])
  const detail = look.shape === 'hollow'
    ? stroke(d`M${side(0.2, 5, -90)}L${side(0.86, 3, -90)}`, darker(look.arm, 0.35), 7, { opacity: 0.55 })
    : look.shape === 'broad' ? line(side(0.24, 3, -90), side(0.8, 2, -90), lighter(look.arm, 0.2), 2, { opacity: 0.8 }) : ''
  return group({}, light.markup, shape(body, light.url), detail,
    line(side(0.44, 1, 90), side(0.66, 1, 90), look.mark, 4, { opacity: 0.85, 'stroke-linecap': 'butt' }),
    disc(end, tip * 0.3, darker(look.arm, 0.35)), disc(end, tip * 0.16, surface.alloy),
    disc(centre, root * 0.36, darker(look.arm, 0.3)), ring(centre, root * 0.3, lighter(look.arm, 0.3), 1.6), disc(centre, root * 0.15, '#14161a'))
}

/** Returns a clipless road pedal, or a platform where the bike is for the town, seen from the side. */
export function pedal (axle: Point, platform: boolean): string {
  const [x, y] = axle
  if (platform) {
    return shape(d`M${x - 48} ${y - 9}L${x + 48} ${y - 9}Q${x + 52} ${y} ${x + 48} ${y + 9}L${x - 48} ${y + 9}Q${x - 52} ${y} ${x - 48} ${y - 9}Z`, '#2b2e34') +
      line([x - 40, y - 5], [x + 40, y - 5], '#70767e', 2) + disc(axle, 6, surface.alloy)
  }
  return shape(d`M${x - 40} ${y - 3}C${x - 30} ${y - 14} ${x + 10} ${y - 12} ${x + 46} ${y - 9}Q${x + 52} ${y - 3} ${x + 42} ${y + 2}
    C${x + 20} ${y + 16} ${x - 12} ${y + 14} ${x - 40} ${y - 3}Z`, '#2b2e34') +
    line(between(axle, [x - 30, y - 6], 1), [x + 40, y - 6], '#6b7178', 2) + disc(axle, 6.5, surface.alloy) + disc(axle, 3, '#3a3e45')
}
