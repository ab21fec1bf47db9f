import { d, type Point } from './svg.ts'

/** A wheel that a chain runs round; seen from the drive side, clockwise is forwards. */
export interface Pulley { centre: Point, radius: number, clockwise: boolean }

interface Touch { leaves: Point, meets: Point }

/** Returns where the straight run between two pulleys leaves the one and meets the other: their common tangent. */
export function tangent (from: Pulley, to: Pulley): Touch {
  const [x, y] = [to.centre[0] - from.centre[0], to.centre[1] - from.centre[1]]
  const first = from.clockwise ? -from.radius : from.radius
  const second = to.clockwise ? -to.radius : to.radius
  const direction = Math.atan2(y, x) - Math.asin((first - second) / Math.hypot(x, y))
  const normal: Point = [-Math.sin(direction), Math.cos(direction)]
  return {
    leaves: [from.centre[0] + normal[0] * first, from.centre[1] + normal[1] * first],
    meets: [to.centre[0] + normal[0] * second, to.centre[1] + normal[1] * second]
  }
}

function wrap ({ centre, radius, clockwise }: Pulley, meets: Point, leaves: Point): string {
  const at = ([x, y]: Point) => Math.atan2(y - centre[1], x - centre[0])
  const turn = (clockwise ? at(leaves) - at(meets) : at(meets) - at(leaves)) / (2 * Math.PI)
  const share = turn - Math.floor(turn)
  return d`A${radius} ${radius} 0 ${share > 0.5 ? 1 : 0} ${clockwise ? 1 : 0} ${leaves}`
}

/** Returns path data of an endless chain laid round pulleys in the order in which it meets them. */
export function endless (pulleys: readonly Pulley[]): string {
  const runs = pulleys.map((pulley, index) => tangent(pulley, pulleys[(index + 1) % pulleys.length] ?? pulley))
  const parts = runs.map(({ leaves }, index) => {
    const pulley = pulleys[index]
    const before = runs.at(index - 1)
    if (pulley === undefined || before === undefined) return ''
    return (index === 0 ? d`M${before.meets}` : d`L${before.meets}`) + wrap(pulley, before.meets, leaves)
  })
  return `${parts.join('')}Z`
}
