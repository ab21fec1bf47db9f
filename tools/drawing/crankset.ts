import { field, partSize, picture, shadow } from './backdrop.ts'
import { chainring, type CranksetLook, pitchRadius, spider } from './chainring.ts'
import { darker, mix } from './colour.ts'
import { crankArm } from './crank.ts'
import { cranksetLook } from './crankset-look.ts'
import { says } from './read.ts'
import type { MakeRecord } from './records.ts'
import { disc, group, type Point, ring } from './svg.ts'

/** Returns a crankset at a point: rings by their teeth, spider and arm, and where asked the far arm. */
export function crankAt (centre: Point, rings: readonly number[], look: CranksetLook, angle: number, far: boolean): string {
  const [outer = 46, inner] = rings
  return group({},
    far ? crankArm(centre, angle + 180, 172, { ...look, arm: darker(look.arm, 0.25) }) : '',
    inner ? chainring(centre, inner, darker(look.rings, 0.35), 14) : '',
    chainring(centre, outer, look.rings, inner ? 17 : 14),
    spider(centre, pitchRadius(inner ?? outer) - (inner ? 2 : 12), look, angle),
    disc(centre, 25, darker(look.arm, 0.1)),
    crankArm(centre, angle, 172, look))
}

function ringsOf (words: string): number[] {
  if (says('ekar|rx810-1', words)) return [40]
  if (says('pistard|75|omega', words)) return [48]
  if (says('zayante', words)) return [46]
  if (says('wide', words)) return [43, 30]
  return says('dub|sram', words) ? [48, 35] : says('dura|aldhu', words) ? [54, 40] : says('chorus|r7100', words) ? [50, 34] : [52, 36]
}

/** Draws a crankset from its record: rings and arms from the drive side, the arm's slant its own. */
export function crankset (record: MakeRecord): string {
  const words = `${record.brand} ${record.model}`
  const look = cranksetLook(record)
  const tint = mix(look.mark, look.rings, 0.3)
  const meter = says('precision', words) ? disc([0, 0], 7, '#63d07a') + ring([0, 0], 12, '#e9ebed', 2) : ''
  const angle = [-32, -24, -40][record.id % 3] ?? -32
  return picture(partSize.width, partSize.height, tint,
    field([480, 356], 336, tint), shadow([480, 676], 300, 16, 0.3),
    group({ transform: 'translate(420 320) scale(1.92)' }, crankAt([0, 0], ringsOf(words), look, angle, true),
      meter && group({ transform: 'translate(96 62) rotate(32)' }, meter)))
}
