import type { BrakeLook } from './brake-look.ts'
import { darker, lighter, surface } from './colour.ts'
import { linear } from './gradient.ts'
import { counted, polar } from './plane.ts'
import { d, disc, element, group, line, type Point, ring, shape, stroke } from './svg.ts'
import { taper } from './taper.ts'

/** Returns a rotor with curved arms from its carrier to a waved, drilled track. */
export function wavedRotor (centre: Point, radius: number, { arms, carrier }: BrakeLook): string {
  const count = arms * 4
  const arm = (index: number) => {
    const at = index * 360 / arms
    return taper([polar(centre, radius * 0.24, at), polar(centre, radius * 0.44, at + 4), polar(centre, radius * 0.62, at + 16),
      polar(centre, radius * 0.86, at + 34)], radius * 0.13, radius * 0.08, carrier, 0.7)
  }
  const hole = (index: number) => [0.86, 0.93].map((share, row) => disc(polar(centre, radius * share, (index + row * 0.5) * 360 / count),
    radius * 0.022, '#4f555d')).join('')
  const light = linear(polar(centre, radius, 125), polar(centre, radius, -55), [[0, '#eef0f2'], [0.45, '#b9bfc5'], [0.55, '#d9dde0'], [1, '#9aa1a8']])
  return group({}, light.markup,
    ...counted(arms).map(arm),
    ring(centre, radius * 0.9, light.url, radius * 0.2), ring(centre, radius * 0.8, '#7b828a', 2), ring(centre, radius, '#8d949c', 1.6),
    ...counted(count).map(hole),
    disc(centre, radius * 0.27, darker(carrier, 0.1)), ring(centre, radius * 0.2, lighter(carrier, 0.25), 3,
      { 'stroke-dasharray': '5 3' }), disc(centre, radius * 0.13, '#e3e5e7'))
}

/** Returns a disc calliper in its own upright place, its slot to the left where the rotor runs in. */
export function discCalliper (look: BrakeLook): string {
  const { body, mark } = look
  const fill = linear([-70, -90], [80, 120], [[0, lighter(body, 0.34)], [0.45, body], [1, darker(body, 0.42)]])
  const cap = (y: number) => disc([18, y], 35, darker(body, 0.25)) + ring([18, y], 29, mark, 3) +
    element('circle', { cx: 18, cy: y, r: 14, fill: darker(body, 0.5) })
  const line4 = look.hose === 'hose'
    ? stroke('M34 -96C40 -150 70 -196 150 -222', '#17191d', 15) + stroke('M34 -96C40 -150 70 -196 150 -222', '#4f555d', 3) +
      line([34, -92], [36, -120], surface.steel, 21)
    : stroke('M64 -70C90 -140 100 -190 150 -222', '#17191d', 11) + line([62, -66], [74, -98], surface.steel, 17) +
      taper([[62, 60], [98, 20], [96, -30], [66, -64]], 30, 20, body) + disc([64, -62], 11, surface.steel)
  return group({}, line4, fill.markup,
    shape('M-58 -74C-58 -98 -34 -108 0 -106L38 -100C66 -96 76 -74 74 -40L72 78C72 108 50 122 18 122L-22 120C-48 118 -60 104 -58 78L-30 70L-30 -66Z', fill.url),
    ...(look.pistons === 4 ? [-44, 54].map(cap) : [cap(4)]),
    ...[-84, 102].map(y => disc([-28, y], 12, surface.steel) + disc([-28, y], 5, '#3a3e45')),
    line([54, 40], [54, 84], mark, 7), shape('M-54 -60L-34 -54L-34 62L-54 66Z', '#121418'))
}

function pad (x: number, side: 1 | -1, look: BrakeLook): string {
  return group({}, shape(d`M${x} 118l${side * -34} -4l0 54l${side * 34} 6Z`, '#1b1d21'), line([x + side * 6, 128], [x + side * 6, 160], look.mark, 8),
    disc([x + side * 16, 144], 14, surface.steel), disc([x + side * 16, 144], 6, '#3a3e45'))
}

/** Returns a dual-pivot rim calliper seen from ahead, its bolt at the origin. */
export function rimCalliper (look: BrakeLook): string {
  const { body, mark, skeletal } = look
  const width = skeletal ? 27 : 44
  const left = taper([[70, -52], [-60, -92], [-150, -40], [-100, 140]], width, width * 0.72, body)
  const right = taper([[-64, -20], [50, -86], [146, -50], [100, 140]], width * 1.05, width * 0.72, lighter(body, 0.06))
  const arm = taper([[70, -50], [100, -70], [120, -92], [136, -124]], width * 0.8, width * 0.55, body)
  const lines = skeletal
    ? stroke('M60 -54C-40 -84 -120 -30 -96 90', darker(body, 0.5), 5) +
    stroke('M-52 -22C50 -70 118 -40 96 90', mark, 5)
    : stroke('M-88 10C-92 50 -90 80 -92 110', mark, 6) + stroke('M94 0C96 50 92 80 92 110', mark, 6)
  return group({},
    stroke('M134 -240L134 -116', '#17191d', 15), stroke('M134 -240L134 -116', '#4f555d', 3), line([134, -150], [134, -128], surface.steel, 22),
    line([134, -120], [-58, -24], surface.steel, 4),
    left, arm, right, lines,
    disc([-62, -22], 21, darker(body, 0.2)), disc([-62, -22], 11, surface.steel), disc([68, -52], 21, darker(body, 0.2)), disc([68, -52], 11, surface.steel),
    disc([0, -54], 27, darker(body, 0.3)), disc([0, -54], 16, surface.steel), element('path',
      { d: 'M-7 -58L0 -62L7 -58L7 -50L0 -46L-7 -50Z', fill: '#3a3e45' }),
    pad(-88, -1, look), pad(88, 1, look))
}
