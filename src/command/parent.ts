import { fstatSync, readFileSync } from 'node:fs'
import { attempt } from '../base/attempt.ts'

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
