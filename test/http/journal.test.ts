import type { FastifyRequest } from 'fastify'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { mock } from 'node:test'
import { test } from 'tap'
import { createAnswerLog, createJournal } from '../../src/http/journal.ts'

const cases: [url: string, logged: string][] = [
  ['/api/v1/bikes/?ordering=-title&page=2', '/api/v1/bikes/?ordering=-title&page=2'],
  ['/api/v1/brakes/%20x?a=%C3%A9', '/api/v1/brakes/%20x?a=%C3%A9'],
  ['/api/v2/bikes/?token=abc&page=1', '/api/v2/bikes/?token=*&page=1'],
  ['/?Access_Token=a?b=c&api-key=d&password&x=1', '/?Access_Token=*&api-key=*&password&x=1'],
  ['/?%74oken=abc', '/?token=*'],
  ['/?Authorization=Token+abc', '/?Authorization=*'],
  ['/api/v2/bikes/s3cret', '/api/v2/bikes/*'],
  ['/s3cret-and-longer/?q=%73%33cret', '/*/?q=*'],
  ['/?a=Token%20s3cret#s3cret', '/?a=Token%20*#*'],
  ['/?a=gr%C3%BCn', '/?a=*'],
  ['/bct_o181-SzOqr7T0_AABrAZUvJmb5N4jQ/x?y=bct_1&z=%62ct_2', '/*/x?y=*&z=*'],
  ['/%ZZ/bct_1', '/%ZZ/*']
]

test('no token stands in the log, in whatever part of an address it is and however it is escaped', async t => {
  const lines: string[] = []
  const journal = createJournal('info', { write: line => lines.push(line) }, () => ['s3cret-and-longer', 's3cret', 'grün'])
  for (const [url] of cases) journal.info({ url })
  t.strictSame(lines.map(line => (JSON.parse(line) as { url: string }).url), cases.map(([, logged]) => logged))
})

test('a journal that knows of no secret leaves addresses as they are, but for what looks like one', async t => {
  const lines: string[] = []
  const journal = createJournal('info', { write: line => lines.push(line) })
  for (const url of ['/a/?q=s3cret', '/?token=abc']) journal.info({ url })
  t.strictSame(lines.map(line => (JSON.parse(line) as { url: string }).url), ['/a/?q=s3cret', '/?token=*'])
})

const answer = (writableFinished = true, destroyed = false) =>
  Object.assign(new EventEmitter(), { statusCode: 200, writableFinished, req: { socket: { destroyed } } }) as unknown as ServerResponse

test('an answer is logged when it was handed over, and not when its client had left', t => {
  const lines: string[] = []
  const log = createAnswerLog({ write: line => lines.push(line) }, () => [])
  const request = { method: 'GET', originalUrl: '/', ip: '::1', askedAt: 0 } as FastifyRequest
  log(request, answer())
  t.equal(lines.length, 1)
  log(request, answer(true, true))
  const later = answer(false)
  log(request, later)
  t.equal(lines.length, 1)
  later.emit('finish')
  t.equal(lines.length, 2)
  t.end()
})

test('an answer is logged with its time in milliseconds, to a tenth, and with escapes where JSON has them', async t => {
  const lines: string[] = []
  const log = createAnswerLog({ write: line => lines.push(line) }, () => [])
  mock.method(performance, 'now', () => 1000)
  t.teardown(() => mock.restoreAll())
  for (const [ms, originalUrl, ip] of [[0, '/', '::1'], [3.14159, '/"', 'a\\b'], [250, '/é\x7f', '"']] as const) {
    log({ method: 'GET', originalUrl, ip, askedAt: 1000 - ms } as FastifyRequest, answer())
  }
  t.match(lines.map(line => JSON.parse(line) as object), [
    { level: 30, method: 'GET', url: '/', status: 200, ms: 0, ip: '::1', msg: 'answered' },
    { url: '/"', ms: 3.1, ip: 'a\\b' },
    { url: '/é\x7f', ms: 250, ip: '"' }
  ])
})
