import type { FastifyRequest } from 'fastify'
import { test } from 'tap'
import { errors } from '../../src/http/errors.ts'
import { createOriginReader } from '../../src/http/origin.ts'

function request (host: string, protocol = 'http', localAddress = '127.0.0.1', httpVersion = '1.0'): FastifyRequest {
  return { host, protocol, raw: { httpVersion, headers: {} }, socket: { localAddress, localPort: 3000 } } as unknown as FastifyRequest
}

test('the origin is the scheme and host of each request, also after another', async t => {
  const originOf = createOriginReader(undefined)
  for (const [host, protocol] of [['a', 'http'], ['a', 'http'], ['a', 'https'], ['b:1', 'https'], ['a', 'http']] as const) {
    t.equal(originOf(request(host, protocol)), `${protocol}://${host}`)
  }
  t.throws(() => originOf(request('bad host')), errors.badRequest())
  t.equal(originOf(request('a')), 'http://a')
})

test('without a Host it is the address that was reached, for HTTP/1.0 only', async t => {
  const originOf = createOriginReader(undefined)
  t.equal(originOf(request('')), 'http://127.0.0.1:3000')
  t.equal(originOf(request('', 'http', '::1')), 'http://[::1]:3000')
  t.throws(() => originOf(request('', 'http', '127.0.0.1', '1.1')), errors.badRequest())
})

test('a public URL takes the place of every origin, but not of the check', async t => {
  const originOf = createOriginReader('https://bikes.test')
  for (const host of ['a', 'a', 'b']) t.equal(originOf(request(host)), 'https://bikes.test')
  t.throws(() => originOf(request('bad host')), errors.badRequest())
})
