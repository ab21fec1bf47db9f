const time = /T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/
const day = /(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31|02-29/
const utc = new RegExp(`^\\d{4}-(?:${day.source})${time.source}`)

/** Whether a text is a timestamp in UTC of a day that the calendar has. */
export function isTimestamp (text: string): boolean {
  return utc.test(text) && (!text.startsWith('02-29', 5) || isLeap(Number(text.slice(0, 4))))
}

const isLeap = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

/** Whether both are timestamps in UTC and the first is the earlier one; to compare texts is by far faster than to make dates of them. */
export function isBefore (timestamp: unknown, other: unknown): boolean {
  if (typeof timestamp !== 'string' || typeof other !== 'string') return false
  const isEarlier = isSameSecond(timestamp, other) ? fraction(timestamp) < fraction(other) : timestamp < other
  return isEarlier && isTimestamp(timestamp) && isTimestamp(other)
}

/** Most of those that differ do so in the last digit, which is looked at without making a text. */
const isSameSecond = (timestamp: string, other: string) =>
  timestamp.charCodeAt(18) === other.charCodeAt(18) && timestamp.slice(0, 19) === other.slice(0, 19)

/** A time of ISO 8601 as microseconds since 1970, which is as exact as Django keeps it, from 1684 to 2255; NaN for what is none. */
export function microsecondsOf (text: string): number {
  const [, digits = ''] = /\.\d{3}(\d{1,3})/.exec(text) ?? []
  return 1000 * Date.parse(text) + Number(digits.padEnd(3, '0'))
}

/** The fraction of a second that a timestamp ends in. */
const fraction = (timestamp: string) => Number(`0${timestamp.slice(19, -1)}`)
