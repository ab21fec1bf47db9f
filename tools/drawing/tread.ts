import { counted } from './plane.ts'
import { says } from './read.ts'
import { d, group, line, type Point, shape } from './svg.ts'

type Rows = (row: number) => string

/** Returns the place on the bulging front of a tyre: across from -1 to 1, round from -90° to 90°. */
type Bulge = (across: number, round: number) => Point

const block = (at: Bulge, [left, right]: [number, number], [low, high]: [number, number], lean = 0): string =>
  shape(d`M${at(left, low + lean)}L${at(right, low)}L${at(right, high)}L${at(left, high + lean)}Z`, '#565a61',
    { stroke: '#111317', 'stroke-width': 2.4 })

const groove = (from: Point, to: Point, width = 3) => line(from, to, '#0d0f12', width, { opacity: 0.9 })

function mirrored (one: (side: 1 | -1) => string): string {
  return one(1) + one(-1)
}

function pattern (at: Bulge, text: string): { step: number, row: Rows } {
  const knob = (side: 1 | -1, from: number, to: number, row: number, size: number) => block(at, [side * from, side * to], [row, row + size],
    side * 1.2)
  const rows: ReadonlyArray<readonly [words: string, step: number, row: Rows]> = [
    ['low diamond', 4, row => counted(7).map(index => {
      const [x, y] = at(-0.78 + index * 0.26, row + (index % 2) * 2)
      return shape(d`M${x - 11} ${y}L${x} ${y - 8}L${x + 11} ${y}L${x} ${y + 8}Z`, '#5a5e65', { stroke: '#111317', 'stroke-width': 2 })
    }).join('')],
    ['fish', 5, row => counted(5).map(index => {
      const [x, y] = at(-0.4 + index * 0.2, row + (index % 2) * 2.5)
      return shape(d`M${x - 15} ${y - 6}Q${x} ${y + 20} ${x + 15} ${y - 6}Q${x} ${y + 4} ${x - 15} ${y - 6}Z`, '#54585f',
        { stroke: '#111317', 'stroke-width': 2 })
    }).join('') + mirrored(side => knob(side, 0.62, 0.96, row, 3.4))],
    ['tall side', 6, row => counted(9).map(index => groove(at(-0.44 + index * 0.11, row), at(-0.44 + index * 0.11, row + 3),
      2)).join('') + mirrored(side => knob(side, 0.56, 0.76, row, 4) + knob(side, 0.8, 1, row + 2, 4))],
    ['smooth centre', 5.5, row => mirrored(side => knob(side, 0.46, 0.66, row, 3) + knob(side, 0.7, 0.98, row + 1.4, 3.8))],
    ['small round', 5, row => counted(8).map(index => {
      const [x, y] = at(-0.84 + index * 0.24, row + (index % 2) * 2.5)
      return shape(d`M${x - 8} ${y}a8 7 0 1 0 16 0a8 7 0 1 0 -16 0Z`, '#63676e', { stroke: '#0f1114', 'stroke-width': 2 })
    }).join('')],
    ['medium blocks', 8, row => block(at, [-0.16, 0.16],
      [row, row + 4]) + mirrored(side => knob(side, 0.24, 0.5, row + 3.4, 4.4) + knob(side, 0.6, 0.96, row, 5))],
    ['shallow blocks', 7, row => mirrored(side => knob(side, 0.05, 0.4, row, 5.6) + knob(side, 0.46, 0.9, row + 3, 5.6))],
    ['longitudinal', 180,
      () => [-0.55, -0.2, 0.2, 0.55].map(across => counted(17).map(index => groove(at(across, -85 + index * 10), at(across, -75 + index * 10),
        6)).join('')).join('')],
    ['shallow grooves', 9,
      row => mirrored(side => groove(at(side * 0.1, row), at(side * 0.75, row + 8), 5) +
      groove(at(side * 0.5, row + 1), at(side * 0.9, row + 5), 3))],
    ['herringbone', 3.4, row => mirrored(side => groove(at(side * 0.04, row + 4), at(side * 0.44, row), 2.6) +
      groove(at(side * 0.5, row), at(side * 0.86, row + 4), 2.6))],
    ['file', 3, row => counted(11).map(index => groove(at(-0.8 + index * 0.16, row), at(-0.72 + index * 0.16, row + 2.4), 1.8)).join('')],
    ['small sipes', 11, row => mirrored(side => groove(at(side * 0.5, row), at(side * 0.72, row + 5), 3.4))],
    ['side grooves', 12, row => mirrored(side => groove(at(side * 0.36, row + 6), at(side * 0.88, row), 4.4) +
      groove(at(side * 0.62, row + 9), at(side * 0.88, row + 6), 3))],
    ['shoulder', 6, row => mirrored(side => groove(at(side * 0.6, row), at(side * 0.94, row + 2), 3))]
  ]
  const found = rows.find(([words]) => says(words, text))
  return found ? { step: found[1], row: found[2] } : { step: 180, row: () => mirrored(side => groove(at(side * 0.9, -70), at(side * 0.9, 70), 1.6)) }
}

/** Returns the tread that a pattern's words name, laid round the front of a tyre: rows draw together towards top and bottom. */
export function tread ([x, y]: Point, half: number, height: number, text: string): string {
  const at: Bulge = (across, round) => {
    const turn = round * Math.PI / 180
    return [x + half * Math.sin(across * Math.PI / 2 * 0.86) / Math.sin(Math.PI / 2 * 0.86) * (0.9 + 0.1 * Math.cos(turn)),
      y + height * Math.sin(turn)]
  }
  const { step, row } = pattern(at, text)
  return group({}, ...counted(Math.floor(152 / step) || 1).map(index => row(-76 + index * step)))
}
