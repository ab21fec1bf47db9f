import { totalmem } from 'node:os'

/** Scales a cache's size down for a machine, or a container `limited` to so many bytes (0 for no limit), with less than 512 MB. */
export const cacheSize = (bytes: number, limited = process.constrainedMemory()) =>
  Math.floor(bytes * Math.min(1, Math.min(totalmem(), limited || Infinity) / (512 * 2 ** 20)))
