import { totalmem } from 'node:os'

/** From so much memory on nothing is saved, in bytes. */
const ample = 512 * 2 ** 20

/** How much of a bound on memory counts on a small machine, or in a container that is `limited` to so many bytes (0 where it is not). */
export function roomFor (bytes: number, limited = process.constrainedMemory()): number {
  return Math.floor(bytes * Math.min(1, totalmem() / ample, (limited || Infinity) / ample))
}
