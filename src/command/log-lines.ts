import { write } from 'node:fs'
import type { JournalStream } from '../http/journal.ts'

type Entry = {
  level: number
  time: number
  msg: string
  method?: string
  url?: string
  status?: number
  ms?: number
  err?: { message: string }
}

type Write = (bytes: Buffer, done: (error: NodeJS.ErrnoException | null, written: number) => void) => void

/** How many characters of the log wait for a slow reader before lines are left out. */
const maxWaiting = 2 ** 20

/** After how many milliseconds a reader that takes no more is tried again. */
const pause = 50

/** Writes to an open file. */
export const writeTo = (descriptor: number): Write => (bytes, done) => write(descriptor, bytes, done)

/**
 * The log of a process: it waits for no reader, and outlives a full disk and a closed pipe. Lines that could not be written are counted,
 * and their number stands before the first line that can be written again.
 */
export function createLog (lay: (line: string) => string, write = writeTo(2)): Required<JournalStream> {
  let waiting: string[] = []
  let characters = 0
  let lost = 0
  let isWriting = false
  const flushed: (() => void)[] = []

  return {
    write (line) {
      if (characters + line.length > maxWaiting) {
        lost++
        return
      }
      waiting.push(line)
      characters += line.length
      next()
    },
    flush (done) {
      flushed.push(done)
      next()
    }
  }

  function next (): void {
    if (isWriting) return
    if (waiting.length === 0) {
      for (const done of flushed.splice(0)) done()
      return
    }
    const [lines, told] = [waiting, lost]
    waiting = []
    characters = 0
    isWriting = true
    writeAll(Buffer.from([...told === 0 ? [] : [lossOf(told)], ...lines].map(lay).join('')), isWritten => {
      isWriting = false
      lost += isWritten ? -told : lines.length
      next()
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

/** An entry as a person reads it: the time, then what was asked and answered, or the message. */
export function readableLine (line: string): string {
  const { level, time, msg, method, url, status, ms, err } = JSON.parse(line) as Entry
  const clock = new Date(time).toTimeString().slice(0, 8)
  if (method !== undefined) return `  ${clock}  ${status} ${method} ${url} ${ms} ms\n`
  return `  ${clock}  ${level >= 40 ? 'warning: ' : ''}${err === undefined ? msg : err.message}\n`
}
