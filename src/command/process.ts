import { fstatSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import type { FastifyInstance } from 'fastify'
import { attempt } from '../base/attempt.ts'
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

const pollMilliseconds = 500

type Child = Pick<NodeJS.Process, 'once' | 'pid' | 'ppid' | 'stdin' | 'connected' | 'send'>

/**
 * Calls back once when the parent has ended: npm, npx, pnpm and yarn don't forward every signal. With `isStrict`, also
 * when the pipe of standard input ends or the IPC channel closes.
 */
export function watchParent (process: Child, isStrict: boolean, gone: () => void): void {
  const { stdin, send, connected } = process
  const parents = parentsOf(process)
  const left = new AbortController()
  const leave = () => left.abort()
  left.signal.onabort = gone
  setInterval(() => { if (parentsOf(process) !== parents) leave() }, pollMilliseconds).unref()
  if (!isStrict) return
  if (isOrphan(process) || (send !== undefined && !connected)) return leave()
  process.once('disconnect', leave)
  const input = fstatSync(stdin.fd)
  if (!input.isFIFO() && !input.isSocket()) return
  for (const event of ['end', 'close', 'error']) stdin.once(event, leave)
  stdin.resume().unref()
}

/** Returns the ids of the parent and, on Linux, of the parent of a shell, which the shell may outlive. */
function parentsOf ({ ppid }: Pick<Child, 'ppid'>): string {
  const [, next = ''] = /\((?:ba|da)?sh\) \S (\d+)/.exec(statOf(ppid)) ?? []
  return `${ppid} ${next}`
}

/**
 * Returns whether a process of another session adopted this one, because its parent ended during the start; false
 * except on Linux.
 */
function isOrphan ({ pid, ppid }: Pick<Child, 'pid' | 'ppid'>): boolean {
  const own = sessionIdOf(pid)
  const parents = sessionIdOf(ppid)
  const leadsSession = own === String(pid) // as a detached process does
  return parents !== undefined && !leadsSession && own !== parents
}

/** Returns the id of a process's session: the fourth field after its name, which may have spaces and brackets. */
function sessionIdOf (pid: number): string | undefined {
  const fields = statOf(pid).replace(/^.*\)/s, '')
  return / \S \d+ \d+ (\d+)/.exec(fields)?.[1]
}

/** Returns the status of a process on Linux (proc_pid_stat(5)); empty elsewhere. */
function statOf (pid: number): string {
  const { value = '' } = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  return value
}
