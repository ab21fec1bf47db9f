// Made when first needed: to load the code of pages should cost nothing.
let whole: Intl.NumberFormat | undefined
let money: Intl.NumberFormat | undefined
let day: Intl.DateTimeFormat | undefined

function writeWhole (number: number): string {
  whole ??= new Intl.NumberFormat('en')
  return whole.format(number)
}

/** Writes a count with its noun, such as `1 view` or `3,228 views`. */
export function count (number: number, noun: string): string {
  return `${writeWhole(number)} ${noun}${number === 1 ? '' : 's'}`
}

/** Writes a weight, such as `1,470 g`. */
export function grams (number: number): string {
  return `${writeWhole(number)} g`
}

/** Writes a price, which the catalogue gives without a currency. */
export function price (decimal: string): string {
  money ??= new Intl.NumberFormat('en', { minimumFractionDigits: 2 })
  return money.format(Number(decimal))
}

/** Writes a day, such as `16 November 2026`. */
export function date (moment: Date): string {
  day ??= new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' })
  const part = Object.fromEntries(day.formatToParts(moment).map(({ type, value }) => [type, value]))
  return `${part.day} ${part.month} ${part.year}`
}
