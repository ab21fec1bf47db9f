import type { FastifyInstance } from 'fastify'

const exitCodes = { SIGINT: 130, SIGTERM: 143 }

/** How long a server keeps listening, and when it closes the remaining connections, in milliseconds; Docker kills after ten seconds. */
const drainTimes = { announceTime: 1_000, maxTime: 8_000 }

/** Ignores a second signal in this time, in milliseconds, because npm forwards a Ctrl+C that the terminal sends as well. */
const echoTime = 500

/** The timeout of flushing the log, in milliseconds. */
const flushTimeout = 500

/**
 * Closes the server at the first SIGINT or SIGTERM and exits with 0, or with 1 if it had to close connections; a second signal exits at
 * once with that signal's code, an uncaught exception with 1. Flushes the log before.
 */
export function closeOnSignals (app: FastifyInstance, process: Pick<NodeJS.Process, 'on' | 'exit'>, times = drainTimes): void {
  let closedAt: number | undefined

  for (const [signal, code] of Object.entries(exitCodes)) {
    process.on(signal, () => {
      if (closedAt === undefined) close()
      else if (Date.now() - closedAt > echoTime) exit(code)
    })
  }
  process.on('uncaughtException', error => {
    app.logger.fatal(error)
    exit(1)
  })

  function close (): void {
    closedAt = Date.now()
    Object.assign(app.drain, times)
    app.close().then(() => exit(app.drain.cut > 0 ? 1 : undefined), error => {
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
