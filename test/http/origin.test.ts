import fc from 'fast-check'
import type { FastifyRequest } from 'fastify'
import { test } from 'tap'
import { errors } from '../../src/http/errors.ts'
import { createTrust } from '../../src/http/forwarded.ts'
import { createOriginReader } from '../../src/http/origin.ts'
import { build, sendRaw } from '../helper.ts'

function request (host: string, protocol = 'http', localAddress = '127.0.0.1', httpVersion = '1.0'): FastifyRequest {
  const headers = host === '' ? {} : { host }
  return {
    host, protocol, headers, raw: { httpVersion }, socket: { localAddress, localPort: 3000 }
  } as unknown as FastifyRequest
}

test('the origin is the scheme and host of the request itself, or the server\'s address for HTTP/1.0', async t => {
  const originOf = createOriginReader(undefined, createTrust(false))
  const hosts = [['a', 'http'], ['a', 'http'], ['a', 'https'], ['b:1', 'https'], ['a', 'http']] as const
  for (const [host, protocol] of hosts) {
    t.equal(originOf(request(host, protocol)), `${protocol}://${host}`, host)
  }
  t.throws(() => originOf(request('bad host')), errors.badRequest())
  t.equal(originOf(request('a')), 'http://a')
  t.equal(originOf(request('')), 'http://127.0.0.1:3000')
  t.equal(originOf(request('', 'http', '::1')), 'http://[::1]:3000')
  t.throws(() => originOf(request('', 'http', '127.0.0.1', '1.1')), errors.badRequest())
})

test('a first request without host and scheme has the address of the server in its links', async t => {
  const app = await build(t, { trustProxy: true })
  const request = 'GET /api/v1/saddles/?page=1 HTTP/1.0\r\nX-Forwarded-Proto: http,\r\n\r\n'
  const [, next] = /"next":"([^"]*)"/.exec(await sendRaw(app, request)) ?? []
  t.match(next, /^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/saddles\/\?page=2$/)
})

test('a public URL replaces every origin; an invalid Host stays 400', async t => {
  const originOf = createOriginReader('https://bikes.test', createTrust(false))
  for (const host of ['a', 'a', 'b']) t.equal(originOf(request(host)), 'https://bikes.test', host)
  t.throws(() => originOf(request('bad host')), errors.badRequest())
})

for (const { trustProxy = true, headers, origin } of [
  {
    trustProxy: false,
    headers: { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' },
    origin: 'http://a'
  },
  { headers: { 'x-forwarded-proto': 'https' }, origin: 'https://a' },
  { headers: { 'x-forwarded-proto': 'HTTPS' }, origin: 'https://a' },
  { headers: { 'x-forwarded-proto': 'http, https' }, origin: 'https://a' },
  { headers: { 'x-forwarded-proto': 'https, javascript:alert(1)//' }, origin: 'http://a' },
  { headers: { 'x-forwarded-proto': 'x","a":"' }, origin: 'http://a' },
  { headers: { 'x-forwarded-proto': 'httpsx' }, origin: 'http://a' },
  { headers: { 'x-forwarded-host': 'b:81' }, origin: 'http://b:81' },
  { headers: { 'x-forwarded-host': '$(cmd)' }, origin: 'http://a' },
  { headers: { 'x-forwarded-host': 'c, b/c' }, origin: 'http://a' }
]) {
  test(`a proxy, trusted: ${trustProxy}, says ${JSON.stringify(headers)}`, async t => {
    const app = await build(t, { trustProxy })
    for (const host of ['z', 'a']) {
      const page = await app.inject({ url: '/api/v1/brakes/?page=1', headers: { ...headers, host } })
      const { next } = page.json<{ next: string }>()
      t.equal(next, `${origin.replace('//a', `//${host}`)}/api/v1/brakes/?page=2`, host)
    }
  })
}

const chain = '203.0.113.9, 198.51.100.1, 10.0.0.1' // a forged entry, the client, the proxy before the last one
const hosts = 'evil.example, api.example, inner'
const schemes = 'http, https, http'

for (const { trustProxy, headers, origin } of [
  { trustProxy: 1, headers: { 'x-forwarded-for': chain }, origin: 'http://inner' },
  { trustProxy: 2, headers: { 'x-forwarded-for': chain }, origin: 'https://api.example' },
  { trustProxy: ['127.0.0.1', '10.0.0.1'], headers: { 'x-forwarded-for': chain }, origin: 'https://api.example' },
  {
    trustProxy: ['127.0.0.1', '10.0.0.1'],
    headers: { 'x-forwarded-for': '198.51.100.1:1, 10.0.0.1:2' },
    origin: 'https://api.example'
  },
  { trustProxy: 2, headers: { 'x-forwarded-for': 'unknown, 10.0.0.1' }, origin: 'http://inner' },
  { trustProxy: 3, headers: { 'x-forwarded-for': chain }, origin: 'http://evil.example' },
  // The second proxy replaces what the first one says.
  { trustProxy: 2, headers: { 'x-forwarded-for': chain, 'x-forwarded-proto': 'https' }, origin: 'https://api.example' },
  { trustProxy: 9, headers: { 'x-forwarded-for': chain, 'x-forwarded-host': 'a, b' }, origin: 'http://a' }
]) {
  const name = `${JSON.stringify(trustProxy)}: ${JSON.stringify(headers)}`
  test(`the origin is of the client's hop with trust-proxy ${name}`, async t => {
    const app = await build(t, { trustProxy })
    const sent = { 'x-forwarded-host': hosts, 'x-forwarded-proto': schemes, ...headers }
    const { next } = (await app.inject({ url: '/api/v1/brakes/?page=1', headers: sent })).json<{ next: string }>()
    t.equal(next, `${origin}/api/v1/brakes/?page=2`)
  })
}

test('an origin is a scheme and a host for any headers, or the answer is 400', async t => {
  const app = await build(t, { trustProxy: ['127.0.0.1'] })
  const headers = { host: 'bad host', 'x-forwarded-host': '/' }
  t.equal((await app.inject({ url: '/api/v1/brakes/', headers })).statusCode, 400)
  const text = fc.string()
  await fc.assert(fc.asyncProperty(text, text, text, async (host, forwarded, proto) => {
    const headers = { host, 'x-forwarded-host': forwarded, 'x-forwarded-proto': proto }
    const answer = await app.inject({ url: '/api/v1/brakes/?page=1', headers })
    if (answer.statusCode === 400) return true
    const { next } = answer.json() as { next: string }
    return /^https?:\/\/[\w.:[\]-]+\/api\/v1\/brakes\/\?page=2$/.test(next)
  }))
})
