import { field, partSize, picture, shadow } from './backdrop.ts'
import { type Colour, darker, lighter } from './colour.ts'
import { type HandlebarLook, handlebarOf } from './handlebar-look.ts'
import { says } from './read.ts'
import type { MakeRecord } from './records.ts'
import { d, disc, group, shape } from './svg.ts'
import { mirrored, pipe, type Place, seen } from './space.ts'

interface Finish { bare: Colour, tape: Colour, mark: Colour }

const marks: Record<string, Colour> = {
  canyon: '#d5d8db',
  bontrager: '#7b828a',
  specialized: '#c9473f',
  '3t': '#e5533c',
  cinelli: '#3f86c4',
  deda: '#d0342c',
  'profile design': '#4d9a68',
  vision: '#e8c81e',
  ritchey: '#d0342c',
  fsa: '#9aa1a8',
  zipp: '#c8ccd1',
  most: '#b86b3a',
  giant: '#2f7fc0'
}

function dropHalf ({ flare, shallow }: HandlebarLook, own: number): Place[] {
  const out = flare ? 62 : 8
  const reach = 74 + own % 3 * 5
  const fall = shallow ? 112 : flare ? 116 : 132
  return [[150, 0, 0], [182, 4, 0], [200, 28, -1], [204, reach - 14, -6], [205 + out * 0.18, reach + 6, -24], [206 + out * 0.45, reach + 4, -52],
    [207 + out * 0.75, reach - 26, -fall * 0.82], [208 + out * 0.92, reach - 66, -fall], [210 + out, reach - 116, -fall - 3]]
}

function drop (look: HandlebarLook, { bare, tape, mark }: Finish, own: number): string {
  const half = dropHalf(look, own)
  const top: Place[] = [[-160, 0, 0], [-70, 0, 0], [0, 0, 0], [70, 0, 0], [160, 0, 0]]
  const wing = look.deep ? pipe([[-178, 6, 0], [-60, 0, 0], [60, 0, 0], [178, 6, 0]], 46, bare, 'round') : ''
  return group({}, pipe(mirrored(half), 31, tape), look.deep ? wing : pipe(top, 25, bare), pipe(half, 31, tape), clampAndStem(look, bare, mark),
    ...ends(half, mark))
}

function ends (half: readonly Place[], mark: Colour): string[] {
  const last = half.at(-1) ?? [0, 0, 0]
  return [last, ...mirrored([last])].map(place => disc(seen(place), 13, '#1b1d21') + disc(seen(place), 8, mark))
}

function clampAndStem ({ oneWithStem, deep }: HandlebarLook, bare: Colour, mark: Colour): string {
  const [x, y] = seen([0, 0, 0])
  if (oneWithStem) {
    return pipe([[0, -6, 2], [0, -60, 3], [0, -112, 4]], 44, bare) + disc(seen([0, -112, 6]), 19, darker(bare, 0.5)) +
    disc(seen([0, -112, 8]), 11, '#8d949c')
  }
  const band = [-26, 26].map(right => disc(seen([right, 0, 0]), deep ? 8 : 5, mark)).join('')
  return pipe([[-32, 0, 0], [0, 0, 0], [32, 0, 0]], deep ? 40 : 33, lighter(bare, 0.06), 'butt') + band + disc([x, y], 4, lighter(bare, 0.4))
}

function flat (look: HandlebarLook, { bare, mark }: Finish): string {
  const half: Place[] = [[0, 0, 0], [70, 0, 2], [130, -8, 12], [200, -26, 16], [330, -68, 16]]
  const grip: Place[] = [[210, -29, 16], [270, -48, 16], [330, -68, 16]]
  const one = (places: Place[], hold: Place[]) => pipe(places, 25, bare) + pipe(hold, 36, '#26292e') + disc(seen(hold[0] ?? [0, 0, 0]), 19, mark) +
    disc(seen(hold.at(-1) ?? [0, 0, 0]), 15, '#15171a')
  return one(mirrored(half), mirrored(grip)) + one(half, grip) + clampAndStem(look, bare, mark)
}

function hornHalf (): Place[] {
  return [[120, 0, 0], [176, 4, -4], [202, 34, -12], [206, 84, -14], [207, 132, -4], [208, 176, 14]]
}

function bullhorn (look: HandlebarLook, { bare, tape, mark }: Finish): string {
  const half = hornHalf()
  const wing: Place[] = [[-180, 6, -4], [-60, 0, 0], [60, 0, 0], [180, 6, -4]]
  return group({}, pipe(mirrored(half), 29, tape), pipe(wing, 42, bare), pipe(half, 29, tape), clampAndStem({ ...look, deep: true }, bare, mark),
    ...ends(half, mark))
}

function aero (look: HandlebarLook, finish: Finish): string {
  const extension: Place[] = [[52, -40, 62], [50, 60, 62], [48, 160, 62], [47, 214, 70], [46, 262, 98]]
  const pad = (side: 1 | -1) => {
    const [x, y] = seen([side * 72, -40, 80])
    return pipe([[side * 58, -16, 0], [side * 58, -20, 66]], 22, finish.bare) +
      shape(d`M${x - 62} ${y + 8}C${x - 66} ${y - 22} ${x + 46} ${y - 34} ${x + 62} ${y - 14}
      C${x + 66} ${y + 14} ${x - 40} ${y + 34} ${x - 62} ${y + 8}Z`, '#2e3137', { stroke: '#50555d', 'stroke-width': 2 })
  }
  return group({}, bullhorn(look, finish), pipe(mirrored(extension), 22, finish.bare), pad(-1), pipe(extension, 22, finish.bare), pad(1),
    ...[extension, mirrored(extension)].map(places => disc(seen(places.at(-1) ?? [0, 0, 0]), 12, finish.mark)))
}

const places: Partial<Record<HandlebarLook['bars'], [x: number, y: number, size: number]>> = {
  flat: [480, 350, 1.32],
  bullhorn: [430, 390, 1.72],
  aero: [420, 430, 1.5]
}

function finishOf (model: string, look: HandlebarLook, mark: Colour): Finish {
  const polished = says('vai|superergo|metropolis', model)
  const dark = look.deep || look.oneWithStem ? '#2a2d33' : '#3a3e45'
  return { bare: polished ? '#b4bac0' : dark, tape: says('talon', model) ? '#2f2a26' : '#24272c', mark }
}

/** Draws a handlebar from its record as it lies before the rider: the middle bare, the grips taped. */
export function handlebar (record: MakeRecord): string {
  const look = handlebarOf(record)
  const mark = marks[record.brand.toLowerCase()] ?? '#8d949c'
  const finish = finishOf(record.model, look, mark)
  const drawn = { drop, track: drop, flat, bullhorn, aero, pursuit: aero }[look.bars](look, finish, record.id)
  const [x, y, size] = places[look.bars] ?? [468, 300, look.flare ? 1.5 : 1.72]
  return picture(partSize.width, partSize.height, mark, field([480, 360], 336, mark), shadow([480, 650], 340, 18, 0.22),
    group({ transform: `translate(${x} ${y}) scale(${size})` }, drawn))
}
