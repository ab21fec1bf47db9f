import sonicBoom from 'sonic-boom'
import type { LogStream } from '../http/log.ts'

/** The most bytes of the log to queue while it cannot be written; further lines are dropped. */
const maxLength = 2 ** 20

/**
 * Writes the log asynchronously. A full disk, a closed pipe or a slow reader neither delays responses nor ends the process: lines are
 * queued, and written later with the number of those dropped.
 */
export function createLog ({ format = (line: string) => line, fd = 2 } = {}): Required<LogStream> {
  const destination = new sonicBoom.SonicBoom({ fd, maxLength })
  let dropped = 0
  destination.on('error', () => {}) // SonicBoom queues the lines and retries with the next one
  destination.on('drop', () => { dropped++ })
  destination.on('drain', () => {
    if (dropped > 0) destination.write(format(lossOf(dropped)))
    dropped = 0
  })

  return {
    write: line => { destination.write(format(line)) },
    flush (done) {
      destination.once('error', done).once('close', done)
      if (dropped === 0) destination.end()
      else destination.once('drain', () => destination.end())
    }
  }
}

function lossOf (lines: number): string {
  const msg = `${lines} ${lines === 1 ? 'line' : 'lines'} of the log could not be written`
  return `${JSON.stringify({ level: 40, time: Date.now(), msg })}\n`
}

type Entry = { level: number, time: number, msg: string, err?: { stack: string } } &
  { method?: string, url?: string, status?: number, fault?: string, ms?: number }

/** Formats an entry for people: the time, then the message, or the request and its status. */
export function readableLine (line: string): string {
  const { level, time, msg, method, url, status, fault, ms, err } = JSON.parse(line) as Entry
  const clock = new Date(time).toTimeString().slice(0, 8)
  const kind = level >= 50 ? 'error: ' : level >= 40 ? 'warning: ' : ''
  if (err !== undefined) return `  ${clock}  ${kind}${method === undefined ? '' : `${method} ${url}: `}${err.stack}\n`
  if (method !== undefined) return `  ${clock}  ${status ?? fault} ${method} ${url} ${ms} ms\n`
  return `  ${clock}  ${kind}${msg}\n`
}
