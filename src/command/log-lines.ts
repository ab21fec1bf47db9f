import { painter, printable, type Paint } from '../base/text.ts'

type LogEntry = {
  level: number
  time: number
  msg: string
  err?: { stack: string }
  method?: string
  url?: string
  status?: number
  ms?: number
  cut?: true
  cause?: string
  fault?: string
  simulated?: string
  advice?: string
}

/** Formats an entry for people. Escapes control characters, which a terminal would act on. */
export function readableLine (line: string, paint = painter(false)): string {
  const entry = JSON.parse(line) as LogEntry
  const time = new Date(entry.time).toTimeString()
  const clock = paint('dim', time.slice(0, 8))
  if (entry.method !== undefined) return `  ${clock}  ${requestText(entry, paint)}\n`
  const { level, msg, err } = entry
  const text = err === undefined ? printable(msg) : stackText(err)
  return `  ${clock}  ${levelText(level, paint)}${text}\n`
}

/** Returns the lines of a stack, indented so that none of them looks like an entry. */
function stackText ({ stack }: { stack: string }): string {
  return stack.split('\n').map(printable).join('\n            ')
}

function levelText (level: number, paint: Paint): string {
  if (level >= 50) return paint('red', 'error: ')
  return level >= 40 ? paint('yellow', 'warning: ') : ''
}

function requestText (entry: LogEntry, paint: Paint): string {
  const { method, url = '', ms = 0, err, simulated = entry.fault, cause, advice } = entry
  const request = printable(`${method} ${url}`)
  if (err !== undefined) {
    const level = levelText(entry.level, paint)
    return `${level}${request}: ${stackText(err)}`
  }
  const milliseconds = String(Math.round(ms)).padStart(4)
  const duration = paint('dim', `${milliseconds} ms`)
  const result = resultText(entry, paint)
  const columns = [`${result} ${duration}`, request]
  if (simulated) columns.push(paint('yellow', printable(simulated)))
  if (cause !== undefined) columns.push(paint('yellow', printable(cause)))
  if (advice !== undefined) columns.push(paint('yellow', printable(`advice: ${advice}`)))
  return columns.join('  ')
}

/** Returns the status in its colour, or that the response was cut off. */
function resultText ({ status, cut, simulated }: LogEntry, paint: Paint): string {
  const isCut = cut === true || simulated?.includes('fault=truncate')
  if (isCut || status === undefined) return paint('red', 'cut')
  if (status >= 500) return paint('red', String(status))
  return paint(status >= 400 ? 'yellow' : 'green', String(status))
}
