import { constants } from 'node:os'
import type { FastifyInstance } from 'fastify'
import { now } from '../base/timers.ts'

/**
 * How long a server keeps listening, and when it closes the remaining connections, in milliseconds; Docker kills it
 * after ten seconds.
 */
export const drainTimes = { announceTime: 1_000, maxTime: 8_000 }

/** Milliseconds for which a second signal is ignored, because npm forwards a terminal's Ctrl+C. */
const echoTime = 500

/** The timeout of flushing the log, in milliseconds. */
const flushTimeout = 500

type Signalled = Pick<NodeJS.Process, 'on' | 'exit'>

/** Calls `stop` at the first of some signals, and `exit` with the signal's code at a second one. */
export function onSignals (
  process: Signalled,
  signals: NodeJS.Signals[],
  stop: () => void,
  exit: (code: number) => void
): void {
  let stoppedAt: number | undefined
  for (const signal of signals) {
    process.on(signal, () => {
      if (stoppedAt === undefined) {
        stoppedAt = now()
        stop()
      } else if (now() - stoppedAt > echoTime) exit(128 + constants.signals[signal])
    })
  }
}

/**
 * Closes the server at the first SIGINT or SIGTERM and exits with 0, or with 1 if it had to close connections. A second
 * signal exits at once with that signal's code, an uncaught exception with 1. Flushes the log first.
 */
export function closeOnSignals (app: FastifyInstance, process: Signalled): void {
  onSignals(process, ['SIGINT', 'SIGTERM'], close, exit)
  process.on('uncaughtException', error => {
    app.logger.fatal(error)
    exit(1)
  })

  function close (): void {
    const closed = () => exit(app.drain.cut > 0 ? 1 : undefined)
    app.close().then(closed, error => {
      app.logger.error(error)
      exit(1)
    })
  }

  /** Exits although other handles, such as a channel to the parent, keep the process alive. */
  function exit (code?: number): void {
    const end = () => process.exit(code)
    app.logger.flush(end)
    setTimeout(end, flushTimeout).unref()
  }
}
