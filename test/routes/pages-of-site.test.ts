import { test } from 'tap'
import { build, catalogue } from '../helper.ts'

test('files of pages are served with their type and max-age', async t => {
  const app = await build(t)
  const { body } = await app.inject('/')
  const assets = [...new Set([...body.matchAll(/(?:href|src)="(\/assets[^"]+)"/g)].map(([, path]) => path as string))]
  t.equal(assets.length, 4)
  for (const path of assets) {
    t.match(await app.inject(path), { statusCode: 200, headers: { 'cache-control': 'public, max-age=31536000, immutable', 'content-type': /^(?:text\/(?:css|javascript); charset=utf-8|image\/svg\+xml)$/ } }, path)
  }
  for (const [path, type, body] of [
    ['/favicon.svg', 'image/svg+xml', '<svg'], ['/favicon.ico', 'image/svg+xml', '<svg'],
    ['/robots.txt', 'text/plain; charset=utf-8', 'User-agent: *\nDisallow: /api/\nDisallow: /tokens/\n']
  ] as const) t.match(await app.inject(path), { statusCode: 200, body, headers: { 'cache-control': 'public, max-age=86400', 'content-type': type } }, path)
})

test('the home page shows counts, snippets with the origin of the request, and the state of the data; a list links to every list', async t => {
  const app = await build(t)
  const { body } = await app.inject({ url: '/', headers: { host: 'bikes.test:8080' } })
  for (const text of [`<td class="number">${catalogue.wheels.length}</td>`, 'http://bikes.test:8080/api/v1/bikes/', catalogue.digest]) t.match(body, text, text)
  const [, navigation = ''] = /<nav class="chips wrap" aria-label="Lists">(.*?)<\/nav>/s.exec((await app.inject('/api/v1/saddles/?format=api')).body) ?? []
  t.same([...navigation.matchAll(/>([^<]+)<\/a>/g)].map(([, name]) => name), ['Bikes', 'Featured', 'Wheels', 'Tyres', 'Chains', 'Groupsets', 'Brakes', 'Saddles', 'Handlebars', 'Version 2.1'])
  const plain = await build(t, {}, { ...catalogue, bikes: [] })
  t.notMatch((await plain.inject('/')).body, 'class="strip"')
})

test('each id of a page is unique, and each link within the page has a target', async t => {
  const app = await build(t)
  for (const url of ['/', '/changelog/', '/versioning/', '/docs/', '/docs/contract/', '/tokens/', '/api/v1/bikes/?format=api']) {
    const { body } = await app.inject(url)
    const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    t.strictSame(ids.filter((id, index) => ids.indexOf(id) !== index), [], url)
    t.strictSame([...body.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id).filter(id => !ids.includes(id)), [], url)
  }
})
