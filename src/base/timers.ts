import { performance } from 'node:perf_hooks'
import timers from 'node:timers'
import promises from 'node:timers/promises'

// Tests replace timers and clocks with fake ones that stand still. A server in their process keeps Node's own, and so
// do its dependencies: scripts/build.ts puts these functions in place of their globals.

export const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate } = timers
export const { setTimeout: sleep, setImmediate: nextTurn } = promises
export const { queueMicrotask } = globalThis
export const { nextTick } = process

/** Returns the milliseconds since the start of the process. */
export const now = performance.now.bind(performance)
