import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { test } from 'tap'
import { parameterOf, preferenceNames } from '../../src/http/prefer.ts'
import { examples } from '../../src/simulation/examples.ts'
import { codes, faults } from '../../src/simulation/faults.ts'
import { readPreferred, withoutPreferences } from '../../src/simulation/preferences.ts'
import { preferenceExpects as expects, type PreferredEffect } from '../../src/simulation/rule.ts'
import { anyQuery } from '../texts.ts'
import { simulated } from './simulated.ts'

const preferred = (
  url: string,
  prefer?: string
) => readPreferred({ originalUrl: url, headers: prefer === undefined ? {} : { prefer } }, [])

const path = '/api/v1/bikes/'

type Case = [prefer: string | undefined, query: string, wanted: PreferredEffect, ignored: string]

const cases: Case[] = [
  [undefined, '?year__gte=2020&page=1', {}, ''],
  ...[undefined, '', 'handling=strict, respond-async'].map((prefer): Case => [prefer, '', {}, '']),
  ['code=404', '', { code: 404 }, ''],
  [
    'delay=100, example=odd, fault=drip, code=503, retry-after=7', '',
    { code: 503, retryAfter: 7, delay: '100', example: 'odd', fault: 'drip' }, ''
  ],
  ['delay=0', '', { delay: '0' }, ''],
  ['delay=100-2000', '', { delay: '100-2000' }, ''],
  ['delay=60000', '', { delay: '60000' }, ''],
  [undefined, '?__code=404', { code: 404 }, ''],
  [undefined, '?page=1&__code=404&__code=500', { code: 500 }, ''],
  [undefined, '?a=1&__%63ode=404&__delay=1', { code: 404, delay: '1' }, ''],
  ['code=404', '?__code=500&__delay=5', { code: 404, delay: '5' }, ''],
  ['code=200', '?__code=500', { code: 500 }, `code must be ${expects('code')}, got "200".`],
  ['delay=60001', '', {}, `delay must be ${expects('delay')}, got "60001".`],
  [
    'delay=20-10, retry-after=0', '', {},
    `retry-after must be ${expects('retry-after')}, got "0". delay must be ${expects('delay')}, got "20-10".`
  ],
  ['delay, fault=""', '', {}, `delay must be ${expects('delay')}, got "". fault must be ${expects('fault')}, got "".`],
  [
    undefined, '?__delay=-1&__retry-after=3601', {},
    `retry-after must be ${expects('retry-after')}, got "3601". delay must be ${expects('delay')}, got "-1".`
  ],
  [undefined, '?__cod=404&__cod=1&__x', {}, '"__cod" is not a preference. "__x" is not a preference.'],
  [undefined, `?__fault=${'x'.repeat(60)}`, {}, `fault must be ${expects('fault')}, got "${'x'.repeat(40)}…".`],
  [undefined, `?${'a&'.repeat(1000)}__code=404`, {}, '']
]

test('preferences are read from header and query', async t => {
  for (const [prefer, query, wanted, ignored] of cases) {
    const read = preferred(path + query, prefer)
    t.strictSame(read.wanted, wanted, `${prefer} ${query.slice(0, 80)}`)
    t.equal(read.ignored, ignored, query)
  }
})

test('the target without preferences is what remains, as sent', async t => {
  const field = fc.oneof(anyQuery, fc.constantFrom('', '__x=1', 'a__gte=2', '%zz', '__codes=1')).filter(text =>
    !text.includes('&__'))
  const own = fc.constantFrom(...preferenceNames).map(parameterOf).chain(name => fc.constantFrom(
    `${name}=1`,
    name,
    `${name.replace('__', '__%')}`.replace('%', `%${name.charCodeAt(2).toString(16)}`).replace(/(%..)./, '$1')
  ))
  t.doesNotThrow(() => fc.assert(fc.property(fc.array(fc.record({ field, own })), parts => {
    const rest = parts.map(({ field }) => field).join('&')
    const all = parts.map(({ field, own }) => `${field}&${own}`).join('&')
    const target = withoutPreferences(`${path}?${all}`)
    return parts.length === 0 || target === `${path}?${rest}` || (rest === '' && target === path)
  })))
})

test('a parameter whose name begins with a question mark is no preference, and stays', async t => {
  for (const url of [`${path}??__code=503`, `${path}?page=1&?__code=503`]) {
    t.equal(withoutPreferences(url), url)
    t.same(preferred(url).sent, [], url)
  }
})

const page = readFileSync('docs/reference/simulation.md', 'utf8')
const rows = [...page.matchAll(/^\| `([\w-]+)`.* \| `(curl .*)` \| `(.*)`.* \|$/gm)]

const run = (command: string) => new Promise<string>(resolve => execFile(
  'sh',
  ['-c', command],
  (_, stdout, stderr) => resolve(stdout + stderr)
))

test('docs/reference/simulation.md names every code, example and fault; its commands get the responses', async t => {
  t.match(page, Object.keys(codes).join(', ').replace(/, (?=\d+$)/, ' or '))
  for (const word of [...Object.keys(examples), ...Object.keys(faults)]) t.match(page, `\`${word}\``, word)
  t.same(rows.map(([, name]) => name), preferenceNames)
  const { app } = await simulated(t)
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  for (const [, , command = '', answer = ''] of rows) {
    const said = await run(command.replace('curl', 'curl -sS').replace('http://localhost:3000', origin))
    t.equal(said.trim(), answer, command)
  }
})
