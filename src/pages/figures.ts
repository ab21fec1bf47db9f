// To make the formats of `Intl` takes 20 ms, which the first page would wait for.

/** Writes digits in groups of three before the point. */
function grouped (digits: string): string {
  return digits.replace(/\B(?=(?:\d{3})+(?!\d))/g, ',')
}

/** Writes a count with its noun, such as `1 view` or `3,228 views`. */
export function count (number: number, noun: string): string {
  return `${grouped(String(number))} ${noun}${number === 1 ? '' : 's'}`
}

/** Writes a weight, such as `1,470 g`. */
export function grams (number: number): string {
  return `${grouped(String(number))} g`
}

/** Writes a price, which the catalogue gives without a currency and with two digits after the point. */
export function price (decimal: string): string {
  return grouped(decimal.replace(/^0+(?=\d)/, ''))
}

const months = [
  'January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'
]

/** Writes a day, such as `16 November 2026`. */
export function date (moment: Date): string {
  return `${moment.getUTCDate()} ${months[moment.getUTCMonth()]} ${moment.getUTCFullYear()}`
}
