import type { FastifyInstance } from 'fastify'

const exitCodes = { SIGINT: 130, SIGTERM: 143 }

/** What is under way may take this long, in milliseconds; Docker kills a container after ten seconds. */
const drainTime = 8_000

/** npm and tsx pass a Ctrl-C on to a child that the terminal has already sent it to: one signal, heard twice. */
const echoTime = 500

/** How long the last line of the log may take, in milliseconds. */
const lastWords = 500

/**
 * Closes the server at the first SIGINT or SIGTERM, so that the process ends with 0 once all that has arrived is answered,
 * or with 1 when that takes too long; a second signal ends it at once, with the code of that signal. What nobody has caught ends it
 * with 1. Whatever the end, the log is written first.
 */
export function closeOnSignals (app: FastifyInstance, process: Pick<NodeJS.Process, 'on' | 'exit'>): void {
  let closedAt: number | undefined

  for (const [signal, code] of Object.entries(exitCodes)) {
    process.on(signal, () => {
      if (closedAt === undefined) close()
      else if (Date.now() - closedAt > echoTime) leave(code)
    })
  }
  process.on('uncaughtException', error => {
    app.journal.fatal(error)
    leave(1)
  })

  function close (): void {
    closedAt = Date.now()
    const late = setTimeout(giveUp, drainTime).unref()
    app.connections.drain.begin().then(() => app.close()).then(() => leave(), error => {
      app.journal.error(error)
      leave(1)
    }).finally(() => clearTimeout(late))
  }

  function giveUp (): void {
    const { open, answering } = app.connections.count()
    app.journal.error(`${open} connections were cut after ${drainTime / 1000} s, ${answering} of them in the middle of an answer`)
    leave(1)
  }

  /** Whatever else would keep the process, such as a channel to its parent, does not. */
  function leave (code?: number): void {
    const end = () => process.exit(code)
    app.journal.flush(end)
    setTimeout(end, lastWords).unref()
  }
}
