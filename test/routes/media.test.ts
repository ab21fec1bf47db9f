import { test } from 'tap'
import { build, catalogue, readRaw, sendRaw } from '../helper.ts'

const file = `/media/bikes/${catalogue.bikes[0]?.slug}.jpg`

test('a picture has its type, a long life and a tag', async t => {
  const app = await build(t)
  const answer = await app.inject(file)
  t.equal(answer.statusCode, 200)
  t.match(answer.headers, {
    'content-type': 'image/jpeg',
    'cache-control': 'public, max-age=604800',
    etag: /.+/,
    'last-modified': /GMT$/,
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff'
  })
  t.equal((await app.inject({ url: file, headers: { 'if-none-match': String(answer.headers.etag) } })).statusCode, 304)
  t.equal((await app.inject({ url: file, headers: { range: 'bytes=0-3' } })).statusCode, 206)
})

const formats = { jpeg: 'image/jpeg', webp: 'image/webp', avif: 'image/avif', png: 'image/png' }

test('every picture of the catalogue is there, and is what image_formats says', async t => {
  const app = await build(t, { tokens: ['x'] })
  const { body } = await app.inject({ url: '/api/v2/bikes/', headers: { authorization: 'Token x' } })
  const lists = await Promise.all(['bikes', 'wheels', 'tyres', 'chains', 'groupsets'].map(async name => (await app.inject(`/api/v1/${name}/`)).body))
  const urls = new Set([body, ...lists].join().match(/http:\/\/localhost:80\/media\/[^"]+/g))
  t.ok(urls.size > 100)
  for (const url of urls) t.equal((await app.inject({ method: 'HEAD', url })).statusCode, 200, url)
  for (const { image_formats: files } of JSON.parse(body) as { image_formats: { format: keyof typeof formats, url: string, bytes: number }[] }[]) {
    for (const { format, url, bytes } of files) {
      const { headers } = await app.inject({ method: 'HEAD', url })
      t.match(headers, { 'content-type': formats[format], 'content-length': String(bytes) }, url)
    }
  }
})

test('a picture of every record of every resource is there', async t => {
  const app = await build(t)
  for (const resource of ['wheels', 'tyres', 'chains', 'groupsets', 'brakes', 'saddles', 'handlebars'] as const) {
    for (const { id } of catalogue[resource]) t.equal((await app.inject({ method: 'HEAD', url: `/media/${resource}/${id}.jpg` })).statusCode, 200, `${resource} ${id}`)
  }
})

const nothing = [
  '/media/', '/media', '/media/bikes/', '/media/bikes', '/media/nope.jpg', '/media/manifest.json', '/media/../v1/bikes.json', '/media/%2e%2e/v1/bikes.json',
  '/media/..%2fv1%2fbikes.json', '/media/..%5cv1%5cbikes.json', '/media/%00.jpg', '/media/.hidden.jpg', '/media//etc/passwd', '/media/%zz.jpg', `/media/${'a'.repeat(5000)}.jpg`
]

test('there is nothing else below /media/, no listing and no way out', async t => {
  const app = await build(t)
  for (const target of nothing) {
    const { status, body } = readRaw(await sendRaw(app, `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`))
    t.ok(status >= 400 && status < 500, `${status} ${target.slice(0, 60)}`)
    t.match(JSON.parse(body), { detail: /\.$/ }, target.slice(0, 60))
  }
  t.equal((await app.inject({ method: 'POST', url: file })).statusCode, 404)
})

test('a data directory without pictures shows the package\'s own', async t => {
  const app = await build(t, { data: t.testdir({}) })
  t.equal((await app.inject(file)).statusCode, 200)
})
