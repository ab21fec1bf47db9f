import { t, test } from 'tap'
import { start } from '../../src/start.ts'
import { shared } from '../helper.ts'

const base = '/catalogue'
const publicUrl = `https://bikes.test${base}`
const { inject } = shared(t, { publicUrl, tokens: ['sekret'], simulate: true })

/** Requests with the responses that they get with and without the base path. */
const cases: [url: string, status: number, body: string, location?: string][] = [
  ['/api/v1/saddles/?page=2&page_size=1', 200, `"next":"${publicUrl}/api/v1/saddles/?page=3&page_size=1"`],
  ['/api/v1/bikes/featured/', 200, `"featured_image":"${publicUrl}/media/`],
  ['/api/v1/%62ikes/?page=1', 200, `"next":"${publicUrl}/api/v1/bikes/?page=2"`],
  ['/api/v1/wheels?x=1', 301, '', `${base}/api/v1/wheels/?x=1`],
  ['/api/v2/bikes/', 401, 'credentials'], ['/media/bikes/nope.jpg', 404, 'Not found.'], ['/nope/', 404, 'Not found.'],
  ['/livez', 200, 'ok'], ['/', 200, `${publicUrl}/api/v1/bikes/`],
  ['/openapi.json', 200, `"servers":[{"url":"${base}"`], ['/openapi.yaml', 200, `"url": "${base}"`]
]

test('everything is served with and without the path of the public URL', async t => {
  for (const [url, statusCode, body, location] of cases) {
    for (const target of [url, base + url]) {
      const answer = await inject(target)
      t.match(answer, { statusCode, body }, target)
      t.equal(answer.headers.location, location, target)
    }
  }
  for (const target of ['/%63atalogue/livez', '/c%61talogue/api/v1/%62ikes/?page=1']) {
    t.equal((await inject(target)).statusCode, 200, target)
  }
  t.equal((await inject('/catalogue%2Flivez')).statusCode, 404)
  t.match(await inject(base), { statusCode: 200, headers: { 'content-type': /html/ } })
  t.match(await inject(`${base}?x=1`), { statusCode: 200 })
  for (const target of [`${base}x/livez`, `${base}${base}/livez`, '/other/livez', `${base}//livez`]) {
    t.match(await inject(target), { statusCode: 404 }, target)
  }
})

test('every link, form, script and image of every page leads below the base path', async t => {
  const headers = { accept: 'text/html,*/*;q=0.1', authorization: 'Token sekret' }
  const seen = new Set<string>()
  const open = [`${base}/`]
  for (const target of open) {
    const { statusCode, headers: { 'content-type': type }, body } = await inject({ url: target, headers })
    t.equal(statusCode, 200, target)
    if (!String(type).startsWith('text/html')) continue
    const links = [...body.matchAll(/ (?:href|src|action|data-token)="([^"#]+)/g)].map(([, link]) => link as string)
    const sets = [...body.matchAll(/ srcset="([^"]+)/g)].flatMap(([, list = '']) => list.split(', '))
    const sources = sets.map(source => source.split(' ')[0] as string)
    for (const link of [...links, ...sources].map(link => link.replaceAll('&amp;', '&').replace(/#.*/, ''))) {
      const isOutside = /^https:|^http:\/\/(?:localhost|127\.0\.0\.1):/.test(link)
      t.ok(link.startsWith(`${base}/`) || isOutside, `${link} on ${target}`)
      const path = link.replace(/\?.*/, '') // one page of a list stands for all
      if (!seen.has(path) && link.startsWith(base)) open.push(link)
      seen.add(path)
    }
  }
  t.ok(seen.size > 100)
})

test('a public URL whose path begins like a path of the server is refused', async t => {
  for (const [path, own] of [
    ['/api', '/api/v1/bikes/'],
    ['/docs', '/docs/'],
    ['/media/x', '/media/'],
    ['/livez/', '/livez'],
    ['/tokens', '/tokens/']
  ]) {
    await t.rejects(start({ publicUrl: `https://bikes.test${path}` }), {
      name: 'SettingsError',
      message: `--public-url must not have the path ${path?.replace(/\/$/, '')}: the server itself has ${own}`
    })
  }
  const server = await start({ publicUrl: 'https://bikes.test/apis' })
  await server.close()
})
