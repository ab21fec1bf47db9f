import { type Colour, surface } from './colour.ts'
import { number, numbers, says } from './read.ts'
import type { WheelRecord } from './records.ts'
import type { WheelLook } from './wheel-side.ts'

const decals: Record<string, Colour> = {
  'dt swiss': '#d8dbde',
  zipp: '#f2f2f0',
  enve: '#8d949c',
  hunt: '#3f9fd0',
  mavic: '#e8c81e',
  bontrager: '#9aa1a9',
  roval: '#e8eaec',
  campagnolo: '#c9473f',
  fulcrum: '#d0342c',
  cadex: '#dfe3e6',
  miche: '#d4423a',
  wtb: '#e07c2a',
  '3t': '#e5533c',
  shimano: '#3d8fc4'
}

/** Tells whether a record stands for real wheels; a missing one and the placeholder do not. */
export const hasWheels = (wheels: WheelRecord | null): wheels is WheelRecord =>
  wheels !== null && !(wheels.spokecount === 0 && wheels.internal_rim_width === 'N/A')

function rimColour (wheels: WheelRecord): Colour {
  const words = `${wheels.model_name} ${wheels.description} ${wheels.spoke_material}`
  const deep = number(wheels.rimdepth, 20) > 36 && wheels.brake_type === 'Disc Brake'
  if ((deep || says('carbon', words)) && !says('which many carbon', words)) return surface.carbon
  if (wheels.brake_type === 'Rim brake') return number(wheels.rimdepth, 20) > 35 ? '#959ca4' : '#6d747c'
  return number(wheels.rimdepth, 20) < 24 ? '#5b6169' : surface.graphite
}

function wired (wheels: WheelRecord, count: number, depth: number): WheelLook {
  const bladed = says('bladed|blade', wheels.spoke_material)
  const rimBrake = wheels.brake_type === 'Rim brake'
  const track = says('bolt-on', wheels.axlesizeF)
  return {
    depth,
    spokes: count,
    hub: says('large flanges', wheels.description) ? 36 : track ? 30 : rimBrake ? 20 : 27,
    rim: rimColour(wheels),
    accent: decals[wheels.brand_name.toLowerCase()] ?? '#8b9199',
    wire: says('aluminium', wheels.spoke_material) ? '#a9afb6' : rimColour(wheels) === surface.carbon ? '#3d4148' : '#9aa1a8',
    wireWidth: says('aluminium', wheels.spoke_material) ? 4 : bladed ? 3 : 2.2,
    brakeTrack: rimBrake,
    wired: true
  }
}

/** Reads how the wheels of a set look, front and rear; a set that is sold singly is paired with what its maker advises. */
export function wheelLooks (wheels: WheelRecord): { front: WheelLook, rear: WheelLook } {
  const depths = numbers(wheels.rimdepth)
  const [frontDepth = 24, rearDepth = frontDepth] = depths
  if (wheels.spokecount === 0) {
    const moulded = { ...wired(wheels, 0, 34), wired: false, rim: surface.carbon }
    const bladed = says('blade|\\d-spoke', wheels.model_name, wheels.spoke_material)
    const blades = number(wheels.model_name, 4)
    const front = bladed ? { ...moulded, spokes: blades, depth: 46 } : wired({ ...wheels, spoke_material: 'bladed' }, 18, 82)
    return { front, rear: { ...moulded, depth: 22 } }
  }
  const front = Math.floor(wheels.spokecount / 4) * 2
  return { front: wired(wheels, front, frontDepth), rear: wired(wheels, wheels.spokecount - front, rearDepth) }
}

/** Returns the front and rear width of a text such as "25/28" or "40mm". */
export function tyreWidths (text: string): [front: number, rear: number] {
  const [front = 25, rear = front] = numbers(text).filter(width => width > 0)
  return [front, rear]
}
