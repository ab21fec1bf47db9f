import { performance } from 'node:perf_hooks'

/** The milliseconds that a test adds to the server's clock. Import this file first: the server binds Node's clock. */
export const clock = { ahead: 0 }

const now = performance.now.bind(performance)
performance.now = () => now() + clock.ahead
