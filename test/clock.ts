import { performance } from 'node:perf_hooks'
import type { Test } from 'tap'

const now = performance.now.bind(performance)
let stoppedAt: number | undefined

/** The server's clock. Import this file first: the server binds Node's. */
export const clock = {
  /** The milliseconds that a test adds. */
  ahead: 0,
  /** Has the clock stand still until a test ends, apart from what the test adds. */
  stop (t: Test) {
    stoppedAt = now()
    t.teardown(() => { stoppedAt = undefined })
  }
}

performance.now = () => (stoppedAt ?? now()) + clock.ahead
