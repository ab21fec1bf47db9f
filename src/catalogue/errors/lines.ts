import { groupBy } from '../../base/group.ts'
import { hang, textWidth } from '../../base/terminal.ts'
import { type Paint, painter, printable } from '../../base/text.ts'
import { type DataError, errorKey, errorLine, placeText } from './error.ts'

/** Where a command writes: a terminal has columns and colours. */
export type Output = { write: (text: string) => unknown, isTTY?: boolean, columns?: number, hasColors?: () => boolean }

/** Equal errors beyond this number are only counted on a terminal. */
const maxEqual = 5

/** Formats errors for a terminal: the place dimmed, its message after or below it, equal ones counted; otherwise one line each. */
export function errorLines (errors: readonly DataError[], output: Output, prefix = ''): string[] {
  const { isTTY = false, columns = 0, hasColors = () => false } = output
  if (!isTTY) return errors.map(error => prefix + printable(errorLine(error)))
  const paint = painter(hasColors())
  return [...groupBy(errors, errorKey).values()].flatMap(equal => [
    ...equal.slice(0, maxEqual).flatMap(error => lineOf(error, paint, textWidth(columns, Infinity), paint('yellow', prefix))),
    ...equal.length > maxEqual ? [paint('dim', `… and ${equal.length - maxEqual} more like this`)] : []
  ])
}

function lineOf (error: DataError, paint: Paint, columns: number, prefix: string): string[] {
  return hang(`${prefix}${paint('dim', printable(placeText(error)))} `, printable(error.message).split(' '), columns)
}
