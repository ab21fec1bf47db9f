import { type Colour, lighter, surface } from './colour.ts'
import { d, disc, element, group, line, type Point, shape, shifted, stroke } from './svg.ts'
import { taper } from './taper.ts'
import { moulded, rod, tube } from './tube.ts'

/** The handlebars that a bike can have. */
export type Bars = 'drop' | 'flat' | 'bullhorn' | 'aero' | 'track' | 'pursuit'

/** How a cockpit looks: its tape, whether it shifts and brakes, and how deep its bar's top is. */
export interface CockpitLook { bars: Bars, tape: Colour, levers: boolean, hydraulic: boolean, deep: boolean, flare: boolean }

const drop = 'M-4 0L40 1C76 3 97 18 96 52C94 92 58 121 8 125L-34 127'
const wide = 'M-4 0L40 2C78 6 96 26 88 58C80 92 44 112 -4 118L-52 124'
const deepTrack = 'M-4 0C44 -2 92 18 98 70C102 116 70 146 18 148L-44 148'

function hood (hydraulic: boolean): string {
  const body = hydraulic
    ? d`M46 -12C66 -14 92 -14 108 -22C114 -46 126 -56 136 -48C144 -40 142 -14 136 -2C128 14 108 24 86 24C70 20 56 8 46 -12Z`
    : d`M46 -12C70 -14 96 -12 112 -16C118 -30 126 -36 134 -30C140 -24 138 -8 132 2C124 14 106 22 86 22C70 18 56 8 46 -12Z`
  return moulded(body, -50, 26, '#2b2e34', 0.5)
}

function lever (): string {
  return taper([[124, 2], [140, 34], [126, 74], [108, 112]], 15, 9, '#3c4148', 1) +
    taper([[112, 10], [118, 40], [108, 64], [98, 84]], 12, 8, '#23262b', 0.8)
}

function drops (look: CockpitLook): string {
  const data = look.bars === 'track' ? deepTrack : look.flare ? wide : drop
  const top = look.deep ? line([-8, -1], [34, 0], '#2b2e34', 33) + line([-6, -8], [34, -7], '#5a6069', 3) : ''
  return group({}, rod(data, 31, look.tape, 0.25),
    disc([look.bars === 'track' ? -44 : look.flare ? -52 : -34, look.bars === 'track' ? 148 : look.flare ? 124 : 127], 9, '#3a3e45'),
    top, look.levers ? lever() + hood(look.hydraulic) : '')
}

function flat (look: CockpitLook): string {
  const grip = tube([2, -8], [-58, -14], 33, 34, look.tape, 0.4, 'flat')
  const end = element('ellipse', { cx: -58, cy: -14, rx: 8, ry: 17, fill: '#15171a' }) +
    element('ellipse', { cx: -58, cy: -14, rx: 3.5, ry: 8, fill: '#4a4f57' })
  const brake = look.levers
    ? taper([[12, -6], [40, -2], [66, 14], [86, 40]], 15, 9, '#4a4f57') + tube([2, -24], [6, 12], 22, 22, '#2b2e34', 0.6) +
      line([4, -2], [26, -2], '#2b2e34', 19)
    : ''
  return group({}, grip, line([-8, -20], [-52, -25], lighter(look.tape, 0.22), 3), end, brake)
}

function bullhorn (look: CockpitLook): string {
  const brake = look.levers ? taper([[146, -14], [168, 6], [164, 36], [150, 66]], 13, 8, '#3c4148') : ''
  return group({}, rod('M-6 0L40 2C80 6 100 14 128 2C142 -4 150 -10 158 -18', 30, look.tape, 0.25), brake, disc([159, -19], 10, '#3a3e45'))
}

function extensions (look: CockpitLook, shifters: boolean): string {
  const pad = moulded('M-76 -92C-70 -112 30 -110 44 -100C50 -94 46 -84 38 -82L-64 -80C-74 -80 -78 -86 -76 -92Z', -112, -78, '#34383f', 0.4)
  const pipe = rod('M-40 -72L150 -70C190 -70 214 -86 238 -114', 23, '#2b2e34')
  const shifter = shifters
    ? line([238, -114], [250, -130], '#4a4f57', 16) +
    disc([252, -133], 4, lighter(look.tape, 0.5))
    : disc([238, -114], 9, '#14161a')
  const riser = line([-18, -66], [-8, -6], surface.black, 30) + line([28, -66], [18, -6], surface.black, 24)
  return group({}, riser, pipe, shifter, pad)
}

function aero (look: CockpitLook): string {
  const base = moulded('M-26 -8C10 -16 60 -12 104 2C140 12 168 2 190 -14C200 -20 210 -14 206 -4C196 18 168 32 138 32C96 32 40 20 -20 16C-32 12 -34 -2 -26 -8Z', -18, 32, '#2b2e34', 0.7)
  const brake = look.levers ? taper([[186, -4], [214, 10], [214, 40], [192, 68]], 13, 8, '#454a52') : ''
  const grip = stroke('M140 22C166 20 182 8 196 -6', look.tape, 24)
  return group({}, extensions(look, look.levers), base, grip, brake)
}

/** Returns a handlebar with its levers, its clamp at the given point, ahead to the right. */
export function cockpit (clamp: Point, look: CockpitLook): string {
  const drawn = { drop: drops, track: drops, flat, bullhorn, aero, pursuit: aero }[look.bars](look)
  return shifted(clamp, drawn, disc([0, 0], 19, '#24272c'), disc([0, 0], 11, '#3d4249'), shape('M-7 -3L7 -3L7 3L-7 3Z', '#15171a'))
}
