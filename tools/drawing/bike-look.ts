import type { CranksetLook } from './chainring.ts'
import type { CockpitLook } from './cockpit.ts'
import { cranksetLook } from './crankset-look.ts'
import type { Drive } from './drivetrain.ts'
import type { Build } from './geometry.ts'
import { driveOf } from './groupset.ts'
import { handlebarOf } from './handlebar-look.ts'
import type { Motor } from './motor.ts'
import { type Paint, paintOf } from './paint.ts'
import { numbers, says, teeth } from './read.ts'
import type { BikeRecord } from './records.ts'
import { saddleLook } from './saddle-look.ts'
import type { SaddleLook } from './saddle-side.ts'
import { isSteel } from './tubes.ts'
import { hasWheels, tyreWidths } from './wheel-look.ts'

/** What a bike's record says about how it looks, apart from its measures. */
export interface BikeLook {
  build: Build
  paint: Paint
  cockpit: CockpitLook | undefined
  saddle: SaddleLook | undefined
  drive: Drive | undefined
  motor: Motor | undefined
  brakes: 'disc' | 'rim' | 'front' | 'none'
  rotors: readonly [number, number]
}

const builds: Record<string, Build> = { road: 'road', gravel: 'gravel', 'fixed-gear': 'track', 'Time Trial': 'trial', turbo: 'city' }

function isBare (bike: BikeRecord): boolean {
  return !hasWheels(bike.wheels) && teeth(bike.chainring_sizes).length === 0
}

function buildOf (bike: BikeRecord, bars: CockpitLook['bars']): Build {
  if (bike.bike_type === 'turbo' && bars === 'drop') return tyreWidths(bike.tyre?.width ?? '')[1] > 36 ? 'gravel' : 'road'
  return builds[bike.bike_type] ?? 'road'
}

function barsOf (bike: BikeRecord): CockpitLook['bars'] {
  const named = bike.handlebars && handlebarOf(bike.handlebars).bars
  if (bike.bike_type === 'Time Trial') return 'aero'
  if (named) return named === 'drop' && bike.bike_type === 'fixed-gear' ? 'track' : named
  if (says('flat.?bar|flat bar|swept', bike.description)) return 'flat'
  if (bike.bike_type === 'turbo') return says('road|gravel', bike.description) ? 'drop' : 'flat'
  if (bike.bike_type !== 'fixed-gear') return 'drop'
  if (says('pursuit', bike.description)) return 'pursuit'
  return isSteel(bike.frame_material) ? 'flat' : 'drop'
}

const unrecorded = { brand_name: '', model_name: '', rotor_size: '', Chainring_sizes: '', other: '', chainring_other: '', speed: '1', is_electronic: false }

function driveOn (bike: BikeRecord, crank: CranksetLook): Drive | undefined {
  const rings = teeth(bike.chainring_sizes)
  const plainChain = { id: 0, brand_name: '', model_name: '', links_count: 112, colour: '', speed_compatibility: '1' }
  const drive = driveOf(bike.groupset ?? { ...unrecorded, chain: plainChain }, rings, crank)
  return rings.length === 0 ? undefined : { ...drive, pedals: barsOf(bike) === 'flat' ? 'platform' : 'road' }
}

function brakesOf (bike: BikeRecord): BikeLook['brakes'] {
  if (isBare(bike)) return 'none'
  if (bike.wheels?.brake_type === 'Disc Brake' || says('\\d', bike.groupset?.rotor_size ?? '')) return 'disc'
  if (bike.bike_type !== 'fixed-gear') return 'rim'
  return says('rear brake|brakes for the road', bike.description) ? 'rim' : 'front'
}

function rotorsOf (text: string): readonly [number, number] {
  const [front = 160, rear = front] = numbers(text)
  return [front, rear]
}

function cockpitOf (bike: BikeRecord, bare: boolean): CockpitLook | undefined {
  const bars = barsOf(bike)
  if (bare && bike.handlebars === null && !says('bar', bike.description)) return undefined
  const named = bike.handlebars && handlebarOf(bike.handlebars)
  const tape = isSteel(bike.frame_material) && says('orange|cream|cherry|green', bike.colour) ? '#8a5a35' : '#26292e'
  return { bars, tape, levers: !bare, hydraulic: brakesOf(bike) === 'disc', deep: named?.deep ?? false, flare: bike.bike_type === 'gravel' || (named?.flare ?? false) }
}

/** Reads a bike's record for everything that shows. */
export function bikeLook (bike: BikeRecord): BikeLook {
  const bare = isBare(bike)
  const cockpit = cockpitOf(bike, bare)
  const powered = bike.bike_type === 'turbo'
  return {
    build: buildOf(bike, cockpit?.bars ?? 'drop'),
    paint: bike.colour === '' ? paintOf(says('carbon', bike.frame_material) ? 'raw carbon' : 'raw') : paintOf(bike.colour),
    cockpit,
    saddle: bare && bike.saddle === null ? undefined : saddleLook(bike.saddle ?? { id: 1, brand: '', model: '' }),
    drive: driveOn(bike, cranksetLook(bike.crankset ?? { id: 0, brand: bike.groupset?.brand_name ?? '', model: bike.groupset?.model_name ?? '' })),
    motor: powered ? (says('hub motor|rear hub', bike.description) ? 'hub' : 'middle') : undefined,
    brakes: brakesOf(bike),
    rotors: rotorsOf(bike.groupset?.rotor_size ?? '')
  }
}
