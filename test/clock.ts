import { performance } from 'node:perf_hooks'

const now = performance.now.bind(performance)
let stoppedAt: number | undefined

/** The server's clock. Import this file first: the server binds Node's. */
export const clock = {
  /** The milliseconds that a test adds. */
  ahead: 0,
  /** Has the clock stand still, apart from what a test adds. */
  stop () { stoppedAt = now() }
}

performance.now = () => (stoppedAt ?? now()) + clock.ahead
