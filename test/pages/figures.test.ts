import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'tap'
import { count, date, grams, price } from '../../src/pages/figures.ts'

const whole = new Intl.NumberFormat('en')
const money = new Intl.NumberFormat('en', { minimumFractionDigits: 2 })
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** Numbers of all lengths. */
const numbers = fc.tuple(fc.maxSafeNat(), fc.nat(15)).map(([number, digits]) => number % 10 ** digits)

test('figures are written as Intl has them', async () => {
  fc.assert(fc.property(numbers, number => {
    assert.equal(grams(number), `${whole.format(number)} g`)
    assert.equal(count(number, 'view'), `${whole.format(number)} view${number === 1 ? '' : 's'}`)
  }))
  fc.assert(fc.property(fc.nat(), fc.nat(99), fc.nat(2), (units, hundredths, zeros) => {
    const decimal = `${'0'.repeat(zeros)}${units}.${String(hundredths).padStart(2, '0')}`
    assert.equal(price(decimal), money.format(Number(decimal)))
  }))
  fc.assert(fc.property(fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }), moment => {
    assert.equal(date(moment), day.format(moment))
  }))
})
