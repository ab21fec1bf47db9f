import { totalmem } from 'node:os'

/** Scales a cache's size down for less than 512 MB of memory: the machine's, or the container's limit in bytes (0 for none). */
export const cacheSize = (bytes: number, limited = process.constrainedMemory()) =>
  Math.floor(bytes * Math.min(1, Math.min(totalmem(), limited || Infinity) / (512 * 2 ** 20)))
