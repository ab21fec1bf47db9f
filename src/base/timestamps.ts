const time = /T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/
const day = /(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31|02-29/
const utc = new RegExp(`^\\d{4}-(?:${day.source})${time.source}`)

/** Returns whether a string is a UTC timestamp with a valid calendar day. */
export function isTimestamp (text: string): boolean {
  const year = Number(text.slice(0, 4))
  const isLeapYear = year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0)
  return utc.test(text) && (isLeapYear || !text.startsWith('02-29', 5))
}

/** Returns whether both are UTC timestamps and the first is earlier; comparing strings is faster than parsing dates. */
export function isBefore (timestamp: unknown, other: unknown): boolean {
  if (typeof timestamp !== 'string' || typeof other !== 'string') return false
  const isSameSecond = timestamp.slice(0, 19) === other.slice(0, 19)
  const isEarlier = isSameSecond ? fractionOf(timestamp) < fractionOf(other) : timestamp < other
  return isEarlier && isTimestamp(timestamp) && isTimestamp(other)
}

const fractionOf = (timestamp: string) => Number(`0${timestamp.slice(19, -1)}`)

/** Returns an ISO 8601 time in microseconds since 1970, exact from 1684 to 2255; NaN for an invalid time. */
export function microsecondsOf (text: string): number {
  const [, digits = ''] = /\.\d{3}(\d{1,3})/.exec(text) ?? []
  return 1000 * Date.parse(text) + Number(digits.padEnd(3, '0'))
}

const dateForm = /^(\d{4}-\d\d-(\d\d))(?:[T ]((?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/

/** Reads a date, with or without a time, in microseconds since 1970; NaN for an invalid one such as 31 February. */
export function readDate (text: string): number {
  const match = dateForm.exec(text.toUpperCase())
  if (match === null) return NaN
  const [, date, day, time = '00:00', zone = 'Z'] = match
  // Date.parse accepts 31 February as a day in March.
  const isInMonth = new Date(`${date}T00:00Z`).getUTCDate() === Number(day)
  return isInMonth ? microsecondsOf(`${date}T${time}${zone}`) : NaN
}
