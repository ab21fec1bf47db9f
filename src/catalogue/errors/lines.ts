import { groupBy } from '../../base/group.ts'
import { hang } from '../../base/terminal.ts'
import { type Paint, painter, printable } from '../../base/text.ts'
import { type DataError, errorLine, placeText } from './error.ts'

/** Where a command writes: a terminal has columns and colours. */
export type Output = { write: (text: string) => unknown, isTTY?: boolean, columns?: number, hasColors?: () => boolean }

/** Equal errors beyond this number are only counted on a terminal. */
const maxEqual = 5

/** Formats errors for a terminal: the place dimmed, its message beside or below it, equal ones counted; otherwise one line each. */
export function errorLines (errors: readonly DataError[], { isTTY = false, columns, hasColors }: Output, prefix = ''): string[] {
  if (!isTTY) return errors.map(error => prefix + printable(errorLine(error)))
  const paint = painter(hasColors?.() ?? false)
  return [...groupBy(errors, kindOf).values()].flatMap(equal => [
    ...equal.slice(0, maxEqual).flatMap(error => lineOf(error, paint, columns || 80, prefix && paint('yellow', prefix))),
    ...equal.length > maxEqual ? [paint('dim', `… and ${equal.length - maxEqual} more like this`)] : []
  ])
}

/** Equal for errors of the same field in different records of a file. */
const kindOf = ({ file, rule, pointer }: DataError) => `${file} ${rule} ${pointer.replace(/\/\d+/g, '/*')}`

function lineOf (error: DataError, paint: Paint, columns: number, prefix: string): string[] {
  const place = printable(placeText(error))
  return hang(prefix + (place === '' ? '' : `${paint('dim', place)} `), printable(error.message).split(' '), columns)
}
