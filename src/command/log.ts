import sonicBoom from 'sonic-boom'
import { counted } from '../base/text.ts'
import type { LogStream } from '../http/log.ts'

export type LogOptions = { format?: (line: string) => string, fd?: number }

/** Writes asynchronously: a full disk, a closed pipe or a slow reader neither delays responses nor ends the process. */
export function createLog ({ format = line => line, fd = 2 }: LogOptions = {}): Required<LogStream> {
  const destination = new sonicBoom.SonicBoom({ fd, maxLength: 2 ** 20 }) // drops further bytes
  let dropped = 0
  destination.on('error', () => {}) // SonicBoom queues the lines and retries with the next one
  destination.on('drop', () => { dropped++ })
  destination.on('drain', () => {
    const msg = `${counted(dropped, 'log line')} could not be written`
    const line = JSON.stringify({ level: 40, time: Date.now(), msg })
    if (dropped > 0) destination.write(format(`${line}\n`))
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
