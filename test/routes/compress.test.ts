import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { LightMyRequestResponse } from 'fastify'
import { t, test } from 'tap'
import { assets } from '../../src/site/layout.ts'
import { readRaw, shared } from '../helper.ts'

const { inject, send } = shared(t, { compress: true, tokens: ['ci'] })
const uncompressed = shared(t, { tokens: ['ci'] })
const list = '/api/v1/bikes/'
const vary = 'Accept, Accept-Encoding'

const decoders = { br: brotliDecompressSync, gzip: gunzipSync, identity: (body: Buffer) => body }

/** A path of each kind; its responses have more than 1,000 bytes. */
const addresses = [
  list, `${list}?page=2`, `${list}?format=api`, '/api/v2/bikes/?page=1',
  '/', '/docs/', '/openapi.json', '/openapi.yaml', assets.style.path, assets.script.path
]

/** Requests a response in a coding. */
type Method = 'GET' | 'HEAD' | 'POST' | 'OPTIONS'

async function ask (url: string, accepted?: string, headers = {}, method: Method = 'GET', send = inject) {
  const coding = accepted === undefined ? {} : { 'accept-encoding': accepted }
  return send({ method, url, headers: { host: 'bikes.test', authorization: 'Token ci', ...coding, ...headers } })
}

const headersOf = ({ headers: { date, ...headers } }: LightMyRequestResponse) => headers

test('without the setting nothing is compressed or varies; an uncompressed list is the same with it', async t => {
  const askUncompressed = async (url: string, accepted?: string) => ask(url, accepted, {}, 'GET', uncompressed.inject)
  for (const url of addresses) {
    const [refusing, whole] = [await askUncompressed(url, 'br, identity;q=0'), await askUncompressed(url)]
    t.same([refusing.statusCode, headersOf(refusing), refusing.body], [200, headersOf(whole), whole.body], url)
    t.equal(whole.headers.vary, url.startsWith('/api/') ? 'Accept' : undefined, url)
  }
  const [one, other] = [await askUncompressed(list), await ask(list)]
  t.same([one.body, { ...headersOf(one), vary }], [other.body, headersOf(other)])
})

for (const url of addresses) {
  test(`GET ${url} has the same content in each coding, and its own tag`, async t => {
    const whole = await ask(url)
    const tags = new Map<string, string>()
    for (const [coding, decode] of Object.entries(decoders)) {
      const answer = await ask(url, coding)
      const { 'content-encoding': encoding, 'content-length': length, etag, ...others } = headersOf(answer)
      const { 'content-length': _, etag: plainTag, ...expected } = headersOf(whole)
      t.strictSame([answer.statusCode, expected.vary, encoding, length], [
        200, vary, coding === 'identity' ? undefined : coding, String(answer.rawPayload.length)
      ], coding)
      t.same(others, expected, coding)
      const isSmaller = answer.rawPayload.length < whole.rawPayload.length / 1.5
      t.ok(coding === 'identity' ? etag === plainTag : isSmaller, `${coding}: ${length}`)
      t.equal(decode(answer.rawPayload).toString(), whole.body, coding)
      t.same(await ask(url, coding).then(headersOf), headersOf(answer), `${coding}, again`)
      const head = await ask(url, coding, {}, 'HEAD')
      t.same([head.statusCode, head.body, headersOf(head)], [200, '', headersOf(answer)], `HEAD ${coding}`)
      tags.set(coding, String(etag))
    }
    t.equal(new Set(tags.values()).size, 3)
    for (const [coding, etag] of tags) {
      const known = await ask(url, coding, { 'if-none-match': etag })
      t.same([known.statusCode, known.body, known.headers['content-encoding']], [304, '', undefined], coding)
      t.match(known.headers, { etag, vary, 'cache-control': String(whole.headers['cache-control']) }, coding)
      const other = await ask(url, coding === 'br' ? 'gzip' : 'br', { 'if-none-match': etag })
      t.equal(other.statusCode, 200, `the tag of ${coding} matches no other coding`)
    }
  })
}

test('short bodies are not compressed, unless the client refuses identity', async t => {
  for (const url of ['/api/v1/saddles/', '/robots.txt', assets.mark.path]) {
    const [whole, refused] = [await ask(url, 'br, gzip'), await ask(url, 'br, identity;q=0')]
    t.match(whole.headers, { vary, 'content-length': String(whole.body.length) }, url)
    t.equal(whole.headers['content-encoding'], undefined, url)
    t.match(refused.headers, { vary, 'content-encoding': 'br' }, url)
    t.equal(brotliDecompressSync(refused.rawPayload).toString(), whole.body, url)
  }
})

test('a request that accepts no coding is 406, as JSON or as a page, before it is 304', async t => {
  for (const url of [list, '/docs/']) {
    t.match(await ask(url, 'identity;q=0, zstd', { 'if-none-match': '*' }), {
      statusCode: 406, headers: { vary, 'cache-control': 'no-store', 'content-type': 'application/json' },
      body: '{"detail":"Could not satisfy the request Accept-Encoding header."}'
    }, url)
  }
  const head = [`GET ${list}?format=api HTTP/1.1`, 'Host: a', 'Accept-Encoding: *;q=0', 'Connection: close', '', '']
  const page = readRaw(await send(head.join('\r\n')))
  t.same([page.status, page.headers.get('content-type')], [406, 'text/html; charset=utf-8'])
})

test('errors, metadata and preflights are not compressed, and only responses of lists vary', async t => {
  const cors = { origin: 'http://app.test', 'access-control-request-method': 'GET' }
  for (const [status, answer] of [
    [404, ask(`${list}?page=99`, 'br')], [404, ask(`${list}?page=99&format=api`, 'br')],
    [405, ask(list, 'br', {}, 'POST')], [401, ask('/api/v2/bikes/', 'br', { authorization: 'Token x' })],
    [200, ask(list, 'br', {}, 'OPTIONS')],
    [204, ask(list, 'br', cors, 'OPTIONS')],
    [405, ask('/docs/', 'br', {}, 'POST')]
  ] as const) {
    const { statusCode, headers } = await answer
    t.same([statusCode, headers.vary, headers['content-encoding']], [status, vary, undefined], String(status))
  }
  const { image_url: image = '' } = (await ask(list)).json<{ image_url: string }[]>()[0]!
  for (const url of [new URL(image).pathname, '/tokens/', '/nope/', '/livez']) {
    const { headers } = await ask(url, 'br, identity;q=0')
    t.same([headers.vary, headers['content-encoding']], [undefined, undefined], url)
  }
})
