import { resources } from '../../src/lists/resources.ts'
import type { Alter, Exchange } from './proxy.ts'
import { token } from './results.ts'

type Sent = Record<string, unknown>

const isList = ({ path, method, sent, query }: Exchange, list: string) => path === list && !query.includes('format=api') && ['GET', 'HEAD'].includes(method) && sent['accept'] === undefined && sent['if-none-match'] === undefined

/** Alters the records of a list, plain or page. */
export function records (list: string, change: (records: Sent[], exchange: Exchange) => unknown, where: (exchange: Exchange) => boolean = () => true): Alter {
  return exchange => {
    if (!isList(exchange, list) || exchange.status !== 200 || !where(exchange)) return
    const value = JSON.parse(exchange.body.toString()) as Sent[] | { results: Sent[] }
    const own = Array.isArray(value) ? value : value.results
    const changed = change(own, exchange)
    exchange.body = JSON.stringify(Array.isArray(value) ? changed : { ...value, results: changed })
  }
}

/** Alters every record of a list. */
export const each = (list: string, change: (record: Sent) => unknown) => records(list, own => own.map(record => change(record) ?? record))

/** Alters any answer that something is true of. */
export const when = (where: (exchange: Exchange) => boolean, change: (exchange: Exchange) => unknown): Alter => exchange => { if (where(exchange)) change(exchange) }

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
  '/api/v1/bikes/', '/api/v1/bikes/featured/', '/api/v1/wheels/', '/api/v1/tyres/', '/api/v1/chains/', '/api/v1/groupsets/', '/api/v1/brakes/', '/api/v1/saddles/', '/api/v2/bikes/'
]
const imaged = ['bikes', 'featured', 'wheels', 'tyres', 'chains', 'groupsets', 'bikesV2']

/** Returns the ids of one check of every list. */
export const every = (check: string) => resources.map(({ key }) => `${key}/${check}`)

/** What a server may do wrong, how the proxy does it, and the checks that have to notice it: these and no others. */
/** Takes the pages from a list. */
const plain = (target: string) => target.startsWith(saddles) ? target.replace('page=', 'x=') : target

type Fault = readonly [title: string, alter: Alter, noticed: readonly string[], pass?: (target: string) => string]

export const faults: readonly Fault[] = [
  ['a list is 500', when(exchange => isList(exchange, saddles), says(500, { detail: 'Internal server error.' })), ['saddles/status']],
  ['a list is no JSON', when(exchange => isList(exchange, saddles), says(200, '[')), ['saddles/status']],
  ['a list is an object', when(exchange => isList(exchange, saddles), says(200, {})), ['saddles/status']],
  ['a list has a charset', when(exchange => isList(exchange, wheels), ({ headers }) => { headers['content-type'] = 'application/json; charset=utf-8' }), ['wheels/content-type']],
  ['a list has no Allow', when(exchange => at(tyres)(exchange) && exchange.method !== 'POST', ({ headers }) => { delete headers['allow'] }), ['tyres/allow']],
  ['a list allows POST', when(at(tyres), ({ headers }) => { headers['allow'] = 'GET, POST, HEAD, OPTIONS' }), ['tyres/allow']],
  ['a list varies by nothing', when(at(chains), ({ headers }) => { delete headers['vary'] }), ['chains/vary']],
  ['a list is kept too long', when(at(wheels), ({ headers }) => { headers['cache-control'] = 'public, max-age=3600' }), ['wheels/cache/age']],
  ['a number is a text', each(wheels, record => ({ ...record, weight_grams: String(record['weight_grams']) })), ['wheels/schema']],
  ['a field may not be null', each(tyres, record => ({ ...record, description: null })), ['tyres/schema']],
  ['a bike that is not featured', each(featured, bike => ({ ...bike, is_featured: false })), ['featured/chosen']],
  ['a field is missing', each(featured, ({ slug, ...record }) => record), ['featured/schema']],
  ['a nested field is missing', each(groupsets, record => { delete (record['chain'] as Sent)['links_count'] }), ['groupsets/schema']],
  ['a field is one too many', each(chains, record => ({ ...record, price: '9.00' })), ['chains/schema']],
  ['images are paths', each(tyres, record => ({ ...record, image_url: '/media/tyres/1.jpg' })), ['tyres/image-urls']],
  ['chains come in another order', records(chains, own => own.reverse(), ({ query }) => !query.includes('ordering')), ['chains/default-order']],
  ['ordering is ignored', () => {}, ['wheels/ordering/brand_name', 'wheels/ordering/-brand_name'], target => target.startsWith(wheels) ? target.replace(/ordering=-?brand_name/, 'x=') : target],
  ['an ordering is upside down', () => {}, ['tyres/ordering/brand_name', 'tyres/ordering/-brand_name'],
    target => target.startsWith(tyres) ? target.replace(/ordering=(-?)/, (_, sign: string) => `ordering=${sign === '' ? '-' : ''}`) : target],
  ['two records are out of order', records(bikes, own => [own[1], own[0], ...own.slice(2)], ({ query }) => query === 'ordering=title'), ['bikes/ordering/title']],
  ['an ordering loses a record', records(bikes, own => own.slice(1), ({ query }) => query === 'ordering=-title'), ['bikes/ordering/-title']],
  ['an ordering is 500', when(({ path, query }) => path === bikes && query === 'ordering=-title', says(500, {})), ['bikes/ordering/-title']],
  ['the first page is 500', when(exchange => isList(exchange, tyres) && exchange.query === 'page=1', says(500, {})), ['tyres/envelope']],
  ['count is wrong', page(tyres, /page=1$/, page => ({ ...page, count: 3 })), ['tyres/envelope']],
  ['the first page has a previous one', page(tyres, /page=1$/, page => ({ ...page, previous: page['next'] })), ['tyres/envelope']],
  ['an envelope lacks a field', page(tyres, /page=1$/, ({ previous, ...page }) => page), ['tyres/envelope']],
  ['a page is empty', page(wheels, /page=2$/, page => ({ ...page, results: [] })), ['wheels/walk']],
  ['next leads round', page(wheels, /page=2$/, page => ({ ...page, next: String(page['next']).replace('page=3', 'page=2') })), ['wheels/walk']],
  ['next leads away', page(wheels, /page=2$/, page => ({ ...page, next: 'http://proxy.test/api/v1/tyres/?page=3' })), ['wheels/walk']],
  ['a page is a plain array', page(wheels, /page=2$/, ({ results }) => results), ['wheels/walk']],
  ['pages have a cursor', page(tyres, /^(page|cursor)=/, page => ({ ...page, next: String(page['next']).replace('page=', 'cursor='), previous: page['previous'] && `http://proxy.test${tyres}?cursor=99` })), ['tyres/envelope', 'tyres/links', 'tyres/previous'],
    target => target.startsWith(tyres) ? target.replace(/page=(2|999999|last)/, 'page=1').replace('cursor', 'page') : target],
  ['links are paths', page(bikes, /page=1$/, page => ({ ...page, next: '/api/v1/bikes/?page=2' })), ['bikes/envelope', 'bikes/links']],
  ['previous leads to the second page', page(bikes, /page=2$/, page => ({ ...page, previous: page['next'] })), ['bikes/previous']],
  ['POST is obeyed', when(exchange => exchange.method === 'POST' && exchange.path === saddles, says(201, {})), ['saddles/read-only']],
  ['no format is a page', when(({ query }) => query === 'format=api', says(404, { detail: 'Not found.' })), every('format-api').slice(0, -1)],
  ['a page is missing from the list', page(wheels, /page=2$/, page => ({ ...page, next: null })), ['wheels/walk']],
  ['a list is Latin-1', when(exchange => isList(exchange, saddles), exchange => { exchange.body = Buffer.from(exchange.body.toString().replace('A', 'é'), 'latin1') }), ['saddles/utf-8'], plain],
  ...['2024-05-12 21:20:48Z', '2024-05-12t21:20:48Z', '2024-02-30T21:20:48Z', '2024-05-12T21:20:48+00:00', '2024-05-12T24:00:00Z'].map((date): Fault =>
    [`a date is ${date}`, each('/api/v1/bikes/', bike => ({ ...bike, date_added: date })), ['bikes/timestamps']]),
  ['a charset comes with ordering', when(({ path, query }) => path === wheels && query.startsWith('ordering='), ({ headers }) => { headers['content-type'] += '; charset=utf-8' }), ['wheels/content-type']],
  ['Vary is lost with ordering', when(({ path, query }) => path === chains && query.startsWith('ordering='), ({ headers }) => { headers['vary'] = 'Origin' }), ['chains/vary']],
  ['Allow is lost on the second page', when(({ path, query }) => path === wheels && query === 'page=2', ({ headers }) => { delete headers['allow'] }), ['wheels/allow']],
  ['one list has no page for a browser', when(({ path, query }) => path === tyres && query === 'format=api', says(500, '')), ['tyres/format-api']],
  ['previous of page 3 leads to page 1', page(wheels, /page=3$/, page => ({ ...page, previous: `http://proxy.test${wheels}` })), ['wheels/previous']],
  ['count of page 2 is a text', page(wheels, /page=2$/, page => ({ ...page, count: String(page['count']) })), ['wheels/envelope']],
  ['a list says gzip and is not', when(exchange => isList(exchange, saddles), ({ headers }) => { headers['content-encoding'] = 'gzip' }), ['saddles/status'], plain],
  ['the last next is empty', page(wheels, /page=3$/, page => ({ ...page, next: '' })), ['wheels/envelope']],
  ['an item is null', records(saddles, own => [null, ...own]), ['saddles/schema'], plain],
  ['a record is empty', records(saddles, own => [...own.slice(0, -1), {}]), ['saddles/schema'], plain],
  ['a weight has a fraction', each(wheels, wheel => ({ ...wheel, weight_grams: 1540.5 })), ['wheels/schema']],
  ...[
    ({ method }: Exchange) => method === 'HEAD', ({ query }: Exchange) => query.includes('ordering'), ({ query }: Exchange) => query === 'format=api', ({ query }: Exchange) => query === 'page_size=1',
    ({ sent }: Exchange) => sent['authorization'] === 'Token verify-has-no-such-token', () => true
  ].map((where, index): Fault => [`v2 is open (${index})`, when(exchange => at(v2)(exchange) && exchange.status === 401 && where(exchange), says(200, [{ id: 1 }])), ['token/needed']])
]

let turns = 0

/** Returns records in another order each time. */
const turn = (own: Sent[]) => [...own.slice(++turns % own.length), ...own.slice(0, turns % own.length)]

/** What a server may leave out or do its own way, and the checks that warning it. */
export const liberties: readonly Fault[] = [
  ['a list refuses pages', when(({ query, path }) => path === saddles && query.startsWith('page='), says(400, { page: ['Unknown.'] })), ['saddles/paged']],
  ['lists come without pages', () => {}, every('paged'), target => target.replace(/page=(1|2|999999)$/, 'x=')],
  ['brakes and wheels come without pages and without an order', exchange => {
    for (const list of [brakes, wheels]) records(list, turn, ({ query }) => !/brand_name|format=/.test(query))(exchange)
  }, ['brakes', 'wheels'].flatMap(key => [`${key}/default-order`, `${key}/paged`]), target => /brakes|wheels/.test(target) ? target.replace('page=', 'x=') : target],
  ['titles that are numbers come as texts', records(bikes, own => own.map((bike, index) => ({ ...bike, title: ['', ' ', '-1', '100', '20', '3'][index] ?? 'x' })),
    ({ query }) => query.endsWith('ordering=title')), []],
  ['a featured bike is another', each(featured, bike => ({ ...bike, id: bike['id'] === 13 ? 9999 : bike['id'] })), ['featured/all', 'featured/default-order']],
  ['slugs have dots', each('/api/v1/bikes/', bike => ({ ...bike, slug: `${String(bike['slug'])}.1` })), ['bikes/values', 'bikesV2/superset']],
  ['an accented letter sorts before its plain one', records('/api/v1/wheels/', own => own.map((wheel, index) => ({ ...wheel, brand_name: ['Öz', 'Oa'][index] ?? 'P' })), ({ query }) => /ordering=brand_name$/.test(query)), ['wheels/ordering/collation']],
  ['a missing slash is 404', when(({ path, status }) => !path.endsWith('/') && status === 301, says(404, { detail: 'Not found.' })), every('redirect')],
  ['v2 knows no ordering by rating', () => {}, ['bikesV2/orderings'], target => target.replace(/ordering=-?rating/, 'x=')],
  ['v2 knows no filter by year', () => {}, ['bikesV2/filters'], target => target.replace(/year(__..e)?=/, 'x=')],
  ['nothing is a page', when(({ headers, query }) => query === '' && String(headers['content-type']).startsWith('text/html'), says(200, [])), ['negotiation/accept']],
  ['errors have a charset', when(({ status }) => status >= 400, ({ headers }) => { headers['content-type'] = 'application/json; charset=utf-8' }),
    ['errors']],
  ['HEAD has no tag', when(({ method }) => method === 'HEAD', ({ headers }) => { delete headers['etag'] }), []],
  ['another number of parameters is too many', when(({ query }) => query.startsWith('a&a&'), says(500, '')), ['query/too-many']],
  ['v2 tells no prices', each('/api/v2/bikes/', ({ price, ...bike }) => bike), ['bikesV2/schema']],
  ['v2 tells more', each('/api/v2/bikes/', bike => ({ ...bike, colour_code: 7 })), ['bikesV2/schema']],
  ['saddles tell more', each('/api/v1/saddles/', saddle => ({ ...saddle, width: 130 })), ['saddles/values']],
  ['v1 bikes have a rating', each('/api/v1/bikes/', bike => ({ ...bike, rating: 4.5 })), ['bikes/values']],
  ['brakes are cached for longer', exchange => { if (exchange.path === '/api/v1/brakes/') exchange.headers['cache-control'] = 'max-age=900' }, ['brakes/cache']],
  ['v2 may be kept by anybody', when(at(v2), ({ headers }) => { headers['cache-control'] = 'public, max-age=60' }), ['bikesV2/cache']],
  ['fields stand in another order', each(groupsets, ({ id, ...record }) => ({ ...record, id })), ['groupsets/fields']],
  ['images are gone', when(({ path }) => path.startsWith('/media/'), says(404, { detail: 'Not found.' })), imaged.map(key => `${key}/images`)],
  ['one origin may read', when(({ sent }) => sent['origin'] !== undefined, ({ headers }) => { headers['access-control-allow-origin'] = 'https://other.example' }), ['cors/origin']],
  ['a 401 is a 403', when(({ status }) => status === 401, exchange => { exchange.status = 403 }), ['token/refused']],
  ['a year is a word', each(v2, record => ({ ...record, year: 'soon' })), ['bikesV2/schema', 'bikesV2/superset']],
  ['v1 minds a bad token', when(exchange => at(brakes)(exchange) && exchange.sent['authorization'] !== undefined, says(401, { detail: 'Invalid token.' })), ['token/public']],
  ['a v2 bike lacks a field of v1', each(v2, ({ slug, ...record }) => record), ['bikesV2/schema', 'bikesV2/superset']],
  ['a v2 bike says something else', each(v2, record => ({ ...record, frame_size: 'other' })), ['bikesV2/superset']],
  ['a v2 field has another form', each(v2, record => ({ ...record, components: [] })), ['bikesV2/schema']],
  ['v2 lacks a bike', records(v2, own => own.filter(({ id }) => id !== 5)), ['bikesV2/superset', 'bikesV2/envelope', 'bikesV2/page-size']],
  ['a filter is upside down', () => {}, ['bikesV2/filters'], target => target.replace('year__gte=2', 'year__lte=2')],
  ['a filter finds too much', records(v2, (own, { query }) => [...own, { ...own[0], id: 9999 }], ({ query }) => query.startsWith('brand=')), ['bikesV2/filters']],
  ['a filter finds a record twice', records(v2, own => [...own, own[0]], ({ query }) => query.startsWith('brand=')), ['bikesV2/filters']],
  ['the first ordering counts', () => {}, ['bikes/ordering/last'], target => target === `${bikes}?ordering=nonsense&ordering=title` ? `${bikes}?ordering=nonsense` : target],
  ['an unknown ordering orders', () => {}, ['groupsets/ordering/unknown'], target => target === `${groupsets}?ordering=nonsense` ? `${groupsets}?ordering=-brand_name` : target],
  ['every page exists', when(({ query }) => query === 'page=999999', says(200, { count: 0, next: null, previous: null, results: [] })), every('numbers')],
  ['HEAD has a tag of its own', when(exchange => exchange.method === 'HEAD' && exchange.path === saddles, ({ headers }) => { headers['etag'] = '"head"' }), ['saddles/head']],
  ['HEAD is 404', when(exchange => exchange.method === 'HEAD' && exchange.path === saddles, exchange => { exchange.status = 404 }), ['saddles/head']],
  ['OPTIONS is 405', when(exchange => exchange.method === 'OPTIONS' && exchange.path === saddles, says(405, { detail: 'Method "OPTIONS" not allowed.' })), ['saddles/options']],
  ['a slash may be missing', () => {}, ['saddles/redirect'], target => target.replace(/^\/api\/v1\/saddles\?/, '/api/v1/saddles/?')],
  ['a redirect is for now', when(({ path }) => path === '/api/v1/saddles', exchange => { exchange.status = 302 }), ['saddles/redirect']],
  ['a redirect leads nowhere', when(({ path }) => path === '/api/v1/saddles', ({ headers }) => { headers['location'] = 'http://[' }), ['saddles/redirect']],
  ['a redirect loses the query', when(({ path }) => path === '/api/v1/saddles', ({ headers }) => { headers['location'] = saddles }), ['saddles/redirect']],
  ['an unknown format is JSON', () => {}, ['negotiation/format'], target => target.replace('format=xml', 'format=json')],
  ['the token is checked before the format', when(({ path, query }) => path === v2 && query === 'format=xml', says(401, {})), ['negotiation/before-token']],
  ['a page is 500', when(({ sent }) => sent['accept'] === 'text/html', says(500, '')), ['negotiation/accept', 'negotiation/format']],
  ['Accept is ignored', when(({ sent }) => sent['accept'] === 'application/xml', says(200, [])), ['negotiation/accept']],
  ['a page is preferred', when(({ sent }) => String(sent['accept']).startsWith('text/html,'), says(200, '<!doctype html>', 'text/html; charset=utf-8')), ['negotiation/accept']],
  ['a 406 is a page', when(({ sent, query }) => query === 'format=json' && sent['accept'] === 'text/html', says(406, 'no', 'text/html')), ['errors']],
  ['indent is ignored', when(({ sent }) => String(sent['accept']).includes('indent'), exchange => { exchange.body = JSON.stringify(JSON.parse(exchange.body.toString())) }), ['negotiation/indent']],
  ['unknown parameters count', when(({ query }) => query === 'unknown=1&limit=1', says(200, [])), ['query/unknown']],
  ['anything is there', when(({ path }) => path === '/api/v1/unicycles/', says(200, [])), ['paths']],
  ['paths ignore case', () => {}, ['paths'], target => target.replace('/Brakes/', '/brakes/')],
  ['ETags are ignored', when(({ sent }) => sent['if-none-match'] !== undefined, says(200, [])), every('etag')],
  ['a 304 has no ETag', when(({ status }) => status === 304, ({ headers }) => { delete headers['etag'] }), every('etag')],
  ['every ETag fits', when(({ sent, path }) => path === v2 && sent['if-none-match'] === '"another"', exchange => { exchange.status = 304 }), ['bikesV2/etag']],
  ['a 401 has no challenge', when(({ status }) => status === 401, ({ headers }) => { delete headers['www-authenticate'] }), ['token/challenge']],
  ['any token will do', when(({ path, sent }) => path === v2 && sent['authorization'] === 'Token verify-has-no-such-token', says(200, [])), ['token/refused']],
  ['a filter is 500', when(({ path, query }) => path === v2 && query.startsWith('year='), says(500, {})), ['bikesV2/filters', 'bikesV2/filters/invalid']],
  ['an unreadable value is 500', when(({ query }) => query === 'year=verify', says(500, {})), ['bikesV2/filters/invalid']],
  ['OPTIONS has another name', when(({ method }) => method === 'OPTIONS', says(200, { name: 'x', renders: [], parses: [] })), every('options/name')],
  ['page_size is 500', when(({ path, query }) => path === wheels && query.includes('page_size'), says(500, {})), ['wheels/page-size']],
  ['page_size is ignored', () => {}, ['tyres/page-size'], target => target.startsWith(tyres) ? target.replace('page_size', 'x') : target],
  ['JSON sets a cookie', when(at(brakes), ({ headers }) => { headers['set-cookie'] = ['a=b'] as unknown as string }), ['cookies']],
  ['integers have a fraction', when(exchange => isList(exchange, wheels), exchange => { exchange.body = exchange.body.toString().replace(/("weight_grams":\d+),/, '$1.0,') }), ['wheels/integers']],
  ['a record comes twice', records(saddles, own => [...own.slice(0, -1), own[0]]), ['saddles/default-order', 'saddles/paged', 'saddles/unique'], plain],
  ['a bike_type is not its category', each('/api/v1/bikes/', bike => ({ ...bike, bike_type: 'other' })), ['bikes/category', 'bikesV2/superset']],
  ['a token counts without its word', when(exchange => at(v2)(exchange) && exchange.sent['authorization'] === token, says(200, [])), ['token/keyword']],
  ['v2 has another fitness name', when(exchange => isList(exchange, v2), exchange => { exchange.body = exchange.body.toString().replaceAll('"fitness', '"pedalo') }), ['bikesV2/superset']]
]

/** What services that keep to the specification do their own way. */
export const faithful: ReadonlyArray<readonly [title: string, alter: Alter, pass?: (target: string) => string]> = [
  ['a page for every unknown path', when(({ status }) => status === 404, says(200, '<!doctype html>', 'text/html'))],
  ['an optional slash', () => {}, target => target.replace(/^(\/api\/v\d\/\w+)(?=\?|$)/, '$1/')],
  ['JSON that is never indented', when(({ sent }) => String(sent['accept']).includes('indent'), says(200, []))],
  ['a proxy that writes names in small letters', ({ headers }) => { for (const name of ['allow', 'vary', 'content-type']) if (headers[name] !== undefined) headers[name] = headers[name].toLowerCase() }],
  ['a cache that names directives its way', ({ headers }) => { headers['cache-control'] &&= headers['cache-control'].replace(/max-age=(\d+)/, 'Max-Age="$1"') }],
  ['a content coding that is none', ({ headers }) => { headers['content-encoding'] = 'identity' }],
  ['a CDN that strips Accept', when(({ sent, path }) => sent['accept'] !== undefined && path === brakes, says(200, []))],
  ['OPTIONS without a body', when(({ method }) => method === 'OPTIONS', says(204, ''))],
  ['OPTIONS refused', when(({ method }) => method === 'OPTIONS', says(405, 'no', 'text/plain'))],
  ['application/problem+json', when(({ status }) => status >= 400, ({ headers }) => { headers['content-type'] = 'application/problem+json' })],
  ['errors of its own', when(({ status }) => status >= 400, says(400, { error: { code: 7 } }))],
  ['a 401 without a challenge', when(({ status }) => status === 401, ({ headers }) => { delete headers['www-authenticate'] })],
  ['a page to log in', when(({ status }) => status === 401, says(200, '<!doctype html>', 'text/html'))],
  ['a redirect to log in', when(({ status }) => status === 401, exchange => { exchange.status = 302; exchange.headers['location'] = '/login/' })],
  ['no bikes without a token', when(({ status }) => status === 401, says(200, []))],
  ['counters and tags that change', exchange => {
    exchange.body = exchange.body.toString().replace(/"view_count":\d+/g, () => `"view_count":${++turns}`)
    exchange.headers['etag'] = `"${++turns}"`
  }],
  ['natural titles', records(bikes, (own, { query }) => own.map((bike, index) => ({ ...bike, title: `Bike ${index + (query.endsWith('page=2') ? 11 : 1)}` })), ({ query }) => query.startsWith('ordering=title'))],
  ['Swedish brands', records(wheels, own => own.map((wheel, index) => ({ ...wheel, brand_name: ['Zipp', 'Åsa', 'Äng', 'Öz'][index] ?? 'Öz' })), ({ query }) => query.startsWith('ordering=brand'))]
]
