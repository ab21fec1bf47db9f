import { WriteStream } from 'node:tty'
import { groupBy } from '../base/group.ts'
import { painter, printable, type Output, type Paint } from '../base/text.ts'
import { errorKey, placeText, shownPath, type DataError } from '../catalogue/errors/error.ts'
import { exitCodes, SettingsError } from '../settings/flags.ts'

type OutputProcess = Pick<NodeJS.Process, 'env' | 'stdout' | 'stderr' | 'exitCode' | 'once'>

/**
 * Keeps a failed output from ending the process: `bicycle-catalogue --help | head -1` closes the pipe early, which is
 * no error, and a full disk does not stop the server; the exit code is then that of output which cannot be written.
 */
export function prepareOutput (process: OutputProcess): void {
  const { env, stdout, stderr } = process
  let hasFailed = false
  for (const stream of [stdout, stderr]) {
    // A pipe has no colours of its own; FORCE_COLOR and NO_COLOR are read as for a terminal.
    const hasColors = () => WriteStream.prototype.getColorDepth.call(stream) > 1
    if (env['FORCE_COLOR'] !== undefined) stream.hasColors ??= hasColors
    stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (code === 'EPIPE' || hasFailed) return
      hasFailed = true
      process.once('exit', () => { process.exitCode = exitCodes.unusable }) // a command sets its own when it ends
      stderr.write(`cannot write to stdout: ${message}\n`) // of stderr nobody sees it
    })
  }
}

/** Prints the error of invalid settings or arguments, and sets the exit code. @throws any other error */
export function failOnSettings (process: OutputProcess, error: Error): void {
  if (!(error instanceof SettingsError)) throw error
  process.stderr.write(`${printable(error.message)}\n`)
  process.exitCode = exitCodes.unusable
}

export function painterOf (output: Output): Paint {
  return painter(output.hasColors?.() ?? false)
}

/** Equal errors on a terminal, beyond which they are only counted. */
const maxEqual = 5

/** Formats each error as a line; on a terminal equal ones are counted. */
export function errorLines (errors: readonly DataError[], output: Output, prefix = ''): string[] {
  const paint = painterOf(output)
  const lineOf = (error: DataError) => {
    const place = paint('dim', printable(placeText(error)))
    return `${paint('yellow', prefix)}${place} ${printable(error.message)}`
  }
  if (output.isTTY !== true) return errors.map(lineOf)
  const lines: string[] = []
  for (const equal of groupBy(errors, errorKey).values()) {
    lines.push(...equal.slice(0, maxEqual).map(lineOf))
    const more = equal.length - maxEqual
    if (more > 0) lines.push(paint('dim', `… and ${more} more like this`))
  }
  return lines
}

/** Returns the exit code of a command for errors in its data: `unusable` if one of its directories cannot be read. */
export function exitCodeOf (errors: readonly DataError[], ...directories: readonly unknown[]): number {
  const paths = directories
    .filter(path => typeof path === 'string')
    .map(shownPath)
  const isUnreadable = errors.some(({ file }) => paths.includes(file))
  return isUnreadable ? exitCodes.unusable : exitCodes.failed
}
