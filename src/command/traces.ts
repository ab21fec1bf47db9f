import { readFileSync } from 'node:fs'
import { SourceMap, type SourceMapping } from 'node:module'

/**
 * Has the stacks of errors name places in the sources, not in the files that the build makes of them.
 *
 * A map is read when a stack needs it; with `--enable-source-maps` all are read at start, for 10 ms and 4 MB.
 */
export function traceSources (): void {
  Error.prepareStackTrace = (error, sites) => [
    Error.prototype.toString.call(error),
    ...sites.map(site => `    at ${String(site).replace(/(file:.+\.c?js):(\d+):(\d+)/, placeInSource)}`)
  ].join('\n')
}

const maps = new Map<string, SourceMap | undefined>()

/** The place in the source; the same place where a file has no map. */
function placeInSource (place: string, file: string, line: string, column: string): string {
  if (!maps.has(file)) maps.set(file, readMap(file))
  const entry = { ...maps.get(file)?.findEntry(Number(line) - 1, Number(column) - 1) } as Partial<SourceMapping>
  const { originalSource, originalLine = 0, originalColumn = 0 } = entry
  return originalSource === undefined ? place : `${new URL(originalSource, file).href}:${originalLine + 1}:${originalColumn + 1}`
}

function readMap (file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')))
  } catch {
    return undefined
  }
}
