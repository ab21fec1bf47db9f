import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { platform } from 'node:process'
import { t, test } from 'tap'
import { build, buildLogged, catalogue, open, readRaw, sendRaw, shared } from '../helper.ts'

const { inject, send } = shared(t, { tokens: ['x'] })

const file = `/media/bikes/${catalogue.bikes[0]?.slug}.jpg`

test('an image has its type, a long max-age and the hash of its bytes as tag', async t => {
  const { statusCode, headers, rawPayload } = await inject(file)
  const etag = `"${createHash('sha256').update(rawPayload).digest('base64url').slice(0, 27)}"`
  t.equal(statusCode, 200)
  t.match(headers, {
    'content-type': 'image/jpeg',
    'content-length': String(rawPayload.length),
    'cache-control': 'public, max-age=604800',
    etag,
    'last-modified': catalogue.updated.toUTCString(),
    'access-control-allow-origin': '*', 'x-content-type-options': 'nosniff'
  })
  const known = await inject({ url: file, headers: { 'if-none-match': etag } })
  t.match(known, { statusCode: 304, headers: { etag, 'cache-control': headers['cache-control'] } })
  t.match(await inject({ method: 'HEAD', url: file }), {
    headers: { etag, 'content-length': headers['content-length'] },
    body: /^$/
  })
  // Pages with Cross-Origin-Embedder-Policy show no other images.
  for (const request of [
    { url: file },
    { url: file, headers: { 'if-none-match': etag } },
    { url: file, method: 'HEAD' },
    { url: '/media/nope.jpg' }
  ] as const) {
    t.equal((await inject(request)).headers['cross-origin-resource-policy'], 'cross-origin', JSON.stringify(request))
  }
})

/** A catalogue with an image of ten bytes. */
const size = 10
const digits = {
  ...catalogue,
  images: new Map([['/media/di%20gits.png', { format: 'png', width: 1, height: 1, bytes: size }] as const])
}

const formats = { jpeg: 'image/jpeg', webp: 'image/webp', avif: 'image/avif', png: 'image/png' }

type ImageFile = { format: keyof typeof formats, url: string, bytes: number }

test('every image of the catalogue is served, with the type and size that image_formats gives', async t => {
  const { body } = await inject({ url: '/api/v2/bikes/', headers: { authorization: 'Token x' } })
  const names = ['bikes', 'wheels', 'tyres', 'chains', 'groupsets']
  const lists = await Promise.all(names.map(async name => (await inject(`/api/v1/${name}/`)).body))
  const urls = new Set([body, ...lists].join().match(/http:\/\/localhost:80\/media\/[^"]+/g))
  t.ok(urls.size > 100)
  for (const resource of ['wheels', 'tyres', 'chains', 'groupsets', 'brakes', 'saddles', 'handlebars'] as const) {
    for (const { id } of catalogue[resource]) urls.add(`/media/${resource}/${id}.jpg`)
  }
  for (const url of urls) t.equal((await inject({ method: 'HEAD', url })).statusCode, 200, url)
  for (const { image_formats: files } of JSON.parse(body) as { image_formats: ImageFile[] }[]) {
    for (const { format, url, bytes } of files) {
      const { headers } = await inject({ method: 'HEAD', url })
      t.match(headers, { 'content-type': formats[format], 'content-length': String(bytes) }, url)
    }
  }
})

const nothing = [
  '/media/', '/media', '/media/bikes/', '/media/bikes', '/media/nope.jpg', '/media/manifest.json',
  '/media/../v1/bikes.json', '/media/%2e%2e/v1/bikes.json',
  '/media/..%2fv1%2fbikes.json', '/media/..%5cv1%5cbikes.json', '/media/%00.jpg', '/media/.hidden.jpg',
  '/media//etc/passwd', '/media/%zz.jpg', `/media/${'a'.repeat(5000)}.jpg`
]

test('only images of the catalogue are served below /media/: no listing and no other file', async t => {
  for (const target of nothing) {
    const request = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
    const { status, body } = readRaw(await send(request))
    t.ok(status >= 400 && status < 500, `${status} ${target.slice(0, 60)}`)
    t.match(JSON.parse(body), { detail: /\.$/ }, target.slice(0, 60))
  }
  t.equal((await inject({ method: 'POST', url: file })).statusCode, 405)
  const own = await build(t, { data: t.testdir({ media: { 'di gits.png': 'own', 'other.png': 'other' } }) }, digits)
  t.match(await own.inject('/media/di%20gits.png'), {
    statusCode: 200, headers: { 'content-type': 'image/png' }, body: 'own'
  })
  for (const url of [file, '/media/other.png']) t.equal((await own.inject(url)).statusCode, 404, url)
})

test('an unreadable image is 500', async t => {
  const { app, log } = await buildLogged(t, { data: t.testdir({ media: {} }) }, digits)
  const { statusCode, headers, body } = await app.inject('/media/di%20gits.png')
  t.strictSame([statusCode, headers['cache-control'], body], [500, 'no-store', '{"detail":"Internal server error."}'])
  t.match(log, [{ err: { code: 'ENOENT' } }])
})

const onlyLinux = { skip: platform !== 'linux' }

test('clients that leave while they request many images hold no file open', onlyLinux, async t => {
  const app = await build(t)
  await sendRaw(app, `GET ${file} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  const before = readdirSync('/proc/self/fd').length
  const [socket, served] = await open(app.server)
  const closed = once(served, 'close')
  socket.write(`GET ${file} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(600))
  await once(socket, 'data')
  socket.resetAndDestroy()
  await closed.catch(() => {})
  t.equal(readdirSync('/proc/self/fd').length, before)
})
