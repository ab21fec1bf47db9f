import { totalmem } from 'node:os'

/**
 * Scales a cache's size down for less than 512 MB of memory.
 * @param limited the container's limit in bytes; 0 for none
 */
export function cacheSize (bytes: number, limited = process.constrainedMemory()): number {
  const memory = Math.min(totalmem(), limited || Infinity)
  const share = Math.min(1, memory / (512 * 2 ** 20))
  return Math.floor(bytes * share)
}

/** Warns if a reload, which holds two catalogues at once, would exceed the memory limit of a container or a unit. */
export function memoryWarning (
  { rss, heapUsed } = process.memoryUsage(), limited = process.constrainedMemory()
): string | undefined {
  const needed = Math.ceil((rss + heapUsed) / 2 ** 20)
  const limit = Math.ceil((limited || Infinity) / 2 ** 20)
  if (needed <= limit) return undefined
  const advice = 'docs/explanation/capacity.md has limits by number of bikes'
  return `a reload needs about ${needed} MB, but the memory limit is ${limit} MB; ${advice}`
}
