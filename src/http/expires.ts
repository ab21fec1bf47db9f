import type { IncomingHttpHeaders } from 'node:http'

/** Matches the Expires of a recording that is a distance from Date. */
const distance = /^(-?\d+) s after Date$/

/** A time in Expires that is further from Date is a constant, such as that of nginx's `expires max`; in seconds. */
const farthest = 366 * 86_400

/**
 * Returns Expires as it is recorded: a distance from Date, such as `600 s after Date`, or else as it was sent. In
 * responses of a cache the distance shrinks and max-age stays, so it is at least max-age, unless it has passed.
 */
export function recordedExpires (
  { date = '', expires, 'cache-control': control = '' }: IncomingHttpHeaders
): string | undefined {
  const seconds = (Date.parse(String(expires)) - Date.parse(date)) / 1000
  const isNear = Math.abs(seconds) <= farthest
  if (!isNear) return expires
  const [, maxAge = 0] = /\bmax-age=(\d+)/i.exec(control) ?? []
  return `${seconds > 0 ? Math.max(seconds, Number(maxAge)) : seconds} s after Date`
}

/** Returns a recorded Expires for a response that is sent now. */
export function expiresNow (recorded: string): string {
  const [, seconds] = distance.exec(recorded) ?? []
  return seconds === undefined ? recorded : new Date(Date.now() + Number(seconds) * 1000).toUTCString()
}
