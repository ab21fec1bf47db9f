import { t, test } from 'tap'
import { resources } from '../../src/lists/resources.ts'
import { build, catalogue, shared } from '../helper.ts'

const token = { authorization: 'Token sekret' }
const settings = { tokens: ['sekret'] }
const { inject } = shared(t, settings)

const unescape = (text: string) => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))

const listed = ['allow', 'cache-control', 'content-length', 'content-type', 'etag', 'last-modified', 'vary']

test('a page shows the headers of its JSON', async t => {
  for (const { path } of resources) {
    for (const query of ['', '?page=1&page_size=5', '?ordering=-title&unknown=%3C']) {
      const page = await inject({ url: path + query, headers: { ...token, accept: 'text/html' } })
      const json = await inject({ url: path + query, headers: token })
      const [, headers = ''] = /<dl class="headers">(.*?)<\/dl>/s.exec(page.body) ?? []
      const shown = [...headers.matchAll(/<dt>([A-Za-z-]+)<\/dt><dd>(.*?)<\/dd>/g)]
      t.same(shown.map(([, name]) => name), listed, query)
      for (const [, name = '', value = ''] of shown) {
        t.equal(unescape(value), String(json.headers[name]), `${path}${query} ${name}`)
      }
      t.not(page.headers.etag, json.headers.etag, query)
      t.match(page.headers, { 'content-security-policy': /^default-src 'none'/, vary: /^Accept$/ }, query)
    }
  }
})

test('a page is small, without a style or script of its own, and each link to a record leads to it', async t => {
  const pages = new Map<string, string>()
  async function read (url: string): Promise<string> {
    const body = pages.get(url) ?? (await inject({ url, headers: token })).body
    pages.set(url, body)
    return body
  }
  const links = new Map<string, string>()
  for (const { path } of resources) {
    for (const query of ['', '&page=2&page_size=5', '&page=3&page_size=1']) {
      const url = `${path}?format=api${query}`
      const body = await read(url)
      t.ok(Buffer.byteLength(body) < 45_000, `${url} has ${Buffer.byteLength(body)} bytes`)
      t.notMatch(body, /<style| style=|<script>| on[a-z]+=/, url)
      t.notMatch(body, /<(?:button|input)(?![^>]* type=)/, url)
      const found = body.matchAll(/href="(\/api\/[^"]+)"(?: title="[^"]*")?>(\d+)<\/a>/g)
      for (const [, link = '', id = ''] of found) links.set(unescape(link), id)
    }
  }
  t.ok(links.size > 100, `${links.size} links`)
  for (const [link, id] of links) t.match(await read(link), `<tr><th>id<td>${id}<td>integer`, link)
})

const summaries: [url: string, summary: string, steps: string[]][] = [
  ['/api/v1/bikes/?', 'an array of 48; rows 1–10', ['Rows 11–20 →']],
  ['/api/v1/bikes/?rows=11', 'an array of 48; rows 11–20', ['← Rows 1–10', 'Rows 21–30 →']],
  ['/api/v1/bikes/?rows=5', 'an array of 48; rows 5–14', ['← Rows 1–10', 'Rows 15–24 →']],
  ['/api/v1/bikes/?rows=41', 'an array of 48; rows 41–48', ['← Rows 31–40']],
  ['/api/v1/bikes/?rows=999', 'an array of 48; row 48', ['← Rows 38–47']],
  ['/api/v1/bikes/?rows=-1', 'an array of 48; rows 1–10', ['Rows 11–20 →']],
  ['/api/v1/bikes/?rows=x', 'an array of 48; rows 1–10', ['Rows 11–20 →']],
  ['/api/v1/bikes/featured/?', 'an array of 5', []],
  ['/api/v1/bikes/?page=1', 'page 1 of 5; records 1–10 of 48', ['Page 2 →']],
  ['/api/v1/bikes/?page=last&rows=7', 'page 5 of 5; records 41–48 of 48', ['← Page 4']],
  ['/api/v1/bikes/?page=3&page_size=1', 'a page of one record; record 3 of 48', ['← Record 2', 'Record 4 →']],
  ['/api/v2/bikes/?search=zzzz', 'an array of 0', []],
  ['/api/v2/bikes/?search=zzzz&page=1', 'page 1 of 1; 0 records of 0', []]
]

test('a page says what the response is and which records it shows; further rows are no other request', async t => {
  for (const [url, summary, steps] of summaries) {
    const { body } = await inject({ url: `${url}&format=api`, headers: token })
    t.match(body, `200 OK</span> ${summary}</p>`, url)
    t.same([...body.matchAll(/<a class="button" rel="\w+"[^>]*>([^<]*)</g)].map(([, text]) => text), steps, url)
  }
  const { body } = await inject('/api/v1/bikes/?format=api&ordering=-title&rows=11')
  t.match(body, '<b>GET</b> /api/v1/bikes/?ordering=-title</code>')
  t.match(unescape(body), 'rel="next" href="/api/v1/bikes/?format=api&ordering=-title&rows=21"')
  t.match(body, /name="ordering" value="-title">[^]*name="rows" type="number" min="1" max="48" value="11"/)
  const page = (await inject('/api/v1/bikes/?format=api&ordering=-title&page=2')).body
  t.match(page, /name="page_size" value="10">[^]*name="page" type="number" min="1" max="5" value="2"/)
  const json = (await inject('/api/v1/bikes/?rows=11')).json<unknown[]>()
  t.equal(json.length, 48, 'a service ignores rows')
})

test('the JSON of a page is that of its response', async t => {
  const jsonOf = async (query: string) => {
    const { body } = await inject(`/api/v1/brakes/?format=api${query}`)
    const [, json = ''] = /<div class="json"><pre[^>]*>([^]*?)<\/pre>/.exec(body) ?? []
    return JSON.parse(unescape(json.replace(/<[^>]*>/g, ''))) as unknown
  }
  for (const query of ['', '&rows=11', '&page=2', '&page=3&page_size=1']) {
    const asked = query.replace('&rows=11', '').replace('&', '?')
    t.same(await jsonOf(query), (await inject(`/api/v1/brakes/${asked}`)).json(), query)
  }
})

test('the parts of a response are tabs, which work without a script', async t => {
  const { body } = await inject('/api/v1/bikes/?format=api')
  const tabs = [...body.matchAll(/<a href="#(\w+)">([^<]*)<\/a>/g)].map(([, id, name]) => [id, name])
  t.same(tabs.slice(-4), [
    ['table', 'Table'], ['json', 'JSON'], ['headers', 'Headers'], ['code', 'curl, fetch, Python']
  ])
  for (const [id = ''] of tabs) t.match(body, `id="${id}"`, id)
})

const firstHeads = [
  'id', 'title', 'brand', 'year', 'price', 'weight_kg', 'rating', 'review_count',
  'view_count', 'favorites_count', 'date_added', 'date_updated'
]

const heads: [query: string, index: number, head: string[]][] = [
  [
    '&brand=Trek&page=2&page_size=2', 3,
    ['year', '', '/api/v2/bikes/?format=api&ordering=year&brand=Trek&page=1&page_size=2']
  ],
  [
    '&ordering=year,-price', 3,
    ['year', 'class="ascending" aria-sort="ascending"', '/api/v2/bikes/?format=api&ordering=-year']
  ],
  ['&ordering=year,-price', 4, ['price', 'class="descending"', '/api/v2/bikes/?format=api']],
  [
    '&ordering=-year&page=1', 3,
    ['year', 'class="descending" aria-sort="descending"', '/api/v2/bikes/?format=api&page=1']
  ]
]

test('the head of a sortable column orders a list: ascending, descending, as before', async t => {
  const headsOf = async (query: string) => {
    const { body } = await inject({ url: `/api/v2/bikes/?format=api${query}`, headers: token })
    const found = body.replaceAll('<wbr>', '').matchAll(/<th scope="col"( class[^>]*)?><a href="([^"]*)">(\w+)</g)
    return [...found].map(([, sorted = '', link = '', name = '']) => [name, sorted.trim(), unescape(link)])
  }
  t.same((await headsOf('')).map(([name]) => name), firstHeads)
  for (const [query, index, head] of heads) t.same((await headsOf(query))[index], head, query)
})

test('markup in a record is text on a page', async t => {
  const evil = '"><script>alert(1)</script>!'
  const texts = { title: evil, colour: evil, description: evil, image_url: evil, category: { slug: evil, name: evil } }
  const bikes = catalogue.bikes.map(bike => ({
    ...bike, ...texts, wheels: bike.wheels && { ...bike.wheels, brand_name: evil }
  }))
  const wheels = catalogue.wheels.map(wheel => ({
    ...wheel, brand_name: evil, description: evil, rimdepth: evil, image_url: evil
  }))
  const saddles = catalogue.saddles.map(saddle => ({ ...saddle, brand: evil, model: evil }))
  const app = await build(t, {}, { ...catalogue, bikes, wheels, saddles })
  for (const url of ['/', ...['bikes', 'wheels', 'saddles'].map(name => `/api/v1/${name}/?format=api`)]) {
    const { body, statusCode } = await app.inject(url)
    t.equal(statusCode, 200, url)
    for (const text of ['<script>', '"">']) t.notMatch(body, text, url)
  }
})

test('an empty list, and one that is a page without others', async t => {
  const app = await build(t, {}, { ...catalogue, bikes: [] })
  t.match((await app.inject('/api/v1/bikes/?format=api')).body, 'This list has no records.')
  const { body } = await inject('/api/v1/brakes/?format=api&page=1&page_size=100')
  t.notMatch(body, 'aria-label="Parts of the list"')
})

const extents: [query: string, links: string[]][] = [
  ['', ['all records', '10 page=1', '20 page=1&page_size=20', '100 page=1&page_size=100']],
  [
    '&page=1&page_size=7',
    ['all records', '7 page=1&page_size=7', '10 page=1', '20 page=1&page_size=20', '100 page=1&page_size=100']
  ]
]

test('a bar links all records and pages of each size, and marks what the response is', async t => {
  for (const [query, links] of extents) {
    const { body } = await inject(`/api/v1/brakes/?format=api${query}`)
    const [, nav = ''] = /<nav class="extent"[^>]*>([^]*?)<\/nav>/.exec(body) ?? []
    const found = [...unescape(nav).matchAll(/<a href="[^"?]*\?format=api&?([^"]*)"[^>]*>([^<]*)<\/a>/g)]
    t.same(found.map(([, parameters, text]) => `${text} ${parameters}`.trim()), links, query)
    t.equal(nav.split('aria-current="true"').length, 2, query)
  }
  t.match((await inject('/api/v1/brakes/?format=api')).body, /aria-current="true">all records/)
  t.match((await inject('/api/v1/brakes/?format=api&page=2')).body, /aria-current="true">10</)
  const always = (await (await build(t, { paginate: 'always' })).inject('/api/v1/brakes/?format=api')).body
  t.notMatch(always, 'all records')
  t.match(always, /aria-current="true">10</)
})

test('the form of a list keeps its pages; a list that is neither ordered nor filtered has none', async t => {
  const formOf = (body: string) => /<form id="options"[^]*?<\/form>/.exec(body)?.[0]
  t.equal(formOf((await inject('/api/v1/brakes/?format=api')).body), undefined)
  t.equal(formOf((await inject('/api/v1/bikes/?format=api&page=2&page_size=1')).body), undefined, 'a record has none')
  const cases = [['', []], ['&page=2', ['page=1']], ['&page=2&page_size=20', ['page=1', 'page_size=20']]] as const
  for (const [query, hidden] of cases) {
    const form = formOf((await inject(`/api/v1/bikes/?format=api&ordering=-title${query}`)).body) ?? ''
    const inputs = [...form.matchAll(/<input type="hidden" name="(\w+)" value="(\w+)">/g)].map(([, name, value]) =>
      `${name}=${value}`)
    t.same(inputs, ['format=api', ...hidden], query)
    t.match(form, '<option value="-title" selected>title, descending</option>', query)
  }
})

const typedFilters = '&search=%22a&brand=Trek,Giant&is_electronic=true&year=2023&price__gte=10.5' +
  '&date_added__lte=2026-01-01&ordering=-year,price'

const typedFields: (string | RegExp)[] = [
  'value="&#34;a"', '<option value="Trek,Giant" selected>Trek,Giant</option>',
  /<option value="true" selected>true \(\d+\)</,
  '<input id="year" name="year" type="number" step="1" value="2023"',
  '<input id="price__gte" name="price__gte" type="number" step="any" value="10.5"',
  '<input id="date_added__lte" name="date_added__lte" type="date" value="2026-01-01"',
  '<input id="colour" name="colour" type="text" value=""',
  '<option value="-year,price" selected>-year,price</option>', '<code>price__gte=<bdi>10.5</bdi></code>'
]

test('the form of version 2.1 offers values with their counts and ranges, and holds the active filters', async t => {
  const get = async (query: string) => (await inject({ url: `/api/v2/bikes/?format=api${query}`, headers: token })).body
  const plain = await get('')
  t.match(
    plain,
    /<details><summary>Filters<\/summary>[^]*<option value="Trek">Trek \(\d+\)<[^]*<option value="false">false \(\d+\)</
  )
  t.match(plain, /type="search" value=""\splaceholder="title, brand, model_name, description"/)
  t.match(plain, /name="year__gte" type="number" step="1" value=""\splaceholder="\d{4}"/)
  t.match(plain, /<label for="date_added__lte">date_added__lte <span class="muted">\d{4}-\d\d-\d\d</)
  t.match(plain, /name="year" type="number" step="1" value=""\splaceholder=""/)
  const set = await get(`${typedFilters}&page=1`)
  for (const text of typedFields) t.match(set, text, String(text))
  const chosen = /<ul class="chosen"[^]*?<a href="([^"]*)"><span class="hidden">Remove <\/span>\s<code>ordering/
  const [, link = ''] = chosen.exec(set) ?? []
  t.match(link, 'search')
  t.equal(new URLSearchParams(unescape(link)).get('ordering'), null)
})

test('a record of version 2.1 has its whole JSON', async t => {
  const { body } = await inject({ url: '/api/v2/bikes/?format=api&page=3&page_size=1', headers: token })
  t.match(body, /<h1><bdi>Specialized[^]*record 3 of 48[^]*"specifications":[^]*\n\}<\/pre>/)
  t.notMatch(body, /…\n|Open the whole/)
})

const refusals: [headers: Record<string, string>, heading: string, isInvalid: boolean][] = [
  [{}, '<h1>Version 2.1 needs a token</h1>', false],
  [{ authorization: 'Token other' }, '<h1>This token is not valid</h1>', true]
]

test('the page of version 2.1 tells a missing token from an invalid one', async t => {
  const app = await build(t, { ...settings, tokenForm: false })
  for (const [headers, heading, isInvalid] of refusals) {
    const { body } = await app.inject({ url: '/api/v2/bikes/?format=api', headers })
    t.match(body, heading, heading)
    t.match(body, /<i>"(?:Authentication credentials were not provided|Invalid token)\."<\/i>/, heading)
    t.equal(body.includes('aria-invalid="true"'), isInvalid, heading)
    t.notMatch(body, 'Use the token', heading)
  }
})

test('a value that may be cut off has the whole as its title', async t => {
  const { body } = await inject('/api/v1/bikes/?format=api')
  t.match(body, '<span title="Specialized Turbo Vado SL 4.0 2022">Specialized Turbo Vado SL 4.0 2022</span>')
  t.notMatch(body, 'title="Cinelli Gazzetta 2021"')
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
  const keys = [...resources.map(({ key }) => key), 'cranksets' as const]
  const lists = Object.fromEntries(keys.map(key => [key, countReads<object>(catalogue[key], () => { reads++ })]))
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
  const bikesV2 = Array(50_001).fill(bike) as typeof catalogue.bikesV2
  const app = await build(t, { paginate: 'always', tokens: ['one'] }, { ...catalogue, bikesV2 })
  const { body } = await app.inject({
    url: '/api/v2/bikes/?format=api&page_size=2', headers: { authorization: 'Token one' }
  })
  t.match(body, /<input id="category" name="category"/)
})
