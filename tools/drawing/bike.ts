import { field, jaws, picture, shadow, stand } from './backdrop.ts'
import { type BikeLook, bikeLook } from './bike-look.ts'
import { cockpit } from './cockpit.ts'
import { surface } from './colour.ts'
import { farDrive, nearDrive } from './drivetrain.ts'
import { farLeg, type ForkLook, nearLeg } from './fork.ts'
import { frame, shellHole, stayTop, type Tubes } from './frame.ts'
import { type Geometry, geometryOf, ground, rimRadius } from './geometry.ts'
import { hubMotor, motorOn } from './motor.ts'
import { between, plus, polar } from './plane.ts'
import { says } from './read.ts'
import type { BikeRecord } from './records.ts'
import { saddleClamp, saddleSide } from './saddle-side.ts'
import { cable, discBrakes, lamps, mudguard, rimBrakes } from './stopping.ts'
import { group } from './svg.ts'
import { tube } from './tube.ts'
import { isSteel, tubesOf } from './tubes.ts'
import { tyreLook, tyreSide } from './tyre-side.ts'
import { hasWheels, tyreWidths, wheelLooks } from './wheel-look.ts'
import { wheelSide } from './wheel-side.ts'

/** Size of a bike's picture in its own unit, which is the millimetre. */
const bikeSize = { width: 2010, height: 1340 }

function wheels ({ front, rear }: Geometry, bike: BikeRecord, look: BikeLook): string {
  if (!hasWheels(bike.wheels)) return ''
  const looks = wheelLooks(bike.wheels)
  const [narrow, wide] = tyreWidths(bike.tyre?.width ?? '')
  return group({},
    tyreSide(rear, tyreLook(bike.tyre, wide)), wheelSide(rear, looks.rear),
    tyreSide(front, tyreLook(bike.tyre, narrow)), wheelSide(front, looks.front),
    look.motor === 'hub' ? hubMotor(rear) : '')
}

function seat (points: Geometry, tubes: Tubes, look: BikeLook): string {
  const clamp = polar(points.saddle, 56, points.seatAngle + 180)
  const width = tubes.moulded ? tubes.seat[1] - 5 : 26
  const top = look.saddle ? clamp : between(points.seatTop, clamp, 0.75)
  const post = tube(points.seatTop, top, width, width - 2,
    look.build === 'trial' ? look.paint.base : tubes.moulded ? surface.carbon : isPolished(tubes), look.paint.gloss)
  return post + (look.saddle ? saddleClamp(points.saddle) + saddleSide(points.saddle, look.saddle) : '')
}

const isPolished = (tubes: Tubes) => tubes.shell < 25 ? surface.alloy : surface.black

function steering (points: Geometry, look: BikeLook): string {
  const { headTop, headAngle, stemFoot, bar } = points
  const spacers = tube(polar(headTop, -1, headAngle), polar(headTop, 14, headAngle), 39, 36, surface.black, 0.5, 'flat')
  const clamp = tube(polar(stemFoot, -17, headAngle), polar(stemFoot, 20, headAngle), 40, 38, '#2a2d33', 0.6, 'flat') +
    tube(polar(stemFoot, 20, headAngle), polar(stemFoot, 25, headAngle), 33, 28, '#17191d', 0.6, 'flat')
  const stem = tube(stemFoot, bar, 40, 35, '#2a2d33', 0.6)
  return group({}, spacers, look.cockpit ? clamp + stem + cockpit(bar, look.cockpit) : '')
}

function forkOf (bike: BikeRecord, tubes: Tubes, look: BikeLook): ForkLook {
  const twoTone = /[/]| and /.test(bike.colour)
  return {
    width: tubes.fork,
    bent: isSteel(bike.frame_material),
    single: says('lefty|single-sided', bike.model_name, bike.description),
    colour: twoTone ? look.paint.accent : look.paint.base,
    gloss: look.paint.gloss
  }
}

function extras (points: Geometry, bike: BikeRecord, look: BikeLook): [behind: string, before: string] {
  const [narrow, wide] = tyreWidths(bike.tyre?.width ?? '')
  const guards = says('mudguards are part', bike.description)
    ? mudguard(points.rear, rimRadius + wide + 17, 62, 208) + mudguard(points.front, rimRadius + narrow + 17, 52, 168)
    : ''
  const loop = look.brakes === 'rim' && look.cockpit?.bars === 'drop' && !bike.groupset?.is_electronic
    ? cable(plus(points.bar, 56, 14), between(points.headLow, points.headTop, 0.35))
    : ''
  return [guards, loop + (guards ? lamps(points.bar, points.seatTop) : '')]
}

/** Draws a bike from its record, its parts put in: side view, ahead to the right. */
export function bike (record: BikeRecord): string {
  const look = bikeLook(record)
  const tubes = tubesOf(record.frame_material, look.build, look.motor !== undefined)
  const [, wide] = tyreWidths(record.tyre?.width ?? '')
  const points = geometryOf(look.build, record.frame_size, rimRadius + wide, isSteel(record.frame_material) || look.build === 'track')
  const fork = forkOf(record, tubes, look)
  const real = hasWheels(record.wheels)
  const through = look.brakes === 'disc' || (!real && look.build !== 'track')
  const post = between(points.seatTop, points.saddle, 0.45)
  const [behind, before] = extras(points, record, look)
  return picture(bikeSize.width, bikeSize.height, look.paint.base,
    field([bikeSize.width / 2, 640], 600, look.paint.base),
    real
      ? shadow(plus(points.rear, 0, ground - points.rear[1] + 4), 300, 13) +
      shadow(plus(points.front, 0, ground - points.front[1] + 4), 300, 13)
      : shadow(plus(post, 0, ground - post[1] + 6), 330, 12),
    real ? '' : stand(post, ground),
    farLeg(points, fork),
    look.brakes === 'disc' && real ? discBrakes(points, look.rotors) : '',
    behind,
    wheels(points, record, look),
    look.drive ? farDrive(points, look.drive) : '',
    seat(points, tubes, look),
    frame(points, tubes, look.paint, through),
    nearLeg(points, fork, through),
    look.brakes === 'rim' || look.brakes === 'front' ? rimBrakes(points, stayTop(points, tubes), wide, look.brakes === 'rim') : '',
    steering(points, look),
    look.motor ? motorOn(points, look.motor, tubes.down[0], says('comes out', record.description), look.paint.base) : '',
    look.drive ? nearDrive(points, look.drive) : shellHole(points.bottom, tubes.shell - 6, look.paint.base),
    before,
    real ? '' : jaws(post))
}
