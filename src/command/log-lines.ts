import sonicBoom from 'sonic-boom'
import type { LogStream } from '../http/log.ts'
import { wrap } from '../base/terminal.ts'
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
{ method?: string, url?: string, status?: number, ms?: number } &
  { cut?: true, reason?: string, fault?: string, simulated?: string, advice?: string }

/** Formats an entry for people, in lines of so many columns. Escapes control characters, which a terminal would act on. */
export function readableLine (line: string, paint = painter(false), columns = Infinity): string {
  const { level, time, msg, method, url = '', status, ms = 0, err, cut, ...causes } = JSON.parse(line) as Entry
  const { reason = '', fault = reason, simulated = fault, advice = '' } = causes
  const clock = paint('dim', new Date(time).toTimeString().slice(0, 8))
  const request = printable(`${method} ${url}`)
  const kind = level >= 50 ? paint('red', 'error: ') : level >= 40 ? paint('yellow', 'warning: ') : ''
  if (err !== undefined) {
    const stack = err.stack.split('\n').map(printable).join('\n            ') // so that no line of it looks like an entry
    return `  ${clock}  ${kind}${method === undefined ? '' : `${request}: `}${stack}\n`
  }
  if (method === undefined) return below(`  ${clock}  `, wrap(`${kind}${printable(msg)}`.split(' '), columns - 12), 12)
  const isCut = cut === true || status === undefined || simulated.includes('fault=truncate')
  const result = isCut ? paint('red', 'cut') : paint(colourOf(status), String(status))
  const cause = printable([simulated, advice && `advice: ${advice}`].filter(Boolean).join('  '))
  const width = Math.max(20, columns - requestColumn)
  const pieces = request.match(width === Infinity ? /.*/s : new RegExp(`.{1,${width}}`, 'gsu')) as string[]
  const isShort = request.length + 2 + cause.length <= width
  const causesShown = cause === '' ? [] : [paint('yellow', cause)]
  return below(`  ${clock}  ${result} ${paint('dim', `${String(Math.round(ms)).padStart(4)} ms`)}  `,
    isShort ? [[request, ...causesShown].join('  ')] : [...pieces, ...causesShown], requestColumn)
}

/** The column of the request in a line. */
const requestColumn = 25

/** Puts further lines below the first one, in the column after the label. */
const below = (label: string, lines: readonly string[], column: number) => `${label}${lines.join(`\n${' '.repeat(column)}`)}\n`

const colourOf = (status: number) => status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green'
