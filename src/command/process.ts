import { fstatSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import type { FastifyInstance } from 'fastify'
import { attempt } from '../base/attempt.ts'

/** How long a server keeps listening, and when it closes the remaining connections, in milliseconds; Docker kills after ten seconds. */
export const drainTimes = { announceTime: 1_000, maxTime: 8_000 }

/** Milliseconds for which a second signal is ignored, because npm forwards a terminal's Ctrl+C. */
const echoTime = 500

/** The timeout of flushing the log, in milliseconds. */
const flushTimeout = 500

type Signalled = Pick<NodeJS.Process, 'on' | 'exit'>

/** Calls `stop` at the first of some signals, and `exit` with the signal's code at a second one. */
export function onSignals (process: Signalled, signals: NodeJS.Signals[], stop: () => void, exit: (code: number) => void): void {
  let stoppedAt: number | undefined
  for (const signal of signals) {
    process.on(signal, () => {
      if (stoppedAt !== undefined && Date.now() - stoppedAt > echoTime) exit(128 + constants.signals[signal])
      if (stoppedAt === undefined) stop()
      stoppedAt ??= Date.now()
    })
  }
}

/**
 * Closes the server at the first SIGINT or SIGTERM and exits with 0, or with 1 if it had to close connections; a second signal exits at
 * once with that signal's code, an uncaught exception with 1. Flushes the log before.
 */
export function closeOnSignals (app: FastifyInstance, process: Signalled): void {
  onSignals(process, ['SIGINT', 'SIGTERM'], close, exit)
  process.on('uncaughtException', error => {
    app.logger.fatal(error)
    exit(1)
  })

  function close (): void {
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

const pollMilliseconds = 500

type Child = Pick<NodeJS.Process, 'once' | 'pid' | 'ppid' | 'stdin' | 'connected' | 'send'>

/** Calls back once when the parent exits or has exited: standard input's pipe ends, the IPC channel closes, or another is the parent. */
export function watchParent (process: Child, gone: () => void): void {
  const { ppid, stdin, send, connected } = process
  let isGone = false
  const leave = () => {
    clearInterval(poll)
    if (!isGone) gone()
    isGone = true
  }
  const poll = setInterval(() => { if (process.ppid !== ppid) leave() }, pollMilliseconds).unref()
  if (isOrphan(process) || (send !== undefined && !connected)) return leave()
  process.once('disconnect', leave)
  const input = fstatSync(stdin.fd)
  if (input.isFIFO() || input.isSocket()) stdin.once('end', leave).once('close', leave).once('error', leave).resume().unref()
}

/** Returns whether a process of another session adopted this one (Linux only); the first of a container has the same. */
function isOrphan ({ pid, ppid }: Pick<Child, 'pid' | 'ppid'>): boolean {
  const [session, parents] = [statOf(pid)?.session, statOf(ppid)?.session]
  return session !== undefined && parents !== undefined && session !== pid && session !== parents // a detached process leads a session
}

/** Returns the state, parent and session of a process (proc_pid_stat(5)); undefined for one that has ended, and where there is no /proc. */
function statOf (pid: number): { isRunning: boolean, parent: number, session: number } | undefined {
  const { value } = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  const [state = '', parent, , session] = value?.split(') ').at(-1)?.split(' ') ?? []
  return value === undefined ? undefined : { isRunning: !/[XZ]/.test(state), parent: Number(parent), session: Number(session) }
}

/** The command lines of package managers; npm names its processes `npm start` and `npm exec …`. */
const packageManager = /^(?:npm|npx) |\/(?:npm|npx|pnpm|yarn)[\w.-]* /

/**
 * Calls back once when the npm, npx, pnpm or yarn that started this process has ended: they don't forward signals, and the shell between
 * them and this process may live on. Without /proc, the parent stands for it.
 */
export function watchPackageManager (process: Pick<NodeJS.Process, 'env' | 'ppid'>, gone: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const { ppid } = process
  const manager = packageManagerOf(ppid)
  const poll = setInterval(() => {
    if (manager === undefined ? process.ppid === ppid : statOf(manager)?.isRunning) return
    clearInterval(poll)
    gone()
  }, pollMilliseconds).unref()
}

/** Returns the nearest ancestor that is a package manager. */
function packageManagerOf (pid: number): number | undefined {
  const { value } = attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '))
  if (value === undefined) return undefined
  if (packageManager.test(value)) return pid
  return packageManagerOf(Number(statOf(pid)?.parent))
}
