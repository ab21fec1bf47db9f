import { totalmem } from 'node:os'

/** Scales a cache's size down for less than 512 MB of memory: the machine's, or the container's limit in bytes (0 for none). */
export const cacheSize = (bytes: number, limited = process.constrainedMemory()) =>
  Math.floor(bytes * Math.min(1, Math.min(totalmem(), limited || Infinity) / (512 * 2 ** 20)))

/** Warns when a reload, which holds the old catalogue and the new one, would exceed the limit of a container or a unit. */
export function memoryWarning ({ rss, heapUsed } = process.memoryUsage(), limited = process.constrainedMemory()): string | undefined {
  const [needed, limit] = [rss + heapUsed, limited || Infinity].map(bytes => Math.ceil(bytes / 2 ** 20)) as [number, number]
  if (needed <= limit) return undefined
  return `a reload needs about ${needed} MB, but the memory limit is ${limit} MB; docs/guides/maintain.md has limits by number of bikes`
}
