import fc from 'fast-check'
import { test } from 'tap'
import { readableLine } from '../../src/command/log-lines.ts'
import { anyText } from '../texts.ts'

const time = new Date(2026, 0, 2, 3, 4, 5).getTime()

const get = { msg: 'responded', method: 'GET', url: '/' }

const entries: [entry: object, line: string][] = [
  [{ ...get, status: 200, ms: 0.4 }, '200    0 ms  GET /'],
  [{ ...get, status: 503, ms: 16, simulated: 'rule 1: code=503' }, '503   16 ms  GET /  rule 1: code=503'],
  [{ ...get, status: 200, ms: 2, simulated: 'Prefer: fault=truncate' }, 'cut    2 ms  GET /  Prefer: fault=truncate'],
  [
    { ...get, status: 404, ms: 2, advice: 'the path ends with a /' },
    '404    2 ms  GET /  advice: the path ends with a /'
  ],
  [{ ...get, msg: 'cut', fault: 'reset', ms: 0 }, 'cut    0 ms  GET /  reset'],
  [{ ...get, msg: 'cut', status: 200, cut: true, ms: 4321.4 }, 'cut 4321 ms  GET /'],
  [
    { ...get, msg: 'cut', status: 200, cut: true, ms: 1, cause: 'the client left' },
    'cut    1 ms  GET /  the client left'
  ],
  [{ ...get, msg: 'x', level: 50, err: { stack: 'Error: broken at a' } }, 'error: GET /: Error: broken at a'],
  [
    { level: 50, msg: 'x', err: { stack: 'Error: a\n03:04:05  b\x1b[2J\r\t' } },
    'error: Error: a\n            03:04:05  b\\u{1b}[2J\\r\\t'
  ],
  [{ level: 60, msg: 'x', err: { stack: 'Error: broken at a' } }, 'error: Error: broken at a'],
  [{ level: 50, msg: '1 fault in the data' }, 'error: 1 fault in the data'],
  [{ level: 40, msg: 'Redis is away' }, 'warning: Redis is away'],
  [{ msg: 'Redis is back' }, 'Redis is back']
]

test('a person reads one short line for each entry', async t => {
  for (const [entry, line] of entries) {
    t.equal(readableLine(JSON.stringify({ level: 30, time, ...entry })), `  03:04:05  ${line}\n`, line)
  }
})

test('a status is green, yellow or red, a cut response red, and the time dim', async t => {
  const request = { level: 30, time, msg: '', method: 'GET', url: '/', ms: 1 }
  const colourOf = (entry: object) => {
    return readableLine(JSON.stringify({ ...request, ...entry }), (style, text) => `<${String(style)} ${text}>`)
  }
  t.equal(colourOf({ status: 304 }), '  <dim 03:04:05>  <green 304> <dim    1 ms>  GET /\n')
  t.match(colourOf({ status: 404 }), '<yellow 404>')
  t.match(colourOf({ status: 500 }), '<red 500>')
  t.match(colourOf({ status: 200, cut: true }), '<red cut>')
})

test('property: whatever a client sends, its entry is one printable line', async t => {
  fc.assert(fc.property(anyText, anyText, fc.constantFrom('msg', 'url', 'method', 'simulated'), (method, text, key) => {
    for (const entry of [
      { method, url: text, simulated: text, status: 200 },
      { msg: text },
      { method, url: text, err: { stack: 'Error' } }
    ]) {
      const odd = key in entry ? { [key]: `a\x1b[2J\n\u202e${text}` } : {}
      const line = readableLine(JSON.stringify({ level: 40, time, msg: '', ...entry, ...odd }))
      if (!/^ {2}03:04:05 {2}[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*\n$/u.test(line)) return false
    }
    return true
  }))
  t.pass()
})
