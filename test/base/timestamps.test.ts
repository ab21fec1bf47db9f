import fc from 'fast-check'
import { test } from 'tap'
import { isTimestamp, microsecondsOf } from '../../src/base/timestamps.ts'

const two = (number: number) => String(number).padStart(2, '0')

const timestamps = [
  '2024-02-29T00:00:00Z', '2000-02-29T00:00:00Z', '2024-03-01T23:59:59Z', '2024-03-01T00:00:00.5Z',
  '2024-12-31T09:00:00.000001Z'
]

const others = [
  '', '2024-03-01', '2024-03-01T12:00Z', '2024-03-01T12:00:00', '2024-03-01T12:00:00+00:00', '2024-03-01 12:00:00Z',
  '2024-03-01t12:00:00z', '2024-03-01T24:00:00Z', '2024-03-01T12:60:00Z', '2024-03-01T12:00:60Z',
  '2024-03-01T12:00:00.Z', '12024-03-01T12:00:00Z', ' 2024-03-01T12:00:00Z', '2024-03-01T12:00:00Z\n',
  '2023-02-29T00:00:00Z', '1900-02-29T00:00:00Z'
]

test('a timestamp has a day of the calendar and a time in UTC, to the second or finer', async t => {
  const anyYear = fc.integer({ min: 0, max: 9999 }).map(year => String(year).padStart(4, '0'))
  const year = fc.oneof(fc.constantFrom('0000', '1900', '2000', '2023', '2024', '2100'), anyYear)
  const month = fc.integer({ min: 0, max: 13 })
  const day = fc.integer({ min: 0, max: 32 })
  fc.assert(fc.property(year, month, day, (year, month, day) => {
    const text = `${year}-${two(month)}-${two(day)}T12:00:00Z`
    const date = new Date(text)
    return isTimestamp(text) === (!Number.isNaN(date.getTime()) && date.toISOString().startsWith(text.slice(0, 19)))
  }), { numRuns: 2_000 })
  for (const text of timestamps) t.equal(isTimestamp(text), true, text)
  for (const text of others) t.equal(isTimestamp(text), false, JSON.stringify(text))
})

test('times are compared to the microsecond', async t => {
  const second = 1000 * Date.parse('2024-03-01T12:00:00Z')
  const fractions: [text: string, microseconds: number][] = [
    ['', 0], ['.5', 500_000], ['.123', 123_000], ['.1234', 123_400], ['.000900', 900], ['.0000019', 1]
  ]
  for (const [fraction, microseconds] of fractions) {
    t.equal(microsecondsOf(`2024-03-01T12:00:00${fraction}Z`) - second, microseconds, fraction)
  }
  t.equal(microsecondsOf('2024-03-01T13:00:00.000001+01:00') - second, 1)
  t.equal(microsecondsOf('1960-01-01T00:00:00.000001Z'), 1000 * Date.parse('1960-01-01T00:00:00Z') + 1)
  t.ok(Number.isNaN(microsecondsOf('none')))
})
