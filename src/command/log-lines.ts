import sonicBoom from 'sonic-boom'
import type { LogStream } from '../http/log.ts'
import { counted, painter, printable } from '../base/text.ts'

/** Writes asynchronously: a full disk, a closed pipe or a slow reader neither delays responses nor ends the process. */
export function createLog ({ format = (line: string) => line, fd = 2 } = {}): Required<LogStream> {
  const destination = new sonicBoom.SonicBoom({ fd, maxLength: 2 ** 20 }) // further bytes that cannot be written are dropped
  let dropped = 0
  destination.on('error', () => {}) // SonicBoom queues the lines and retries with the next one
  destination.on('drop', () => { dropped++ })
  destination.on('drain', () => {
    const msg = `${counted(dropped, 'log line')} could not be written`
    if (dropped > 0) destination.write(format(`${JSON.stringify({ level: 40, time: Date.now(), msg })}\n`))
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

type Entry = { level: number, time: number, msg: string, err?: { stack: string } } &
{ method?: string, url?: string, status?: number, ms?: number, cut?: true, fault?: string, simulated?: string, advice?: string }

/** Formats an entry for people. Escapes control characters, which a terminal would act on. */
export function readableLine (line: string, paint = painter(false)): string {
  const { level, time, msg, method, url = '', status, ms = 0, err, cut, ...causes } = JSON.parse(line) as Entry
  const { fault = '', simulated = fault, advice } = causes
  const clock = paint('dim', new Date(time).toTimeString().slice(0, 8))
  const request = printable(`${method} ${url}`)
  const kind = level >= 50 ? paint('red', 'error: ') : level >= 40 ? paint('yellow', 'warning: ') : ''
  if (err !== undefined) {
    const stack = err.stack.split('\n').map(printable).join('\n            ') // so that no line of it looks like an entry
    return `  ${clock}  ${kind}${method === undefined ? '' : `${request}: `}${stack}\n`
  }
  if (method === undefined) return `  ${clock}  ${kind}${printable(msg)}\n`
  const isCut = cut === true || status === undefined || simulated.includes('fault=truncate')
  const result = isCut ? paint('red', 'cut') : paint(colourOf(status), String(status))
  const notes = [simulated, advice === undefined ? '' : `advice: ${advice}`].filter(Boolean).map(note => paint('yellow', printable(note)))
  return `  ${[clock, `${result} ${paint('dim', `${String(Math.round(ms)).padStart(4)} ms`)}`, request, ...notes].join('  ')}\n`
}

const colourOf = (status: number) => status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green'
