import { test } from 'tap'
import type { Bike } from '../../schemas/v1/bike.ts'
import { resources } from '../../src/lists/resources.ts'
import { build, catalogue } from '../helper.ts'

const token = { authorization: 'Token sekret' }
const settings = { tokens: ['sekret'] }

test('a page shows the headers that its JSON has', async t => {
  const app = await build(t, settings)
  for (const { path } of resources) {
    for (const query of ['', '?page=1&page_size=5', '?ordering=-title&unknown=%3C']) {
      const page = await app.inject({ url: path + query, headers: { ...token, accept: 'text/html' } })
      const json = await app.inject({ url: path + query, headers: token })
      const [, fields = ''] = /<dl class="headers">([^]*?)<\/dl>/.exec(page.body) ?? []
      const shown = [...fields.matchAll(/<dt>([A-Za-z-]+)<\/dt><dd>(.*?)<\/dd>/g)].map(([, name, value]) => [name, value])
      t.same(shown.map(([name]) => name), ['Allow', 'Cache-Control', 'Content-Length', 'Content-Type', 'ETag', 'Last-Modified', 'Vary'])
      for (const [name = '', value = ''] of shown) t.equal(value.replaceAll('&#34;', '"').replaceAll('&#61;', '='), String(json.headers[name.toLowerCase()]), `${path}${query} ${name}`)
      t.not(page.headers.etag, json.headers.etag)
      t.match(page.headers, { 'content-security-policy': /^default-src 'none'/, vary: /^Accept$/ })
    }
  }
})

test('a page is small, holds no style or script of its own, and each link to a record finds it', async t => {
  const app = await build(t, settings)
  const pages = new Map<string, string>()
  async function read (url: string): Promise<string> {
    const body = pages.get(url) ?? (await app.inject({ url, headers: token })).body
    pages.set(url, body)
    return body
  }
  const starts = resources.flatMap(({ path }) => [1, 2, 3, 4].map(page => `${path}?format=api&page=${page}&page_size=12`))
  let links = 0
  const broken: string[] = []
  for (const start of [...resources.map(({ path }) => `${path}?format=api`), ...starts]) {
    const body = await read(start)
    t.ok(Buffer.byteLength(body) < 45_000, `${start} has ${Buffer.byteLength(body)} bytes`)
    t.notMatch(body, /<style| style=|<script>| on[a-z]+=/, start)
    t.notMatch(body, /<(?:button|input)(?![^>]* type=)/, start)
    for (const [, url = '', id = ''] of body.matchAll(/href="(\/api\/[^"#]+)#([a-z]+-\d+)"/g)) {
      links++
      if (!(await read(url)).includes(`id="${id}"`)) broken.push(`${start} leads to ${url}#${id}`)
    }
  }
  t.same(broken, [])
  t.ok(links > 500, `${links} links`)
})

test('a link to a record finds it where every list comes in pages of another size, too', async t => {
  const app = await build(t, { paginate: 'always', pageSize: 4 })
  const { body } = await app.inject('/api/v1/bikes/?format=api&page_size=100')
  t.match((await app.inject('/api/v1/bikes/?format=api')).body, '<option value="" selected>4<')
  const links = [...body.matchAll(/href="(\/api\/[^"#]+)#([a-z]+-\d+)"/g)]
  t.ok(links.length > 10, `${links.length} links`)
  for (const [, url = '', id = ''] of links) t.match((await app.inject(url)).body, `id="${id}"`)
})

test('whoever writes a record can not write a page', async t => {
  const evil = '"><script>alert(1)</script>!'
  const bikes = catalogue.bikes.map(bike => ({ ...bike, title: evil, colour: evil, description: evil, image_url: evil, category: { slug: evil, name: evil }, wheels: bike.wheels && { ...bike.wheels, brand_name: evil } }))
  const wheels = catalogue.wheels.map(wheel => ({ ...wheel, brand_name: evil, description: evil, rimdepth: evil, image_url: evil }))
  const saddles = catalogue.saddles.map(saddle => ({ ...saddle, brand: evil, model: evil }))
  const app = await build(t, {}, { ...catalogue, bikes, wheels, saddles })
  for (const url of ['/', '/api/v1/bikes/?format=api', '/api/v1/wheels/?format=api', '/api/v1/saddles/?format=api']) {
    const { body, statusCode } = await app.inject(url)
    t.equal(statusCode, 200)
    for (const text of ['<script>', '"">']) t.notMatch(body, text, url)
  }
})

test('a list of a thousand bikes gives a small page', async t => {
  const bike = catalogue.bikes[0] as Bike
  const bikes = Array.from({ length: 1000 }, (_, index) => ({ ...bike, id: index + 1, similar_bikes: [1000] }))
  const app = await build(t, {}, { ...catalogue, bikes })
  const { body } = await app.inject('/api/v1/bikes/?format=api')
  t.ok(body.length < 45_000)
  for (const text of ['The first 10 of the 1000 records in this response', 'page=100#bike-1000']) t.match(body, text)
  t.match((await app.inject('/api/v1/wheels/?format=api')).body, / and \d+ more<\/bdi>/)
})

test('an empty list, a first and a last page', async t => {
  const app = await build(t, {}, { ...catalogue, bikes: [] })
  t.match((await app.inject('/api/v1/bikes/?format=api')).body, 'This list has no records.')
  const full = await build(t)
  for (const [query, shows, hides] of [
    ['bikes/?format=api&page=1&ordering=-title', /Page 1 of 5[^]*<input type="hidden" name="ordering" value="-title">[^]*rel="next"/, 'rel="prev"'],
    ['bikes/?format=api&page=last', /Page 5 of 5[^]*rel="prev"/, 'rel="next"'], ['brakes/?format=api&page=1&page_size=100', /Brakes/, 'aria-label="Pages"']
  ] as const) {
    const { body } = await full.inject(`/api/v1/${query}`)
    t.match(body, shows, query)
    t.notMatch(body, hides, query)
  }
})

const forms: [query: string, isInPages: boolean, size: string][] = [
  ['', false, ''], ['&page_size=20', false, ''], ['&page=1', true, ''], ['&page=2&page_size=10', true, ''],
  ['&page=1&page_size=20', true, '20'], ['&page=1&page_size=7', true, '7']
]

test('the form sends a page of a list in pages, of any where every list comes in pages, and its size only where it is not the usual one', async t => {
  const app = await build(t)
  for (const [query, isInPages, size] of forms) {
    const { body } = await app.inject(`/api/v1/brakes/?format=api${query}`)
    const [form = ''] = /<form class="controls"[^]*?<\/form>/.exec(body) ?? []
    t.equal(/name="page" value="1"( checked)?>/.exec(form)?.[1] !== undefined, isInPages, query)
    t.same([...form.matchAll(/<option value="(\d*)" selected>/g)].map(([, value]) => value).at(-1), size, query)
    t.equal(form.includes('<option value="7"'), size === '7', query)
    t.equal(form.split('<button').length, 2, query)
    t.notMatch(form, 'name="page" value=""', query)
  }
  const { body } = await (await build(t, { paginate: 'always' })).inject('/api/v1/brakes/?format=api')
  t.match(body, '<input type="hidden" name="page" value="1">')
  t.notMatch(body, 'type="checkbox"')
})

test('the form of version 2.1 holds the filters that are set; the JSON of one record is shown in full', async t => {
  const app = await build(t, settings)
  const { body: one } = await app.inject({ url: '/api/v2/bikes/?format=api&page=3&page_size=1', headers: token })
  t.match(one, /<b>&#34;next&#34;<\/b>: &#34;<a href="http:\/\/localhost:80\/api\/v2\/bikes\/\?page&#61;4&#38;page_size&#61;1">[^]*&#34;specifications&#34;/)
  t.notMatch(one, '  …\n')
  const get = async (query: string) => (await app.inject({ url: `/api/v2/bikes/?format=api${query}`, headers: token })).body
  const plain = await get('')
  t.match(plain, '<details><summary>Filters, ordering and pages</summary>')
  t.match(plain, 'name="search" value="" type="search"')
  const set = await get('&search=%22a&brand=Trek,Giant&is_electronic=true&year=2023&price__gte=10.5&price__lte=4000&date_added__lte=2026-01-01&page=1')
  for (const text of [
    'value="&#34;a"',
    '<option value="Trek,Giant" selected>Trek,Giant</option>', '<option value="true" selected>Yes</option>',
    '<input name="year" type="number" step="1" value="2023" aria-label="Year exactly">', '<input name="price__gte" type="number" step="any" value="10.5"', '<bdi>price up to 4,000</bdi>',
    '<input name="date_added__lte" type="date" value="2026-01-01"', '<input id="colour" name="colour" value="" type="text">'
  ]) t.match(set, text)
})

test('the page of version 2.1 tells a missing token from an invalid one', async t => {
  const app = await build(t, { ...settings, tokenForm: false })
  for (const [headers, text, invalid] of [[{}, 'Version 2.1 needs a token.', false], [{ authorization: 'Token other' }, 'The server does not accept this token.', true]] as const) {
    const { body } = await app.inject({ url: '/api/v2/bikes/?format=api', headers })
    t.match(body, text)
    t.equal(body.includes('aria-invalid="true"'), invalid)
  }
})
