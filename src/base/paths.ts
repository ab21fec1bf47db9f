import { realpathSync } from 'node:fs'
import { attempt } from './attempt.ts'

/** Returns a path with its links resolved; undefined for a path that leads nowhere. */
export const realPathOf = (path: string): string | undefined => attempt(() => realpathSync(path)).value
