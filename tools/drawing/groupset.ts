import { field, partSize, picture, shadow } from './backdrop.ts'
import type { BrakeLook } from './brake-look.ts'
import { rimCalliper, wavedRotor } from './calliper.ts'
import type { CranksetLook } from './chainring.ts'
import { cockpit } from './cockpit.ts'
import { darker, mix, surface } from './colour.ts'
import { cranksetLook } from './crankset-look.ts'
import { type Anchors, type Drive, farDrive, nearDrive } from './drivetrain.ts'
import { colourOf } from './paint.ts'
import { number, numbers, says, teeth } from './read.ts'
import type { GroupsetRecord } from './records.ts'
import { disc, group, line, ring, stroke } from './svg.ts'

const anchors: Anchors = { rear: [0, 0], bottom: [402, 58], seatTop: [262, -420] }

const placed = (x: number, y: number, size: number, ...content: string[]) => group({ transform: `translate(${x} ${y}) scale(${size})` }, ...content)

/** Reads what a groupset drives a bike with; pedals are never part of one. */
export function driveOf (record: GroupsetRecord, rings: readonly number[], crank: CranksetLook): Drive {
  const single = record.speed === '1'
  const [smallest = 11, largest = 30] = numbers(record.other)
  const sprocket = number(record.other.match(/sprocket \d+/)?.[0] ?? '', 16)
  return {
    rings,
    cogs: single ? [sprocket, sprocket] : [smallest, largest],
    belt: record.chain.links_count === 0,
    single,
    electronic: record.is_electronic,
    chain: colourOf(record.chain.colour, surface.steel),
    crank,
    pedals: 'none'
  }
}

function stopping (record: GroupsetRecord, look: CranksetLook): string {
  const own: BrakeLook = {
    kind: 'disc',
    body: look.arm,
    mark: look.mark,
    pistons: 2,
    hose: 'hose',
    arms: 6,
    carrier: darker(look.arm, 0.1),
    skeletal: false
  }
  return record.rotor_size === 'Rim brake'
    ? placed(330, 182, 0.66, rimCalliper(own))
    : placed(330, 186, 1, wavedRotor([0, 0], number(record.rotor_size, 160) * 0.68, own))
}

function controls (record: GroupsetRecord): string {
  if (says('bar-end', record.other)) {
    return placed(560, 150, 1.5, line([0, 0], [150, -10], surface.black, 26),
      line([10, -7], [146, -17], '#4f555d', 4), line([150, -11], [186, -34], '#6d747c', 15), disc([192, -38], 8, '#aab0b7'))
  }
  const flat = says('deore|cues|box|cdx|prime', record.model_name)
  const hydraulic = record.rotor_size !== 'Rim brake' && !says('cable disc', record.other)
  const cable = record.is_electronic || hydraulic ? '' : stroke('M104 20C150 70 190 30 230 60', '#1d2025', 5)
  return placed(flat ? 640 : 590, flat ? 180 : 100, flat ? 1.9 : 1.42, cable,
    cockpit([0, 0], {
      bars: flat ? 'flat' : 'drop',
      tape: '#26292e',
      levers: true,
      hydraulic,
      deep: false,
      flare: says('grx|ekar|sword|apex', record.model_name)
    }))
}

function power (record: GroupsetRecord): string {
  if (!record.is_electronic) return ''
  if (says('fully wireless', record.other)) {
    return placed(128, 176, 1, disc([0, 40], 11, '#3f86c4'),
      ...[34, 62, 90].map((r, index) => stroke(`M${-r * 0.7} ${40 - r * 0.7}A${r} ${r} 0 0 1 ${r * 0.7} ${40 - r * 0.7}`, '#3f86c4', 11,
        { opacity: 1 - index * 0.25 })))
  }
  return stroke('M116 268C116 380 90 420 130 470', '#15171a', 6) + line([116, 110], [116, 236], '#2a2d33', 40) +
    line([107, 112], [107, 234], '#565c64', 4) +
    line([116, 250], [116, 262], surface.steel, 14) + disc([116, 108], 7, '#63d07a')
}

function lockring (): string {
  return placed(180, 150, 1.3, ring([0, 0], 42, '#8d949c', 18, { 'stroke-dasharray': '36 8' }), ring([0, 0], 32, '#c3c8cd', 5),
    ring([0, 0], 46, '#6d737b', 2, { opacity: 0.6 }))
}

/** Draws a groupset from its record: the drive as it runs on a bike, above it shifting, braking and power. */
export function groupset (record: GroupsetRecord): string {
  const look = cranksetLook({ id: 0, brand: record.brand_name, model: record.model_name })
  const drive = driveOf(record, teeth(record.Chainring_sizes), look)
  const tint = mix(look.mark, look.arm, 0.25)
  const running = farDrive(anchors, drive) + nearDrive(anchors, drive)
  return picture(partSize.width, partSize.height, tint, field([480, 360], 336, tint), shadow([480, 690], 380, 14, 0.26),
    drive.single
      ? lockring() + placed(180, 370, 1.24, running)
      : stopping(record, look) + power(record) + controls(record) +
      placed(190, 468, 1.18, running))
}
