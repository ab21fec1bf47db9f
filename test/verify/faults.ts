import { formats } from '../../src/http/negotiation.ts'
import { resources } from '../../src/lists/resources.ts'
import type { Alter, Exchange } from './proxy.ts'
import { fewer, token } from './results.ts'

type Sent = Record<string, unknown>

/** Returns whether a request wants JSON, as those of most clients. */
const isForJson = ({ accept = formats.json }: Exchange['sent']) =>
  [formats.json, '*/*', 'application/json, text/plain, */*'].includes(accept)

const isList = ({ path, method, sent, query }: Exchange, list: string) =>
  path === list && !query.includes('format=api') && ['GET', 'HEAD'].includes(method) && isForJson(sent) &&
  sent['if-none-match'] === undefined

/** Alters the records of a list, plain or page. */
export function records (
  list: string,
  change: (records: Sent[], exchange: Exchange) => unknown,
  where: (exchange: Exchange) => boolean = () => true
): Alter {
  return exchange => {
    if (!isList(exchange, list) || exchange.status !== 200 || !where(exchange)) return
    const value = JSON.parse(exchange.body.toString()) as Sent[] | { results: Sent[] }
    const own = Array.isArray(value) ? value : value.results
    const changed = change(own, exchange)
    exchange.body = JSON.stringify(Array.isArray(value) ? changed : { ...value, results: changed })
  }
}

/** Alters every record of a list. */
export const each = (list: string, change: (record: Sent) => unknown) =>
  records(list, own => own.map(record => change(record) ?? record))

/** Alters any answer that something is true of. */
export const when = (where: (exchange: Exchange) => boolean, change: (exchange: Exchange) => unknown): Alter =>
  exchange => { if (where(exchange)) change(exchange) }

const page = (list: string, query: RegExp, change: (page: Sent) => unknown) =>
  when(exchange => isList(exchange, list) && query.test(exchange.query) && exchange.status === 200, exchange => {
    exchange.body = JSON.stringify(change(JSON.parse(exchange.body.toString()) as Sent))
  })

const at = (path: string) => (exchange: Exchange) => exchange.path === path

export const says = (status: number, body: object | string, type = 'application/json') => (exchange: Exchange) => {
  Object.assign(exchange, { status, body: typeof body === 'string' ? body : JSON.stringify(body) })
  exchange.headers['content-type'] = type
}

const [bikes, featured, wheels, tyres, chains, groupsets, brakes, saddles, v2] = [
  '/api/v1/bikes/', '/api/v1/bikes/featured/', '/api/v1/wheels/', '/api/v1/tyres/', '/api/v1/chains/',
  '/api/v1/groupsets/', '/api/v1/brakes/', '/api/v1/saddles/', '/api/v2/bikes/'
]
const imaged = ['bikes', 'featured', 'wheels', 'tyres', 'chains', 'groupsets', 'bikesV2']

/** Returns whether brakes are requested without a query, and not as JSON. */
const isBareOfBrakes = ({ path, query, sent }: Exchange) => path === brakes && query === '' && !isForJson(sent)

/** Returns the ids of one check of every list. */
export const every = (check: string) => resources.map(({ key }) => `${key}/${check}`)

/** Takes the pages from a list. */
const plain = (target: string) => target.startsWith(saddles) ? target.replace('page=', 'x=') : target

type Pass = (target: string) => string
export type Fault = readonly [title: string, alter: Alter, noticed: readonly string[], pass?: Pass]

const get = ({ method, sent }: Exchange) => ['GET', 'HEAD'].includes(method) && isForJson(sent)
const header = (name: string, value: string) => ({ headers }: Exchange) => { headers[name] = value }
const without = (name: string) => ({ headers }: Exchange) => { delete headers[name] }

/** Chooses the responses of a list by their queries. */
const asked = (list: string, query: RegExp) => (exchange: Exchange) =>
  exchange.path === list && get(exchange) && !exchange.query.includes('format=api') &&
  query.test(exchange.query) && exchange.status === 200

const [ordered, onPages, secondPage, plainly] = [
  /^ordering=-?(title|brand_name)(&page=\d+)?$/, /page=\d/, /page=2$/, /^$/
]
const [ascending, descending] = [/^ordering=(title|brand_name)$/, /^ordering=-(title|brand_name)$/]

/** Alters the records in responses to some queries. */
const inQueries = (list: string, query: RegExp, change: (record: Sent) => unknown) =>
  records(list, own => own.map(record => change(record) ?? record), exchange => query.test(exchange.query))

const charset = header('content-type', 'application/json; charset=utf-8')
const day = header('cache-control', 'public, max-age=86400')
const link = (list: string, query: string) => `http://proxy.test${list}?${query}`
const swapped = (own: Sent[]) => [...own].reverse()
const wrong = 'Token verify-has-no-such-token'
const open = says(200, [{ id: 1, slug: 'a' }])
const ofOrderings = ['wheels/ordering/-brand_name', 'wheels/ordering/brand_name']

/** Opens version 2.1 to requests without a valid token. */
const opened = (title: string, where: (exchange: Exchange) => boolean): Fault =>
  [
    `v2 is open ${title}`,
    when(exchange => at(v2)(exchange) && exchange.status === 401 && where(exchange), open), ['token/needed']
  ]

/** One fault in every form of a list: what is true of one response must be true of each. */
const inEachForm = (title: string, list: string, change: (exchange: Exchange) => unknown, id: string): Fault[] => [
  ['alone', plainly], ['with ordering', ascending], ['with descending ordering', descending],
  ['on pages', /^page=\d+$/],
  ['on ordered pages', /ordering=.*page=/], ['with an unknown parameter', /^unknown=/],
  ['with format=json', /^format=json$/]
].map(([form, query]) => [`${title} ${String(form)}`, when(asked(list, query as RegExp), change), [id]])

/** Alters from the second response on, as a cache may. */
function whenCached (where: (exchange: Exchange) => boolean, change: (exchange: Exchange) => unknown): Alter {
  const seen = new Set<string>()
  return exchange => {
    const { method, path, query, sent } = exchange
    if (where(exchange) && seen.size === seen.add(JSON.stringify([method, path, query, sent])).size) change(exchange)
  }
}

/** Takes the body of a GET of saddles once the same was requested by another method, as a careless cache may. */
function after (other: string, where: (exchange: Exchange) => boolean): Alter {
  const kept = new Set<string>()
  return exchange => {
    const { method, path, query } = exchange
    if (path !== saddles || !where(exchange)) return
    if (method === other) kept.add(query)
    else if (method === 'GET' && kept.has(query)) exchange.body = ''
  }
}

/** Renames the fitness fields, or one of them. */
const strava = (name: RegExp): Alter => exchange => {
  exchange.body = exchange.body.toString().replace(name, '"strava')
}

/** What a server may do wrong, how the proxy does it, and the checks that notice it: these and no others. */
export const faults: readonly Fault[] = [
  [
    'an ordering in HTML for browsers is 500',
    when(
      ({ path, sent: { accept = '' }, query }) => path === brakes && accept.includes('xhtml') && query !== '',
      says(500, '')
    ),
    ['brakes/status']
  ],
  // Responses that can't be read
  [
    'a list is 500',
    when(exchange => isList(exchange, saddles), says(500, { detail: 'Internal server error.' })),
    ['saddles/status']
  ],
  ['a list is not JSON', when(exchange => isList(exchange, saddles), says(200, '[')), ['saddles/status']],
  ['a list is an object', when(exchange => isList(exchange, saddles), says(200, {})), ['saddles/status']],
  [
    'an ordering is 500',
    when(({ path, query }) => path === bikes && query === 'ordering=-title', says(500, {})), ['bikes/status']
  ],
  [
    'an ordering is refused',
    when(({ path, query }) => path === bikes && query === 'ordering=title', says(400, {})), ['bikes/status']
  ],
  [
    'the first page is 500',
    when(exchange => isList(exchange, tyres) && exchange.query === 'page=1', says(500, {})), ['tyres/status']
  ],
  ['page 3 is 500', when(({ path, query }) => path === wheels && query === 'page=3', says(500, {})), ['wheels/status']],
  ['page 3 is not JSON', when(asked(wheels, /^page=3$/), says(200, '{"count":')), ['wheels/status']],
  ['page 3 is 404', when(({ path, query }) => path === wheels && query === 'page=3', says(404, {})), ['wheels/status']],
  [
    'an ordered page is 500',
    when(({ path, query }) => path === wheels && /ordering=-brand_name&page=2$/.test(query), says(500, {})),
    ['wheels/status']
  ],
  [
    'page 2 redirects to another list',
    when(
      ({ path, query }) => path === wheels && query === 'page=2',
      exchange => { exchange.status = 302; exchange.headers['location'] = tyres }
    ),
    ['wheels/status']
  ],
  [
    'a list redirects to itself',
    when(
      ({ path, query }) => path === saddles && query === '',
      exchange => { exchange.status = 301; exchange.headers['location'] = saddles }
    ),
    ['saddles/status']
  ],
  [
    'a list redirects on and on',
    when(
      ({ path, query }) => path === saddles && /^(turn=\d+)?$/.test(query),
      exchange => { exchange.status = 302; exchange.headers['location'] = `${saddles}?turn=${exchange.turn}` }
    ),
    ['saddles/status']
  ],
  [
    'a cached list is 500',
    whenCached(exchange => isList(exchange, chains) && exchange.query === '', says(500, {})),
    ['chains/status']
  ],
  [
    'a list is Latin-1',
    when(
      exchange => isList(exchange, saddles),
      exchange => { exchange.body = Buffer.from(exchange.body.toString().replace('A', 'é'), 'latin1') }
    ),
    ['saddles/utf-8'], plain
  ],
  [
    'page 2 is Latin-1',
    when(
      asked(wheels, secondPage),
      exchange => { exchange.body = Buffer.from(exchange.body.toString().replace('e ', 'é '), 'latin1') }
    ),
    ['wheels/utf-8']
  ],
  // Headers
  ...inEachForm('a charset', wheels, charset, 'wheels/content-type'),
  ...inEachForm('text/json', tyres, header('content-type', 'text/json'), 'tyres/content-type'),
  ...inEachForm('no Allow', wheels, without('allow'), 'wheels/allow'),
  ...inEachForm('POST in Allow', groupsets, header('allow', 'GET, POST, HEAD, OPTIONS'), 'groupsets/allow'),
  ...inEachForm('no Vary', chains, without('vary'), 'chains/vary'),
  ...inEachForm('another Vary', bikes, header('vary', 'Origin'), 'bikes/vary'),
  ...inEachForm('a day of cache', wheels, day, 'wheels/cache/age'),
  ['a cache of a minute', when(asked(bikes, plainly), header('cache-control', 'max-age=60')), ['bikes/cache/age']],
  [
    'a shared cache of a day',
    when(asked(bikes, plainly), header('cache-control', 'max-age=120, s-maxage=86400')), ['bikes/cache/age']
  ],
  [
    'a shared cache of a day alone',
    when(asked(bikes, plainly), header('cache-control', 's-maxage=86400')), ['bikes/cache/age']
  ],
  [
    'a private cache of a day',
    when(asked(bikes, plainly), header('cache-control', 'private, max-age=86400')), ['bikes/cache/age']
  ],
  [
    'a day of cache of a browsable page',
    when(({ path, query }) => path === wheels && query === 'ordering=brand_name&format=api', day),
    ['wheels/cache/age']
  ],
  [
    'no Allow once a descending ordering is cached',
    whenCached(asked(tyres, descending), without('allow')), ['tyres/allow']
  ],
  [
    'no Vary once it is cached',
    whenCached(exchange => asked(tyres, ascending)(exchange), without('vary')), ['tyres/vary']
  ],
  ['version 2.1 has a charset', when(asked(v2, /./), charset), ['bikesV2/content-type']],
  // Records
  [
    'a number is a string on pages',
    inQueries(wheels, onPages, record => ({ ...record, weight_grams: String(record['weight_grams']) })),
    ['wheels/schema']
  ],
  [
    'an id is a string with ordering',
    inQueries(tyres, ascending, record => ({ ...record, id: String(record['id']) })),
    ['tyres/ordering/brand_name', 'tyres/schema']
  ],
  ['a field may not be null', each(tyres, record => ({ ...record, description: null })), ['tyres/schema']],
  ['a field is missing', each(featured, ({ slug, ...record }) => record), ['featured/schema']],
  ['a nullable field is missing', each(bikes, ({ saddle, ...record }) => record), ['bikes/schema']],
  ['a field is missing with ordering', inQueries(bikes, ordered, ({ slug, ...record }) => record), ['bikes/schema']],
  [
    'a field is missing once it is cached',
    whenCached(asked(tyres, plainly), each(tyres, ({ colour, ...record }) => record)), ['tyres/schema']
  ],
  [
    'a field of page 2 is missing once it is cached',
    whenCached(asked(wheels, /^page=2$/), each(wheels, ({ description, ...record }) => record)),
    ['wheels/schema']
  ],
  [
    'a nested field is missing',
    each(groupsets, record => { delete (record['chain'] as Sent)['links_count'] }), ['groupsets/schema']
  ],
  [
    'a field is one too many on page 2',
    inQueries(chains, secondPage, record => ({ ...record, price: '9.00' })), ['chains/schema']
  ],
  ['images are paths', each(tyres, record => ({ ...record, image_url: '/media/tyres/1.jpg' })), ['tyres/image-urls']],
  [
    'images are paths on page 2',
    inQueries(wheels, secondPage, record => ({ ...record, images: 'wheels/1.jpg' })), ['wheels/image-urls']
  ],
  ['images are empty strings', each(chains, record => ({ ...record, image_url: '' })), ['chains/image-urls']],
  ['images are arrays', each(groupsets, record => ({ ...record, images: [] })), ['groupsets/schema']],
  [
    'nested images are paths',
    each(featured, record => ({ ...record, tyre: { ...record['tyre'] as Sent, image_url: '/1.jpg' } })),
    ['featured/image-urls']
  ],
  [
    'images of version 2.1 are paths',
    each(v2, record => ({ ...record, image_url: '/media/1.jpg' })), ['bikesV2/image-urls']
  ],
  [
    'a date of version 2.1 has an offset',
    each(v2, record => ({ ...record, date_added: '2024-05-12T21:20:48+02:00' })), ['bikesV2/timestamps']
  ],
  ...[
    '2024-05-12 21:20:48Z', '2024-05-12t21:20:48Z', '2024-02-30T21:20:48Z', '2024-05-12T21:20:48+00:00',
    '2024-05-12T24:00:00Z', '2024-05-12', ''
  ].map((date): Fault =>
    [`a date is "${date}"`, each(bikes, bike => ({ ...bike, date_added: date })), ['bikes/timestamps']]),
  [
    'a date has an offset with ordering',
    inQueries(bikes, descending, bike => ({ ...bike, date_updated: '2024-05-12T21:20:48+00:00' })),
    ['bikes/timestamps']
  ],
  [
    'a bike that is not featured on pages',
    inQueries(featured, onPages, bike => ({ ...bike, is_featured: false })), ['featured/chosen']
  ],
  ['an item is null', records(saddles, own => [null, ...own]), ['saddles/schema'], plain],
  ['a record is empty', records(saddles, own => [...own.slice(0, -1), {}]), ['saddles/schema'], plain],
  ['a weight has a fraction', each(wheels, wheel => ({ ...wheel, weight_grams: 1540.5 })), ['wheels/schema']],
  [
    'featured bikes have another fitness name',
    when(
      exchange => isList(exchange, featured),
      exchange => { exchange.body = exchange.body.toString().replaceAll('"fitness_', '"pedalo_') }
    ),
    ['featured/schema']
  ],
  ['one fitness field has another name', strava(/"fitness(?=_gear_id":)/g), ['bikes/schema', 'featured/schema']],
  [
    'ordered bikes have another fitness name',
    when(
      asked(bikes, ascending),
      exchange => { exchange.body = exchange.body.toString().replaceAll('"fitness_', '"pedalo_') }
    ),
    ['bikes/schema']
  ],
  // Pages
  [
    'count of page 2 is a string',
    page(wheels, secondPage, page => ({ ...page, count: String(page['count']) })), ['wheels/envelope']
  ],
  ['an envelope lacks a field', page(tyres, /page=1$/, ({ previous, ...page }) => page), ['tyres/envelope']],
  ['the envelope of page 2 lacks a field', page(tyres, secondPage, ({ count, ...page }) => page), ['tyres/envelope']],
  ['a page is empty', page(wheels, /^page=2$/, page => ({ ...page, results: [] })), ['wheels/walk']],
  [
    'a page repeats a record',
    page(
      wheels, /^page=2$/,
      page => ({
        ...page,
        results: (page['results'] as Sent[]).map((record, index, [first]) => index === 1 ? first : record)
      })
    ),
    ['wheels/walk']
  ],
  [
    'a page loses a record',
    page(wheels, /^page=2$/, page => ({ ...page, results: (page['results'] as Sent[]).slice(1) })),
    ['wheels/walk']
  ],
  [
    'page 2 has the records of page 1 once it is cached',
    whenCached(
      asked(wheels, /^page=2$/),
      records(wheels, own => own.map(record => ({ ...record, id: Number(record['id']) - 5 })))
    ),
    ['wheels/walk']
  ],
  [
    'an ordered page loses a record',
    page(wheels, /=brand_name&page=2$/, page => ({ ...page, results: (page['results'] as Sent[]).slice(1) })),
    ['wheels/ordering/brand_name']
  ],
  ['a page is missing from the list', page(wheels, /^page=2$/, page => ({ ...page, next: null })), ['wheels/walk']],
  [
    'next leads round',
    page(wheels, /^page=2$/, page => ({ ...page, next: String(page['next']).replace('page=3', 'page=1') })),
    ['wheels/links']
  ],
  [
    'next skips a page',
    page(wheels, /^page=1$/, page => ({ ...page, next: link(wheels, 'page=3') })),
    ['wheels/links']
  ],
  [
    'next leads to another list',
    page(wheels, /^page=2$/, page => ({ ...page, next: link(tyres, 'page=3') })), ['wheels/links']
  ],
  [
    'next loses the ordering',
    page(wheels, /=brand_name&page=1$/, page => ({ ...page, next: link(wheels, 'page=2') })),
    ['wheels/links']
  ],
  [
    'next reverses the ordering',
    page(wheels, /=brand_name&page=2$/, page => ({ ...page, next: link(wheels, 'ordering=-brand_name&page=3') })),
    ['wheels/links']
  ],
  [
    'next has no page',
    page(tyres, /^page=1$/, page => ({ ...page, next: link(tyres, 'cursor=2') })), ['tyres/links'],
    target => target.replace('cursor', 'page')
  ],
  [
    'next has a name in place of a number',
    page(tyres, /^page=1$/, page => ({ ...page, next: link(tyres, 'page=two') })), ['tyres/links'],
    target => target.replace('page=two', 'page=2')
  ],
  ['the last next is empty', page(wheels, /page=3$/, page => ({ ...page, next: '' })), ['wheels/envelope']],
  ['page 2 is an unpaged list', page(wheels, /^page=2$/, ({ results }) => results), ['wheels/envelope']],
  ['pages never end', exchange => {
    page(
      saddles, /^page=\d+$/,
      page => ({ ...page, next: link(saddles, `page=${Number(exchange.query.slice(5)) + 1}`) })
    )(exchange)
  }, ['saddles/walk'],
  target => target.startsWith(saddles) ? target.replace(/page=([3-9]|\d\d+)(?=$|&)/, 'page=2') : target],
  [
    'page 1 loses a record once it is cached',
    whenCached(asked(wheels, /^page=1$/), records(wheels, own => own.slice(1))), ['wheels/walk']
  ],
  [
    'a descending ordering loses a record once it is cached',
    whenCached(asked(tyres, descending), records(tyres, own => own.slice(1))), ['tyres/ordering/-brand_name']
  ],
  // Orders
  [
    'chains come in another order',
    records(chains, swapped, ({ query }) => !query.includes('ordering')), ['chains/default-order', 'chains/walk']
  ],
  [
    'pages of chains come in another order',
    records(chains, swapped, ({ query }) => /^page=\d$/.test(query)), ['chains/default-order', 'chains/walk']
  ],
  [
    'a cached order is upside down',
    whenCached(asked(bikes, /^ordering=title$/), exchange => { records(bikes, swapped)(exchange) }),
    ['bikes/ordering/title']
  ],
  [
    'an ordering is ignored',
    () => {}, ofOrderings,
    target => target.startsWith(wheels) ? target.replace(/\?ordering=-?brand_name$/, '?x=') : target
  ],
  [
    'an ordering is ignored on pages',
    records(
      wheels, own => [...own].sort((a, b) => Number(a['id']) - Number(b['id'])),
      ({ query }) => /ordering=b.*page=/.test(query)
    ),
    ['wheels/ordering/brand_name']
  ],
  ['an ordering is upside down', () => {}, ofOrderings,
    target => target.startsWith(wheels)
      ? target.replace(
        /ordering=(-?)(brand_name)$/, (_, sign: string) => `ordering=${sign === '' ? '-' : ''}brand_name`
      )
      : target],
  [
    'two records are out of order',
    records(bikes, own => [own[1], own[0], ...own.slice(2)], ({ query }) => query === 'ordering=title'),
    ['bikes/ordering/title']
  ],
  [
    'the last two records are out of order',
    records(
      bikes, own => [...own.slice(0, -2), ...own.slice(-2).reverse()],
      ({ query }) => query === 'ordering=-title'
    ),
    ['bikes/ordering/-title']
  ],
  [
    'an ordering loses a record',
    records(bikes, own => own.slice(1), ({ query }) => query === 'ordering=-title'),
    ['bikes/ordering/-title']
  ],
  [
    'an ordering repeats a record',
    records(bikes, own => [own[0], ...own.slice(0, -1)], ({ query }) => query === 'ordering=title'),
    ['bikes/ordering/title']
  ],
  [
    'an ordering has other records',
    records(
      tyres, own => [...own.slice(0, -1), { ...own.at(-1), id: 999 }],
      ({ query }) => query === 'ordering=brand_name'
    ),
    ['tyres/ordering/brand_name']
  ],
  // What most clients send
  [
    'Accept: application/json is 406',
    when(({ path, sent }) => path === tyres && sent['accept'] === formats.json, says(406, {})),
    ['tyres/status']
  ],
  [
    'a charset for Accept: application/json',
    when(({ path, sent }) => path === tyres && sent['accept'] === formats.json, charset),
    ['tyres/content-type']
  ],
  [
    'a compressed list varies by coding alone',
    when(
      ({ path, sent }) => path === tyres && sent['accept-encoding'] !== undefined,
      header('vary', 'Accept-Encoding')
    ),
    ['tyres/vary']
  ],
  [
    'a list is a page for scripts',
    when(
      exchange => asked(saddles, plainly)(exchange) && exchange.sent['origin'] !== undefined,
      exchange => {
        const results = JSON.parse(exchange.body.toString()) as Sent[]
        exchange.body = JSON.stringify({ count: results.length, next: null, previous: null, results })
      }
    ),
    ['saddles/again']
  ],
  [
    'a compressed list lacks records',
    records(tyres, own => own.slice(1), ({ sent }) => sent['accept-encoding'] !== undefined),
    ['tyres/again', 'tyres/ordering/-brand_name', 'tyres/ordering/brand_name', 'tyres/walk']
  ],
  // Pairs of values
  [
    'a compressed ordering is reversed',
    records(
      wheels, swapped,
      ({ sent, query }) => sent['accept-encoding'] !== undefined && /ordering=brand_name/.test(query)
    ),
    ['wheels/ordering/brand_name']
  ],
  ['a list needs a token for format=json', when(asked(wheels, /format=json/), says(401, {})), ['wheels/status']],
  [
    'a valid token is rejected with an ordering',
    when(({ path, query, status }) => path === v2 && status === 200 && query === 'ordering=-price', says(403, {})),
    ['bikesV2/status']
  ],
  [
    'a list varies by origin alone',
    when(
      exchange => get(exchange) && exchange.path === wheels && exchange.sent['origin'] !== undefined &&
        exchange.query.startsWith('page='),
      header('vary', 'Origin')
    ),
    ['wheels/vary']
  ],
  [
    'a page is an array for scripts',
    when(
      asked(wheels, /^page=2$/),
      exchange => {
        if (exchange.sent['origin'] !== undefined) {
          exchange.body = JSON.stringify((JSON.parse(exchange.body.toString()) as Sent)['results'])
        }
      }
    ),
    ['wheels/envelope']
  ],
  // Now and then
  [
    'a list is 500 now and then',
    when(exchange => isList(exchange, saddles) && exchange.turn % 5 === 0, says(500, {})), ['saddles/status']
  ],
  [
    'a field is missing now and then',
    exchange => { if (exchange.turn % 7 === 0) each(tyres, ({ colour, ...tyre }) => tyre)(exchange) },
    ['tyres/schema']
  ],
  // Tokens
  opened('for HEAD', ({ method }) => method === 'HEAD'),
  opened('for everybody', () => true),
  opened('for a wrong token', ({ sent }) => sent['authorization'] === wrong),
  ...[
    'Token', 'Bearer verify', 'Basic dmVyaWZ5Og==', `Token ${token}x`, `Token ${token.slice(0, -1)}`,
    `Token ${token.toUpperCase()}`, `Bearer ${token}`, token
  ].map(value =>
    opened(`for "${value}"`, ({ sent }) => sent['authorization'] === value)),
  opened(
    'for a longer token with page=1',
    ({ sent, query }) => sent['authorization'] === `Token ${token}x` && query === 'page=1'
  ),
  ...[
    'page=1', 'ordering=title', 'format=json', 'format=api', 'page_size=1', 'unknown=1', 'ordering=-price',
    'page=2', 'ordering=-title&page=2'
  ].map(query => opened(`with ${query}`, exchange => exchange.query === query)),
  ...[
    'search', 'brand', 'is_featured', 'year__gte', 'price__lte', 'date_added__gte', 'view_count'
  ].map(name => opened(`for ${name}`, ({ query }) => query.startsWith(`${name}=`))),
  opened('for a token in the query', ({ query }) => query === `token=${token}`),
  [
    'v2 confirms an ETag without a token',
    when(
      exchange => at(v2)(exchange) && exchange.status === 401 && exchange.sent['if-none-match'] !== undefined,
      exchange => { exchange.status = 304 }
    ),
    ['token/needed']
  ],
  opened('for scripts of other origins', ({ sent }) => sent['origin'] !== undefined),
  opened('for Accept', ({ sent }) => sent['accept'] === 'text/html'),
  opened('on page 3', ({ query }) => query === 'page=2' || query === 'page=3'),
  opened('with two filters', ({ query }) => query.includes('year__gte=') && query.includes('year__lte=')),
  [
    'v2 is open without its slash',
    when(({ path, sent }) => path === '/api/v2/bikes' && sent['authorization'] === undefined, open),
    ['token/needed']
  ],
  [
    'the list without a token is empty',
    when(exchange => at(v2)(exchange) && exchange.status === 401 && exchange.query.startsWith('year='), says(200, [])),
    ['token/needed']
  ],
  // References
  ['a bike has a saddle that does not exist', each(bikes, bike => ({ ...bike, saddle: 99 })), ['bikes/references']],
  [
    'a bike is similar to itself',
    each(bikes, bike => ({ ...bike, similar_bikes: bike['id'] === 5 ? [2, 5] : [] })), ['bikes/references']
  ],
  ['a similar bike does not exist', each(bikes, bike => ({ ...bike, similar_bikes: [9999] })), ['bikes/references']],
  [
    'the wheels of bikes have another weight',
    each(bikes, bike => ({ ...bike, wheels: { ...bike['wheels'] as Sent, weight_grams: 1 } })), ['bikes/references']
  ],
  [
    'the chain of a groupset has another colour',
    each(groupsets, groupset => ({ ...groupset, chain: { ...groupset['chain'] as Sent, colour: 'pink' } })),
    ['bikes/references', 'groupsets/references']
  ],
  // Caches
  [
    'a cache keeps the empty body of HEAD', after('HEAD', ({ sent }) => sent['accept'] === undefined),
    ['saddles/status']
  ],
  ['a cache keeps what OPTIONS says', after('OPTIONS', ({ query }) => query === ''), ['saddles/status']],
  // The rest
  [
    'POST is obeyed',
    when(exchange => exchange.method === 'POST' && exchange.path === saddles, says(201, {})),
    ['saddles/read-only']
  ],
  [
    'no format is a page',
    when(({ query }) => query.includes('format=api'), says(404, { detail: 'Not found.' })),
    every('format-api').slice(0, -1)
  ],
  [
    'one list has no browsable page',
    when(({ path, query }) => path === tyres && query === 'format=api', says(500, '')), ['tyres/format-api']
  ],
  [
    'no browsable page with ordering',
    when(({ path, query }) => path === tyres && query === 'ordering=-brand_name&format=api', says(500, '')),
    ['tyres/format-api']
  ],
  [
    'no browsable page 2',
    when(({ path, query }) => path === wheels && query === 'page=2&format=api', says(500, '')),
    ['wheels/format-api']
  ],
  [
    'no browsable last page',
    when(({ path, query }) => path === wheels && query === 'page=3&format=api', says(500, '')),
    ['wheels/format-api']
  ],
  [
    'a browsable page is JSON',
    when(({ path, query }) => path === brakes && query === 'page=1&format=api', says(200, [])),
    ['brakes/format-api']
  ]
]

let turns = 7

/** The number of pages of a list. */
function lastPage (target: string): number {
  const resource = resources.find(({ path }) => target.startsWith(`${path}?`))
  const size = Number(/page_size=(\d+)/.exec(target)?.[1] ?? 5)
  return Math.ceil(fewer[resource?.key ?? 'bikes'].length / size)
}

/** Returns records in another order each time, by the numbers of a generator. */
const turn = (own: Sent[]) => own.map(record => {
  turns = turns * 16_807 % 2_147_483_647
  return { record, turns }
}).sort((a, b) => a.turns - b.turns).map(({ record }) => record)

/** What a server may leave out or do its own way, and the checks that warning it. */
export const liberties: readonly Fault[] = [
  [
    'the second page of a page_size has a relative link',
    page(wheels, /page=2&page_size=2/, page => ({ ...page, previous: '/api/v1/wheels/?page_size=2' })),
    ['wheels/envelope', 'wheels/previous']
  ],
  ['count is wrong', page(tyres, /page=1$/, page => ({ ...page, count: 3 })), ['tyres/count']],
  ['count is too large', page(tyres, onPages, page => ({ ...page, count: 300 })), ['tyres/count']],
  ['count of page 2 is another', page(wheels, secondPage, page => ({ ...page, count: 13 })), ['wheels/count']],
  [
    'the first page has a previous one',
    page(tyres, /^page=1$/, page => ({ ...page, previous: page['next'] })), ['tyres/previous']
  ],
  [
    'the first page of a page_size has page 0 before it',
    page(wheels, /^page=1&page_size=2$/, page => ({ ...page, previous: link(wheels, 'page=0&page_size=2') })),
    ['wheels/previous']
  ],
  [
    'the first page of an ordering has the whole list before it',
    page(wheels, /^ordering=brand_name&page=1$/, page => ({ ...page, previous: link(wheels, 'ordering=brand_name') })),
    ['wheels/previous']
  ],
  ['page 0 is the first, and has a previous page', exchange => {
    page(wheels, /^page=0$/, page => ({ ...page, previous: link(wheels, 'page=3') }))(exchange)
    fromZero(exchange)
  }, ['wheels/previous'], laterPage],
  [
    'previous leads to the second page',
    page(bikes, /^page=2$/, page => ({ ...page, previous: link(bikes, 'page=2') })), ['bikes/previous']
  ],
  [
    'previous of page 3 leads to page 1',
    page(wheels, /^page=3$/, page => ({ ...page, previous: `http://proxy.test${wheels}` })),
    ['wheels/previous']
  ],
  [
    'previous loses the ordering',
    page(wheels, /=-brand_name&page=3$/, page => ({ ...page, previous: link(wheels, 'page=2') })),
    ['wheels/previous']
  ],
  ['previous of page 2 is null', page(wheels, /^page=2$/, page => ({ ...page, previous: null })), ['wheels/previous']],
  [
    'a page of a size has another count',
    page(wheels, /^page=1&page_size=2$/, page => ({ ...page, count: 3 })), ['wheels/count']
  ],
  ['next is a path', page(bikes, /^page=1$/, page => ({ ...page, next: `${bikes}?page=2` })), ['bikes/envelope']],
  [
    'next of page 2 is a path',
    page(wheels, /^page=2$/, page => ({ ...page, next: `${wheels}?page=3` })), ['wheels/envelope']
  ],
  [
    'next loses the page size',
    page(wheels, /^page=1&page_size=2$/, page => ({ ...page, next: link(wheels, 'page=2') })),
    ['wheels/links']
  ],
  [
    'an ordering by a field that is not sorted by is refused',
    when(asked(wheels, /^ordering=model_name$/), says(400, {})), ['wheels/ordering/unknown']
  ],
  [
    'a list refuses pages',
    when(({ query, path }) => path === saddles && query.startsWith('page='), says(400, { page: ['Unknown.'] })),
    ['saddles/paged']
  ],
  ['lists come without pages', () => {}, every('paged'), target => target.replace(/page=\d+$/, 'x=')],
  ['brakes and wheels come without pages and without an order', exchange => {
    for (const list of [brakes, wheels]) records(list, turn, ({ query }) => !/brand_name|format=/.test(query))(exchange)
  }, ['brakes', 'wheels'].flatMap(key => [`${key}/default-order`, `${key}/paged`]),
  target => /brakes|wheels/.test(target) ? target.replace('page=', 'x=') : target],
  ['titles that are numbers come as texts', records(bikes, own => own.map((bike, index) => ({
    ...bike,
    title: ['', ' ', '-1', '100', '20', '3'][index] ?? 'x'
  })),
  ({ query }) => query.endsWith('ordering=title')), ['bikes/same', 'bikes/values']],
  [
    'a featured bike is another',
    each(featured, bike => ({ ...bike, id: bike['id'] === 2 ? 9999 : bike['id'] })),
    ['featured/complete', 'featured/default-order']
  ],
  [
    'slugs have dots',
    each('/api/v1/bikes/', bike => ({ ...bike, slug: `${String(bike['slug'])}.1` })),
    ['bikes/values', 'bikesV2/same', 'featured/same']
  ],
  [
    'a missing slash is 404',
    when(({ path, status }) => !path.endsWith('/') && status === 301, says(404, { detail: 'Not found.' })),
    every('redirect')
  ],
  [
    'v2 knows no ordering',
    () => {}, ['bikesV2/filters', 'bikesV2/ordering'],
    target => target.startsWith(v2) ? target.replace('ordering=', 'x=') : target
  ],
  ['v2 knows no filter', () => {}, ['bikesV2/filters'], target => target.replace('year__gte=', 'x=')],
  [
    'nothing is a page',
    when(
      ({ headers, query, status }) => query === '' && status === 200 &&
        String(headers['content-type']).startsWith('text/html'),
      says(200, [])
    ),
    ['negotiation/accept']
  ],
  ['the featured list lacks a bike', records(featured, own => own.slice(1)), ['featured/complete', 'featured/paged'],
    target => target.startsWith(featured) ? target.replace(/\bpage=/, 'x=') : target],
  [
    'a list lacks Allow now and then',
    when(exchange => isList(exchange, saddles) && exchange.turn % 9 === 0, without('allow')),
    ['saddles/allow', 'saddles/head']
  ],
  [
    'apps are not accepted',
    when(({ path, sent }) => path === tyres && String(sent['accept']).endsWith('text/plain, */*'), says(406, {})),
    ['tyres/accept']
  ],
  [
    'a page after the last is the first one',
    records(wheels, own => own, () => true), ['wheels/numbers'],
    target => target.replace(/wheels\/\?page=4$/, 'wheels/?page=1')
  ],
  ['v2 tells no prices', each('/api/v2/bikes/', ({ price, ...bike }) => bike), ['bikesV2/filters', 'bikesV2/schema']],
  ['v2 tells more', each('/api/v2/bikes/', bike => ({ ...bike, colour_code: 7 })), ['bikesV2/schema']],
  ['saddles tell more', each('/api/v1/saddles/', saddle => ({ ...saddle, width: 130 })), ['saddles/values']],
  ['v1 bikes have a rating', each('/api/v1/bikes/', bike => ({ ...bike, rating: 4.5 })), ['bikes/values']],
  [
    'brakes are cached for longer',
    when(asked(brakes, /^/), header('cache-control', 'max-age=900')),
    ['brakes/cache']
  ],
  [
    'v2 may be kept by anybody',
    when(at(v2), ({ headers }) => { headers['cache-control'] = 'public, max-age=60' }),
    ['bikesV2/cache', 'bikesV2/errors']
  ],
  [
    'images are gone',
    when(({ path }) => path.startsWith('/media/'), says(404, { detail: 'Not found.' })),
    imaged.map(key => `${key}/images`)
  ],
  [
    'images have no type',
    when(({ path }) => path.startsWith('/media/'), ({ headers }) => { delete headers['content-type'] }),
    imaged.map(key => `${key}/images`)
  ],
  [
    'one origin may read',
    when(
      ({ sent }) => sent['origin'] !== undefined,
      ({ headers }) => { headers['access-control-allow-origin'] = 'https://other.example' }
    ),
    [...every('cors'), 'bikesV2/preflight']
  ],
  ['a 401 is a 403', when(({ status }) => status === 401, exchange => { exchange.status = 403 }), ['token/refused']],
  [
    'a year is a word',
    each(v2, record => ({ ...record, year: 'soon' })), ['bikesV2/filters', 'bikesV2/same', 'bikesV2/schema']
  ],
  [
    'v1 fails for the token of version 2.1',
    when(({ path, sent }) => path === brakes && sent['authorization'] === `Token ${token}`, says(500, {})),
    ['brakes/head', 'brakes/token/public']
  ],
  [
    'v1 minds a bad token',
    when(
      exchange => at(brakes)(exchange) && exchange.sent['authorization'] !== undefined,
      says(401, { detail: 'Invalid token.' })
    ),
    ['brakes/head', 'brakes/token/public']
  ],
  ['a v2 bike lacks a field of v1', each(v2, ({ slug, ...record }) => record), ['bikesV2/same', 'bikesV2/schema']],
  ['a v2 bike says something else', each(v2, record => ({ ...record, frame_size: 'other' })), ['bikesV2/same']],
  ['a v2 field has another form', each(v2, record => ({ ...record, components: [] })), ['bikesV2/schema']],
  [
    'v2 lacks a bike',
    records(v2, own => own.filter(({ id }) => id !== 5)),
    ['count', 'filters', 'ordering', 'ordering/unknown', 'page-size', 'superset'].map(id => `bikesV2/${id}`)
  ],
  ['a filter is upside down', () => {}, ['bikesV2/filters'], target => target.replace('year__gte=2', 'year__lte=2')],
  [
    'a filter finds too much',
    records(v2, (own, { query }) => [...own, { ...own[0], id: 9999 }], ({ query }) => query.startsWith('year__gte=')),
    ['bikesV2/filters']
  ],
  [
    'an unknown ordering is 400',
    when(({ query }) => query === 'ordering=nonsense', says(400, {})), every('ordering/unknown')
  ],
  [
    'every page exists',
    () => {}, [...every('numbers'), 'featured/ordering/unknown', 'featured/page-size'],
    target => target.replace(
      /page=([2-9])(?=$|&)/, (page, number: string) => Number(number) > lastPage(target) ? 'page=last' : page
    )
  ],
  [
    'HEAD is 404',
    when(exchange => exchange.method === 'HEAD' && exchange.path === saddles, exchange => { exchange.status = 404 }),
    ['saddles/head']
  ],
  [
    'HEAD of page 2 is 404',
    when(
      exchange => exchange.method === 'HEAD' && asked(wheels, /^page=2$/)(exchange),
      exchange => { exchange.status = 404 }
    ),
    ['wheels/head']
  ],
  [
    'HEAD of page 2 has another Allow',
    when(exchange => exchange.method === 'HEAD' && asked(wheels, /^page=2$/)(exchange), header('allow', 'GET')),
    ['wheels/head']
  ],
  [
    'HEAD of a browsable page is JSON',
    when(
      ({ method, path, query }) => method === 'HEAD' && path === saddles && query === 'format=api',
      header('content-type', formats.json)
    ),
    ['saddles/head']
  ],
  [
    'HEAD is 405 for a browser',
    when(
      ({ method, path, sent: { accept = '' } }) =>
        method === 'HEAD' && path === saddles && accept.startsWith('text/html'),
      says(405, {})
    ),
    ['saddles/head']
  ],
  [
    'page 0 is page 1', () => {}, ['wheels/numbers'],
    target => target.startsWith(wheels) ? target.replace('page=0', 'page=1') : target
  ],
  [
    'an id has two values',
    when(
      exchange => isList(exchange, saddles),
      exchange => { exchange.body = exchange.body.toString().replace('"id":2,', '"id":1,$&') }
    ),
    ['saddles/unique']
  ],
  ['ordered bikes lose their wheels', inQueries(bikes, ordered, bike => ({ ...bike, wheels: null })), ['bikes/same']],
  [
    'one wheel of page 2 weighs more',
    inQueries(wheels, secondPage, wheel => wheel['id'] === 7 ? { ...wheel, weight_grams: 9999 } : wheel),
    ['wheels/same']
  ],
  [
    'a cached list has other values',
    whenCached(asked(tyres, plainly), each(tyres, tyre => ({ ...tyre, width: '0' }))), ['tyres/same']
  ],
  ['featured bikes have other titles', each(featured, bike => ({ ...bike, title: 'Other' })), ['featured/same']],
  [
    'the names of a nested object come in another order',
    inQueries(
      bikes, ordered,
      bike => ({ ...bike, category: Object.fromEntries(Object.entries(bike['category'] as Sent).reverse()) })
    ),
    []
  ],
  [
    'a count has a fraction',
    when(
      asked(tyres, /^page=1$/),
      exchange => { exchange.body = exchange.body.toString().replace(/"count":\d+/, '$&.0') }
    ),
    ['tyres/integers']
  ],
  [
    'an id in an array has a fraction',
    when(
      asked(bikes, plainly),
      exchange => { exchange.body = exchange.body.toString().replace(/"similar_bikes":\[\d+/, '$&.0') }
    ),
    ['bikes/integers']
  ],
  [
    'any ETag is 304',
    when(
      exchange => at(saddles)(exchange) && exchange.sent['if-none-match'] !== undefined,
      exchange => { exchange.status = 304 }
    ),
    ['saddles/etag']
  ],
  [
    'browsable pages lack Allow',
    when(({ path, query }) => path === wheels && query.endsWith('format=api'), without('allow')),
    ['wheels/format-api/headers']
  ],
  [
    'a browsable page allows POST',
    when(
      ({ path, query }) => path === wheels && query.endsWith('page=2&format=api'),
      header('allow', 'GET, POST, HEAD, OPTIONS')
    ),
    ['wheels/format-api/headers']
  ],
  [
    'browsable pages vary by cookie alone',
    when(({ path, query }) => path === wheels && query.endsWith('format=api'), header('vary', 'Cookie')),
    ['wheels/format-api/headers']
  ],
  ['no other origin may read the wheels', when(at(wheels), without('access-control-allow-origin')), ['wheels/cors']],
  [
    'no other origin may read the pages of wheels',
    when(({ path, query }) => path === wheels && /page=/.test(query), without('access-control-allow-origin')),
    ['wheels/cors']
  ],
  [
    'page=last is unknown',
    when(({ query, path }) => path === wheels && query === 'page=last', says(404, { detail: 'Invalid page.' })),
    ['wheels/errors', 'wheels/numbers']
  ],
  [
    'page=last is the first page', () => {}, ['wheels/numbers'],
    target => target.startsWith(wheels) ? target.replace('page=last', 'page=1') : target
  ],
  [
    'page=abc is the first page', () => {}, ['wheels/numbers'],
    target => target.replace('wheels/?page=abc', 'wheels/?page=1')
  ],
  [
    'a page that is missing may be cached',
    when(({ query, path }) => path === wheels && query === 'page=abc', header('cache-control', 's-maxage=60')),
    ['wheels/errors']
  ],
  [
    'a page that is missing is HTML',
    when(({ query, path }) => path === wheels && query === 'page=abc', says(404, '<!doctype html>', 'text/html')),
    ['wheels/errors']
  ],
  [
    'the page after the last may be cached',
    when(({ path, query, status }) => path === wheels && query === 'page=4' && status === 404, day), ['wheels/errors']
  ],
  [
    'the page after the last is an error in HTML',
    when(({ path, query }) => path === wheels && query === 'page=4', says(404, '<!doctype html>', 'text/html')),
    ['wheels/errors']
  ],
  [
    'an unknown path may be cached',
    when(({ path }) => path.endsWith('/unicycles/'), header('cache-control', 'max-age=600')), ['paths']
  ],
  [
    'a preflight needs a token',
    when(
      ({ method, path, sent }) => method === 'OPTIONS' && path === v2 && sent['origin'] !== undefined,
      exchange => { Object.assign(exchange, { status: 401, headers: {} }) }
    ),
    ['bikesV2/preflight']
  ],
  [
    'a preflight allows no origin',
    when(
      ({ method, sent }) => method === 'OPTIONS' && sent['origin'] !== undefined,
      without('access-control-allow-origin')
    ),
    ['bikesV2/preflight']
  ],
  [
    'a preflight allows no token',
    when(
      ({ method, sent }) => method === 'OPTIONS' && sent['origin'] !== undefined,
      without('access-control-allow-headers')
    ),
    ['bikesV2/preflight']
  ],
  [
    'one image is gone',
    when(({ path }) => path === '/media/wheels/4.jpg', says(404, { detail: 'Not found.' })), ['wheels/images']
  ],
  [
    'a 405 does not say what is allowed',
    when(({ method, path }) => method === 'POST' && path === saddles, without('allow')), ['saddles/read-only']
  ],
  [
    'HTML and JSON have one ETag',
    exchange => { if (exchange.path === saddles && exchange.query === '') exchange.headers['etag'] &&= '"1"' },
    ['saddles/etag']
  ],
  [
    'OPTIONS is 405',
    when(
      exchange => exchange.method === 'OPTIONS' && exchange.path === saddles,
      says(405, { detail: 'Method "OPTIONS" not allowed.' })
    ),
    ['saddles/options']
  ],
  [
    'a slash may be missing',
    () => {}, ['saddles/redirect'], target => target.replace(/^\/api\/v1\/saddles\?/, '/api/v1/saddles/?')
  ],
  [
    'a redirect is for now',
    when(({ path }) => path === '/api/v1/saddles', exchange => { exchange.status = 302 }),
    ['saddles/redirect']
  ],
  [
    'a redirect leads nowhere',
    when(({ path }) => path === '/api/v1/saddles', ({ headers }) => { headers['location'] = 'http://[' }),
    ['saddles/redirect']
  ],
  [
    'a redirect loses the query',
    when(({ path }) => path === '/api/v1/saddles', ({ headers }) => { headers['location'] = saddles }),
    ['saddles/redirect']
  ],
  [
    'an unknown format is JSON',
    () => {}, ['negotiation/format'], target => target.replace('format=xml', 'format=json')
  ],
  [
    'a page is 500',
    when(({ sent }) => sent['accept'] === 'text/html', says(500, '')),
    ['negotiation/accept', 'negotiation/format', 'token/refused']
  ],
  [
    'Accept is ignored',
    when(({ sent }) => sent['accept'] === 'application/xml', says(200, [])), ['negotiation/accept']
  ],
  [
    'a page is preferred',
    when(
      ({ sent }) => String(sent['accept']).startsWith('text/html,'),
      says(200, '<!doctype html>', 'text/html; charset=utf-8')
    ),
    ['negotiation/accept']
  ],
  [
    'a page is preferred for any type',
    when(({ sent }) => sent['accept'] === '*/*', says(200, '<!doctype html>', 'text/html; charset=utf-8')),
    [...every('etag'), 'negotiation/accept']
  ],
  [
    'unknown parameters count',
    when(({ query, path }) => query === 'unknown=1' && path !== v2, says(200, [])),
    every('query/unknown').slice(0, -1)
  ],
  [
    'format=json is unknown', when(asked(chains, /^format=json$/), says(404, {})),
    ['chains/errors', 'chains/format-json']
  ],
  ['anything is there', when(({ path }) => path === '/api/v1/brakes/unicycles/', says(200, [])), ['paths']],
  [
    'ETags are ignored',
    when(({ sent, status }) => sent['if-none-match'] !== undefined && status !== 401, says(200, [])), every('etag')
  ],
  [
    'a 304 has no ETag',
    when(({ status }) => status === 304, ({ headers }) => { delete headers['etag'] }), every('etag')
  ],
  [
    'a 401 is JSON under another name',
    when(({ status }) => status === 401, header('content-type', 'text/html')), ['token/refused']
  ],
  [
    'a 401 may be cached',
    when(({ status }) => status === 401, header('cache-control', 'public, max-age=300')), ['token/refused']
  ],
  [
    'a 401 has no challenge',
    when(({ status }) => status === 401, ({ headers }) => { delete headers['www-authenticate'] }),
    ['token/refused']
  ],
  [
    'a filter has no browsable page',
    when(({ path, query }) => path === v2 && /^year__gte=.*format=api$/.test(query), says(500, '')),
    ['bikesV2/format-api']
  ],
  [
    'a filter is 500',
    when(({ path, query }) => path === v2 && query.startsWith('year__gte='), says(500, {})),
    ['bikesV2/filters']
  ],
  [
    'integers have a fraction',
    when(
      exchange => isList(exchange, wheels),
      exchange => { exchange.body = exchange.body.toString().replace(/("weight_grams":\d+),/, '$1.0,') }
    ),
    ['wheels/integers']
  ],
  ['the last integer has a fraction, and a URL looks like one', exchange => {
    records(wheels, ([first, ...own]) => [{ ...first, image_url: 'http://x.test/ü:2.0,' }, ...own])(exchange)
    if (asked(wheels, plainly)(exchange)) {
      exchange.body = exchange.body.toString().replace(
        /("weight_grams":\d+)(?!.*"weight_grams")/, '$1.0'
      )
    }
  }, ['wheels/integers', 'wheels/same', 'wheels/values']],
  [
    'a record comes twice',
    records(saddles, own => [...own.slice(0, -1), own[0]]),
    ['saddles/default-order', 'saddles/paged', 'saddles/unique'], plain
  ],
  ['every list has another fitness name', strava(/"fitness(?=_|":)/g), []],
  [
    'the usage of version 2.1 grows',
    each(v2, bike => ({ ...bike, usage: { ...bike['usage'] as Sent, view_count: ++turns } })), []
  ],
  [
    'v2 has another fitness name',
    when(
      exchange => isList(exchange, v2),
      exchange => { exchange.body = exchange.body.toString().replaceAll('"fitness', '"pedalo') }
    ),
    ['bikesV2/schema']
  ]
]

/** What services that keep to the specification do their own way. */
type Faithful = readonly [title: string, alter: Alter, pass?: Pass]

export const faithful: readonly Faithful[] = [
  ['a page for every unknown path', when(({ status }) => status === 404, says(200, '<!doctype html>', 'text/html'))],
  ['an optional slash', () => {}, target => target.replace(/^(\/api\/v\d\/\w+)(?=\?|$)/, '$1/')],
  ['JSON that is never indented', when(({ sent }) => String(sent['accept']).includes('indent'), says(200, []))],
  [
    'a proxy that writes names in small letters',
    ({ headers }) => {
      for (const name of ['allow', 'vary', 'content-type']) {
        if (headers[name] !== undefined) headers[name] = headers[name].toLowerCase()
      }
    }
  ],
  [
    'a cache that names directives its way',
    ({ headers }) => { headers['cache-control'] &&= headers['cache-control'].replace(/max-age=(\d+)/, 'Max-Age="$1"') }
  ],
  ['a cache of its own', ({ headers }) => { headers['cache-control'] &&= 'max-age=0, s-maxage=300' }],
  [
    'shorter caches in browsers',
    ({ headers }) => {
      headers['cache-control'] &&= headers['cache-control'].replace(/max-age=(\d+)/, 'max-age=60, s-maxage=$1')
    }
  ],
  ['private caches', ({ headers }) => { headers['cache-control'] &&= 'private' }],
  ['no caches', without('cache-control')],
  [
    'arrays that a link continues',
    records(tyres, (own, { headers }) => {
      headers['link'] = '<http://proxy.test/api/v1/tyres/?page=2>; rel="next"'
      return own.slice(0, 4)
    }, ({ body }) => body.toString().startsWith('['))
  ],
  ['a CDN that strips Accept', when(isBareOfBrakes, says(200, []))],
  ['OPTIONS without a body', when(({ method }) => method === 'OPTIONS', says(204, ''))],
  ['OPTIONS refused', when(({ method }) => method === 'OPTIONS', says(405, 'no', 'text/plain'))],
  ['application/problem+json', when(({ status }) => status >= 400, header('content-type', 'application/problem+json'))],
  ['errors of its own', when(({ status }) => status >= 400, says(400, { error: { code: 7 } }))],
  ['a 401 without a challenge', when(({ status }) => status === 401, without('www-authenticate'))],
  ['403 in HTML', when(({ status }) => status === 401, says(403, '<h1>Forbidden</h1>', 'text/html'))],
  ['a page to log in', when(({ status }) => status === 401, says(200, '<!doctype html>', 'text/html'))],
  [
    'a redirect to log in',
    when(
      ({ status }) => status === 401,
      exchange => { exchange.status = 302; exchange.headers['location'] = '/login/' }
    )
  ],
  ['no bikes without a token', when(({ status }) => status === 401, says(200, []))],
  ['counters and tags that change', exchange => {
    exchange.body = exchange.body.toString().replace(/"view_count":\d+/g, () => `"view_count":${++turns}`)
    exchange.headers['etag'] = `"${++turns}"`
  }],
  ['natural titles', renamed(bikes, 'title', fewer.bikes, rank => `Bike ${rank + 1}`)],
  [
    'Swedish brands',
    renamed(wheels, 'brand_name', fewer.wheels, rank => ['Zipp', 'Åsa', 'Äng'][Math.floor(rank / 4)] ?? 'Öz')
  ],
  ...([
    ['German names, as in a phone book', 'de-u-co-phonebk', ['Ad', 'Ärger', 'Af', 'Öl', 'Oe', 'Of']],
    ['Turkish names', 'tr', ['Cube', 'Çelik', 'Irmak', 'İzmir', 'Uz', 'Üz']],
    ['Swedish names with v and w as one', 'sv-u-co-trad', ['Ad', 'Wa', 'Vb', 'Wd', 'Åsa', 'Öz']],
    ['Spanish names of old', 'es-u-co-trad', ['Cz', 'Cha', 'D', 'Lz', 'Lla', 'M']]
  ] as const).map(([title, locale, names]): Faithful => [
    title, brandsInOrder([...names].sort(new Intl.Collator(locale).compare))
  ]),
  ['names as SQLite sorts them', brandsInOrder(['a', 'B', 'c', 'É', 'é', 'êz'])],
  ['names that were sorted decomposed', brandsInOrder(['eb', 'e\u0301a', '\u00e9c', 'f'])],
  ['another order for an invalid ordering', exchange => {
    for (const { path } of resources) {
      records(
        path, own => [...own].reverse(), ({ query }) => query.includes('nonsense')
      )(exchange)
    }
  }],
  [
    'a byte order mark',
    when(
      ({ headers }) => headers['content-type'] === formats.json,
      exchange => { exchange.body = `\ufeff${exchange.body.toString()}` }
    )
  ],
  [
    'a fitness name with capitals',
    exchange => { exchange.body = exchange.body.toString().replace(/"fitness(?=_|":)/g, '"Strava') }
  ],
  [
    'a leap second',
    exchange => {
      exchange.body = exchange.body.toString().replace(/"date_added":"[^"]+"/g, '"date_added":"2016-12-31T23:59:60Z"')
    }
  ],
  [
    'numbers that no double has',
    when(
      exchange => isList(exchange, saddles),
      exchange => { exchange.body = exchange.body.toString().replaceAll('"brand"', '"mass":1e400,"brand"') }
    )
  ],
  [
    'a longer cache of its own',
    ({ headers }) => {
      headers['cache-control'] &&= headers['cache-control'].replace(/public, (max-age=\d+)/, 's-maxage=600, public, $1')
    }
  ],
  ['Expires', exchange => {
    const { headers } = exchange
    const age = Number(/max-age=(\d+)/.exec(headers['cache-control'] ?? '')?.[1])
    delete headers['cache-control']
    if (age > 0) {
      Object.assign(
        headers, { date: new Date(0).toUTCString(), expires: new Date(age * 1000).toUTCString() }
      )
    }
  }],
  ['links that append a page', exchange => {
    if (!/(^|&)page=/.test(exchange.query) || exchange.query.includes('format=')) return
    exchange.body = exchange.body.toString().replace(
      /"(next|previous)":"([^?"]+)\?(?:[^"]*?&)?page=(\d+)[^"]*"/g,
      (_, name: string, path: string, number: string) => `"${name}":"${path}?${exchange.query}&page=${number}"`
    )
  }],
  ['two releases that alternate', exchange => {
    if (exchange.turn % 2 === 0 || exchange.headers['content-type'] !== formats.json) return
    const value = JSON.parse(exchange.body.toString()) as Sent
    exchange.body = JSON.stringify(reversedNames(value))
  }],
  ['429 now and then', when(({ turn }) => turn % 30 === 0, says(429, {}))],
  ['502 now and then', when(({ turn }) => turn % 25 === 0, says(502, 'Bad gateway', 'text/html'))],
  [
    'PHP slashes',
    exchange => {
      if (exchange.headers['content-type'] === formats.json) {
        exchange.body = exchange.body.toString().replaceAll('/', '\\/')
      }
    }
  ],
  [
    'Go escapes and a last line',
    exchange => {
      if (exchange.headers['content-type'] === formats.json) {
        exchange.body = `${exchange.body.toString().replaceAll('&', '\\u0026')}\n`
      }
    }
  ],
  [
    'Jackson spaces',
    exchange => {
      if (exchange.headers['content-type'] === formats.json && exchange.status === 200) {
        exchange.body = JSON.stringify(JSON.parse(exchange.body.toString()), null, 2)
      }
    }
  ],
  [
    'absent objects',
    exchange => {
      for (const list of [bikes, featured]) {
        each(
          list,
          bike => Object.fromEntries(Object.entries(bike).filter(([name, value]) =>
            value !== null || !['wheels', 'tyre', 'groupset'].includes(name)))
        )(exchange)
      }
    }
  ],
  [
    'timestamps without seconds',
    exchange => { exchange.body = exchange.body.toString().replace(/(T\d\d:\d\d):\d\d(?:\.\d+)?Z"/g, '$1Z"') }
  ],
  [
    'timestamps with microseconds',
    exchange => { exchange.body = exchange.body.toString().replace(/(T\d\d:\d\d:\d\d)Z"/g, '$1.123456Z"') }
  ],
  [
    '64-bit ids',
    exchange => {
      if (exchange.headers['content-type'] === formats.json) {
        exchange.body = exchange.body.toString().replace(
          /"id":(\d+)/g, (_, id: string) => `"id":${(2n ** 60n + BigInt(id))}`
        )
      }
    }
  ],
  [
    'floats for integers',
    exchange => { exchange.body = exchange.body.toString().replace(/"weight_grams":(\d+)/g, '"weight_grams":$1.0') }
  ],
  ['another fitness name', strava(/"fitness(?=_|":)/g)],
  [
    'the first page as a redirect',
    when(
      ({ query }) => query === 'page=1',
      exchange => { exchange.status = 301; exchange.headers['location'] = exchange.path }
    )
  ],
  [
    'the first page as two redirects',
    when(
      ({ query }) => /^page=1(&sorted)?$/.test(query),
      exchange => {
        exchange.status = 301
        exchange.headers['location'] = exchange.path + (exchange.query === 'page=1' ? '?page=1&sorted' : '')
      }
    )
  ],
  ['page=1 refused', when(({ query }) => /page=1$/.test(query), says(422, { page: ['unknown'] }))],
  ['filters refused', when(({ path, query }) => path === v2 && !/^(page=\d)?$/.test(query), says(400, {}))],
  [
    'version 2.1 as a document',
    when(
      ({ path, status, headers }) => path === v2 && status === 200 && headers['content-type'] === formats.json,
      says(200, { bikes: { road: [], gravel: [] } })
    )
  ],
  ['version 2.1 of another form', each(v2, ({ id, title }) => ({ uuid: String(id), name: title }))],
  [
    'no default order',
    exchange => {
      for (const { path } of resources.filter(({ key }) => key !== 'chains')) {
        records(path, turn, ({ query }) => !/ordering=-?[bt]/.test(query))(exchange)
      }
    }
  ],
  [
    'no trace of limits, other origins and tags',
    exchange => {
      for (const name of Object.keys(exchange.headers)) {
        if (/^(etag|last-modified|access-control-|x-ratelimit-)/.test(name)) without(name)(exchange)
      }
    }
  ],
  ['Vary for a language', ({ headers }) => { headers['vary'] &&= 'Accept, Accept-Language, Cookie' }],
  ['HEAD as a 405', when(({ method }) => method === 'HEAD', says(405, {}))],
  ['no redirect from the path without its slash', when(({ status }) => status === 301, says(404, {}))],
  [
    'links to an internal host',
    exchange => {
      exchange.body = exchange.body.toString().replaceAll('http://proxy.test/api', 'https://backend:8000/api')
    }
  ],
  [
    'pages that begin with 0',
    exchange => fromZero(exchange),
    laterPage
  ],
  ['an empty last page', exchange => emptyLast(exchange)],
  ['null values for placeholders', each(bikes, bike => ({ ...bike, image_url: null, images: null, saddle: null }))],
  ['more of each saddle', each(saddles, saddle => ({ ...saddle, width: 130 }))],
  ['ratings in version 1', each(bikes, bike => ({ ...bike, rating: 4.5 }))],
  [
    'a day of cache where none is stated',
    when(at(brakes), ({ headers }) => { headers['cache-control'] &&= 'max-age=86400' })
  ],
  ['nothing but lists, pages, orderings and browsable pages', exchange => {
    const { method, status, sent, headers, query } = exchange
    for (const name of Object.keys(headers)) {
      if (!/^(content-.*|allow|vary|cache-control|www-authenticate)$/.test(name)) without(name)(exchange)
    }
    if (status === 301 || status === 404) says(404, '', 'text/plain')(exchange)
    if (method === 'OPTIONS' || (status === 200 && query === '' && !isForJson(sent))) says(200, [])(exchange)
  }, target => target.replace(/\b(?:page_size|unknown|year__gte|format=json)\b/, 'x')],
  [
    'empty lists',
    when(
      ({ path, headers, status }) => path === saddles && status === 200 && headers['content-type'] === formats.json,
      exchange => {
        exchange.body = exchange.body.toString().replace(/\[.*\]/, '[]').replace(/"count":\d+/, '"count":0').replace(
          /"next":"[^"]+"/, '"next":null'
        )
      }
    )
  ]
]

/** Gives records other names in the order that they have. */
function renamed (list: string, field: string, all: readonly object[], nameOf: (rank: number) => string): Alter {
  const valueOf = (record: object) => String((record as Sent)[field])
  const { compare } = new Intl.Collator('en', { sensitivity: 'accent' })
  const values = [...new Set(all.map(valueOf))].sort(compare)
  const rename = (record: Sent) => ({ ...record, [field]: nameOf(values.indexOf(valueOf(record))) })
  return exchange => {
    each(list, rename)(exchange)
    if (list !== wheels) return
    for (const path of [bikes, featured, v2]) {
      each(path, bike => ({ ...bike, wheels: bike['wheels'] && rename(bike['wheels'] as Sent) }))(exchange)
    }
  }
}

/** Gives the wheels these brands, in the order that their own have. */
function brandsInOrder (brands: readonly string[]): Alter {
  return renamed(wheels, 'brand_name', fewer.wheels, rank => brands[Math.floor(rank / 2)] ?? 'zzz')
}

/** Returns a value with the names of its objects in the opposite order. */
function reversedNames (value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversedNames)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).reverse().map(([name, part]) => [name, reversedNames(part)]))
}

/** Requests the next page of the wheels. */
function laterPage (target: string): string {
  if (!target.startsWith(wheels)) return target
  return target.replace(/page=(\d+)/, (_, page: string) => `page=${Number(page) + 1}`)
}

/** Numbers the pages of the wheels from 0. */
function fromZero (exchange: Exchange): void {
  page(wheels, /page=1$/, page => ({ ...page, previous: link(wheels, exchange.query) }))(exchange)
  if (isList(exchange, wheels)) {
    exchange.body = exchange.body.toString().replace(
      /page=(\d+)/g, (_, page: string) => `page=${Number(page) - 1}`
    )
  }
}

/** Adds an empty page after the last one of the wheels. */
function emptyLast (exchange: Exchange): void {
  page(wheels, /^page=3$/, page => ({ ...page, next: link(wheels, 'page=4') }))(exchange)
  if (exchange.path === wheels && exchange.query === 'page=4&format=api') {
    says(200, '<!doctype html>', 'text/html')(exchange)
  }
  if (exchange.path === wheels && exchange.query === 'page=4') {
    says(
      200, { count: 12, next: null, previous: link(wheels, 'page=3'), results: [] }
    )(exchange)
  }
}
