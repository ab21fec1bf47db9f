import { painter } from '../../src/base/text.ts'

/** Returns the median of at least one number. */
export function median (numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2
}

/** Formats a number with fixed decimals and with commas between thousands. */
export function figure (value: number, decimals = 0): string {
  return value.toLocaleString('en-GB', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
}

/** Formats the median of ratios. */
export function ratio (ratios: readonly number[]): string {
  return figure(median(ratios), 2)
}

/** Formats the lowest and the highest of ratios. */
export function range (ratios: readonly number[]): string {
  return `${figure(Math.min(...ratios), 2)}–${figure(Math.max(...ratios), 2)}`
}

/** Compares the median of ratios with its target. */
export function verdict (ratios: readonly number[], target: { least: number } | { most: number }): string {
  const middle = median(ratios)
  const [met, text] = 'least' in target
    ? [middle >= target.least, `≥ ${target.least.toFixed(2)}`]
    : [middle <= target.most, `≤ ${target.most.toFixed(2)}`]
  return met ? `${text} met` : paint('red', `${text} MISSED`)
}

export const paint = painter(process.stdout.isTTY)

/** Prints rows in columns, the first aligned left, the others right; a row of one cell is a heading. */
export function printTable (columns: readonly string[], rows: readonly (readonly string[])[]): void {
  const table = [columns, ...rows]
  const widthOf = (index: number) => Math.max(...table.map(row => row.length === 1 ? 0 : row[index]?.length ?? 0))
  const widths = columns.map((_, index) => widthOf(index))
  for (const [place, row] of table.entries()) {
    const cells = row.map((cell, index) => {
      const width = widths[index] ?? 0
      return index === 0 ? cell.padEnd(width) : cell.padStart(width)
    })
    const line = cells.join('   ').trimEnd()
    console.log(place === 0 ? paint('dim', line) : line)
  }
  console.log()
}

/** Prints the name of a part and its method. */
export function printHeading (name: string, how: string): void {
  console.log(`${paint('bold', name)}\n${how}\n`)
}

/** Prints the measurement in progress on a terminal, which erases it later. */
export function progress (text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`)
}
