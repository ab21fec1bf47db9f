import { t, test } from 'tap'
import { resources } from '../../src/lists/resources.ts'
import { build, catalogue, shared } from '../helper.ts'

const token = { authorization: 'Token sekret' }
const settings = { tokens: ['sekret'] }
const { inject } = shared(t, settings)

test('a page shows the headers that its JSON has', async t => {
  for (const { path } of resources) {
    for (const query of ['', '?page=1&page_size=5', '?ordering=-title&unknown=%3C']) {
      const page = await inject({ url: path + query, headers: { ...token, accept: 'text/html' } })
      const json = await inject({ url: path + query, headers: token })
      const [, headers = ''] = /<dl class="headers">(.*?)<\/dl>/s.exec(page.body) ?? []
      const shown = [...headers.matchAll(/<dt>([A-Za-z-]+)<\/dt><dd>(.*?)<\/dd>/g)].map(([, name, value]) => [name, value])
      t.same(shown.map(([name]) => name), ['allow', 'cache-control', 'content-length', 'content-type', 'etag', 'last-modified', 'vary'], query)
      for (const [name = '', value = ''] of shown) t.equal(value.replaceAll('&#34;', '"').replaceAll('&#61;', '='), String(json.headers[name]), `${path}${query} ${name}`)
      t.not(page.headers.etag, json.headers.etag, query)
      t.match(page.headers, { 'content-security-policy': /^default-src 'none'/, vary: /^Accept$/ }, query)
    }
  }
})

test('a page is small, holds no style or script of its own, and each link to a record finds it', async t => {
  const pages = new Map<string, string>()
  async function read (url: string): Promise<string> {
    const body = pages.get(url) ?? (await inject({ url, headers: token })).body
    pages.set(url, body)
    return body
  }
  const links = new Map<string, string>()
  for (const { path } of resources) {
    for (const url of [`${path}?format=api`, `${path}?format=api&page=2&page_size=5`, `${path}?format=api&page=3&page_size=1`]) {
      const body = await read(url)
      t.ok(Buffer.byteLength(body) < 45_000, `${url} has ${Buffer.byteLength(body)} bytes`)
      t.notMatch(body, /<style| style=|<script>| on[a-z]+=/, url)
      t.notMatch(body, /<(?:button|input)(?![^>]* type=)/, url)
      for (const [, link = '', id = ''] of body.matchAll(/href="(\/api\/[^"]+)"(?: title="[^"]*")?>(\d+)<\/a>/g)) links.set(unescape(link), id)
    }
  }
  t.ok(links.size > 100, `${links.size} links`)
  for (const [link, id] of links) t.match(await read(link), `<tr><th>id<td>${id}<td>integer`, link)
})

const unescape = (text: string) => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))

test('the head of a sortable column orders a list: ascending, descending, as before', async t => {
  const heads = async (query: string) => {
    const { body } = await inject({ url: `/api/v2/bikes/?format=api${query}`, headers: token })
    return [...body.matchAll(/<th scope="col"( class[^>]*)?><a href="([^"]*)">(\w+)</g)].map(([, sorted = '', link = '', name = '']) => [name, sorted.trim(), unescape(link)])
  }
  t.same((await heads('')).map(([name]) => name), ['id', 'title', 'brand', 'year', 'price', 'weight_kg', 'rating', 'review_count', 'view_count', 'favorites_count', 'date_added', 'date_updated'])
  for (const [query, index, head] of [
    ['&brand=Trek&page=2&page_size=2', 3, ['year', '', '/api/v2/bikes/?format=api&ordering=year&brand=Trek&page=1&page_size=2']],
    ['&ordering=year,-price', 3, ['year', 'class="ascending" aria-sort="ascending"', '/api/v2/bikes/?format=api&ordering=-year']],
    ['&ordering=year,-price', 4, ['price', 'class="descending"', '/api/v2/bikes/?format=api']],
    ['&ordering=-year&page=1', 3, ['year', 'class="descending" aria-sort="descending"', '/api/v2/bikes/?format=api&page=1']]
  ] as const) t.same((await heads(query))[index], head, query)
})

test('whoever writes a record can not write a page', async t => {
  const evil = '"><script>alert(1)</script>!'
  const bikes = catalogue.bikes.map(bike => ({ ...bike, title: evil, colour: evil, description: evil, image_url: evil, category: { slug: evil, name: evil }, wheels: bike.wheels && { ...bike.wheels, brand_name: evil } }))
  const wheels = catalogue.wheels.map(wheel => ({ ...wheel, brand_name: evil, description: evil, rimdepth: evil, image_url: evil }))
  const saddles = catalogue.saddles.map(saddle => ({ ...saddle, brand: evil, model: evil }))
  const app = await build(t, {}, { ...catalogue, bikes, wheels, saddles })
  for (const url of ['/', '/api/v1/bikes/?format=api', '/api/v1/wheels/?format=api', '/api/v1/saddles/?format=api']) {
    const { body, statusCode } = await app.inject(url)
    t.equal(statusCode, 200, url)
    for (const text of ['<script>', '"">']) t.notMatch(body, text, url)
  }
})

test('an empty list, a first and a last page', async t => {
  const app = await build(t, {}, { ...catalogue, bikes: [] })
  t.match((await app.inject('/api/v1/bikes/?format=api')).body, 'This list has no records.')
  for (const [query, shows, hides] of [
    ['bikes/?format=api&page=1&ordering=-title', /Page 1 of 5[^]*<input type="hidden" name="ordering" value="-title">[^]*rel="next"/, 'rel="prev"'],
    ['bikes/?format=api&page=last', /Page 5 of 5[^]*rel="prev"/, 'rel="next"'], ['brakes/?format=api&page=1&page_size=100', /Brakes/, 'aria-label="Pages"']
  ] as const) {
    const { body } = await inject(`/api/v1/${query}`)
    t.match(body, shows, query)
    t.notMatch(body, hides, query)
  }
})

const forms: [query: string, isInPages: boolean, size: string][] = [
  ['', false, ''], ['&page_size=20', false, ''], ['&page=1', true, ''], ['&page=2&page_size=10', true, ''],
  ['&page=1&page_size=20', true, '20'], ['&page=1&page_size=7', true, '7']
]

test('the form sends a page of a list in pages, of any where every list comes in pages, and its size only where it is not the usual one', async t => {
  for (const [query, isInPages, size] of forms) {
    const { body } = await inject(`/api/v1/brakes/?format=api${query}`)
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

test('the form of version 2.1 offers values with their counts and ranges, and holds the active filters; a record has its whole JSON', async t => {
  const get = async (query: string) => (await inject({ url: `/api/v2/bikes/?format=api${query}`, headers: token })).body
  const one = await get('&page=3&page_size=1')
  t.match(one, /<h1><bdi>Specialized[^]*Record 3 of 48[^]*"specifications":[^]*\n\}<\/pre>/)
  t.notMatch(one, /…\n|Open the whole/)
  const plain = await get('')
  t.match(plain, /<details><summary>Filters<\/summary>[^]*<option value="Trek">Trek \(\d+\)<[^]*<option value="false">false \(\d+\)</)
  t.match(plain, /name="year__gte" type="number" step="1" value=""\splaceholder="\d{4}"[^]*<legend>date_added <span class="muted">\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d</)
  const set = await get('&search=%22a&brand=Trek,Giant&is_electronic=true&year=2023&price__gte=10.5&date_added__lte=2026-01-01&ordering=-year&page=1')
  for (const text of [
    'value="&#34;a"', '<option value="Trek,Giant" selected>Trek,Giant</option>', /<option value="true" selected>true \(\d+\)</,
    '<input name="year" type="number" step="1" value="2023"', '<input name="price__gte" type="number" step="any" value="10.5"',
    '<input name="date_added__lte" type="date" value="2026-01-01"', '<input id="colour" name="colour" value="" type="text">',
    '<input type="hidden" name="ordering" value="-year">', '<code>price__gte=<bdi>10.5</bdi></code>'
  ]) t.match(set, text, String(text))
  const [, chosen = ''] = /<ul class="chosen"[^]*?<a href="([^"]*)"><span class="hidden">Remove <\/span><code>ordering/.exec(set) ?? []
  t.equal(new URLSearchParams(unescape(chosen)).get('ordering'), null)
})

test('the page of version 2.1 tells a missing token from an invalid one', async t => {
  const app = await build(t, { ...settings, tokenForm: false })
  for (const [headers, text, invalid] of [[{}, 'Version 2.1 needs a token.', false], [{ authorization: 'Token other' }, 'The server does not accept this token.', true]] as const) {
    const { body } = await app.inject({ url: '/api/v2/bikes/?format=api', headers })
    t.match(body, text, text)
    t.equal(body.includes('aria-invalid="true"'), invalid, text)
  }
})

/** Returns a list whose reads of records are counted. */
function countReads<Item extends object> (items: readonly Item[], count: () => void): readonly Item[] {
  return new Proxy(items, {
    get (target, name, receiver) {
      if (typeof name === 'string' && /^\d+$/.test(name)) count()
      return Reflect.get(target, name, receiver) as unknown
    }
  })
}

test('a browsable page reads the records that it shows, and the first ones each list a few times', async t => {
  let reads = 0
  const lists = Object.fromEntries([...resources.map(({ key }) => key), 'cranksets' as const].map(key => [key, countReads<object>(catalogue[key], () => { reads++ })]))
  const app = await build(t, { paginate: 'always', tokens: ['one'], simulate: true }, { ...catalogue, ...lists })
  const ask = async (query: string) => {
    reads = 0
    for (const { path } of resources) {
      const url = `${path}?format=api&page_size=2&${query}`
      t.equal((await app.inject({ url, headers: { authorization: 'Token one' } })).statusCode, 200, url)
    }
    return reads
  }
  const records = Object.values(lists).reduce((sum, { length }) => sum + length, 0)
  const first = await ask('page=1&ordering=-title,-brand_name')
  t.ok(first < 10 * records, `the first pages read ${first} times, of ${records} records`)
  for (const query of ['page=2', 'page=last&ordering=-title,-brand_name']) {
    const later = await ask(query)
    t.ok(later < 20 * resources.length, `later ones read only the records that they show: ${later}`)
  }
})

test('a list too long to search for the values of its filters has text fields for them', async t => {
  const [bike] = catalogue.bikesV2
  const app = await build(t, { paginate: 'always', tokens: ['one'] }, { ...catalogue, bikesV2: Array(50_001).fill(bike) as typeof catalogue.bikesV2 })
  const { body } = await app.inject({ url: '/api/v2/bikes/?format=api&page_size=2', headers: { authorization: 'Token one' } })
  t.match(body, /<input id="category" name="category"/)
})
