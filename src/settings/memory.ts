import { totalmem } from 'node:os'

/** Bytes of memory with which caches have their full size. */
const ample = 512 * 2 ** 20

/** Scales a cache's size down for a machine, or a container `limited` to so many bytes (0 for no limit), with less memory. */
export function cacheSize (bytes: number, limited = process.constrainedMemory()): number {
  return Math.floor(bytes * Math.min(1, totalmem() / ample, (limited || Infinity) / ample))
}
