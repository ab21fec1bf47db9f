import { write } from 'node:fs'
import type { JournalStream } from '../http/journal.ts'

type Entry = {
  level: number
  time: number
  msg: string
  method?: string
  url?: string
  status?: number
  fault?: string
  ms?: number
  err?: { stack: string }
}

type Write = (bytes: Buffer, done: (error: NodeJS.ErrnoException | null, written: number) => void) => void

/** How many bytes of the log wait for a slow reader before lines are left out. */
const maxWaiting = 2 ** 20

/** Lines are written together, because a write costs as much as twenty lines: those of so many milliseconds, or so many bytes. */
const together = { milliseconds: 100, bytes: 2 ** 19 }

/** After how many milliseconds a reader that takes no more is tried again. */
const pause = 50

/** Writes to an open file. */
export const writeTo = (descriptor: number): Write => (bytes, done) => write(descriptor, bytes, done)

/**
 * The log of a process: it waits for no reader, and outlives a full disk and a closed pipe. Lines that could not be written are counted,
 * and their number stands before the first line that can be written again.
 */
export function createLog (lay: (line: string) => string, write = writeTo(2)): Required<JournalStream> {
  // Made when a line comes, because V8 collects garbage for them, which is a twentieth of a start.
  let [waiting, spare] = [Buffer.alloc(0), Buffer.alloc(0)]
  let length = 0
  let lines = 0
  let lost = 0
  let isWriting = false
  let timer: NodeJS.Timeout | undefined
  const flushed: (() => void)[] = []

  return {
    write (line) {
      if (waiting.length === 0) waiting = Buffer.allocUnsafeSlow(maxWaiting)
      const text = lay(line)
      const room = maxWaiting - length
      if (3 * text.length > room && Buffer.byteLength(text) > room) {
        lost++
        return
      }
      length += waiting.write(text, length)
      lines++
      gather()
    },
    flush (done) {
      flushed.push(done)
      next()
    }
  }

  function gather (): void {
    if (length >= together.bytes) next()
    else timer ??= setTimeout(next, together.milliseconds)
  }

  function next (): void {
    clearTimeout(timer)
    timer = undefined
    if (isWriting) return
    if (lines === 0) {
      for (const done of flushed.splice(0)) done()
      return
    }
    const [bytes, count, told] = [waiting.subarray(0, length), lines, lost]
    ;[waiting, spare] = [spare, waiting]
    length = 0
    lines = 0
    isWriting = true
    writeAll(told === 0 ? bytes : Buffer.concat([Buffer.from(lay(lossOf(told))), bytes]), isWritten => {
      isWriting = false
      lost += isWritten ? -told : count
      if (flushed.length > 0) next()
      else if (lines > 0) gather()
    })
  }

  function writeAll (bytes: Buffer, done: (isWritten: boolean) => void): void {
    write(bytes, (error, written) => {
      if (error?.code === 'EAGAIN') setTimeout(writeAll, pause, bytes, done).unref()
      else if (error !== null) done(false)
      else if (written < bytes.length) writeAll(bytes.subarray(written), done)
      else done(true)
    })
  }
}

function lossOf (lines: number): string {
  const msg = `${lines} ${lines === 1 ? 'line' : 'lines'} of the log could not be written`
  return `${JSON.stringify({ level: 40, time: Date.now(), msg })}\n`
}

/** An entry as a program reads it. */
export const jsonLine = (line: string): string => line

/** An entry as a person reads it: the time, then the message, or what was asked and answered. */
export function readableLine (line: string): string {
  const { level, time, msg, method, url, status, fault, ms, err } = JSON.parse(line) as Entry
  const clock = new Date(time).toTimeString().slice(0, 8)
  const kind = level >= 50 ? 'error: ' : level >= 40 ? 'warning: ' : ''
  if (err !== undefined) return `  ${clock}  ${kind}${method === undefined ? '' : `${method} ${url}: `}${err.stack}\n`
  if (method !== undefined) return `  ${clock}  ${status ?? fault} ${method} ${url} ${ms} ms\n`
  return `  ${clock}  ${kind}${msg}\n`
}
