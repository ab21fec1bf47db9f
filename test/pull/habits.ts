/** What a service chooses for itself; the first value of each is usual. */
export const habits = {
  escape: ['none', 'slashes', 'ampersands'],
  separator: [',', ', ', ' ,\n', 'fifth'],
  indent: [0, 2],
  envelope: ['plain', 'meta', 'facets', 'last newline', 'empty next', 'no nulls'],
  links: ['absolute', 'path', 'query'],
  fields: ['always the same', 'fewer in orders'],
  paging: ['array', 'always', 'on request', 'from 0', 'per_page', 'offset', 'redirect', 'empty last'],
  orders: ['contract', 'ignored', 'by length', 'one field', 'refused'],
  refusal: ['401', '403 HTML', '403 Latin-1', 'login', 'open'],
  headers: ['contract', 'none', 'other', 'no type'],
  head: [200, 405],
  network: ['plain', 'gzip', 'resets', '502', '503'],
  count: [7, 0, 1, 4]
} as const

export type Habits = { -readonly [name in keyof typeof habits]: (typeof habits)[name][number] }

export const usual = Object.fromEntries(Object.entries(habits).map(([name, [first]]) => [name, first])) as Habits

const words = ['pear', 'Öre', 'apple', 'Zed', 'fig', 'a/b', 'kiwi & co']

type Response = { status: number, headers: Record<string, string>, body: string }

/** Returns the response of a service to a query of one of its lists, as its framework would send it. */
export function respond (habits: Habits, url: URL, isIn: boolean, method = 'GET'): Response {
  const { paging, orders, envelope, refusal, count, links: form } = habits
  const parameters = url.searchParams
  const type = { 'content-type': 'application/json' }
  const headers: Record<string, string> = {
    contract: { ...type, vary: 'Accept', 'cache-control': 'public, max-age=300', allow: 'GET' },
    none: type,
    other: { ...type, vary: 'Cookie', 'cache-control': 'no-cache' },
    'no type': {}
  }[habits.headers]
  const error = (status: number, body: string, others = {}) =>
    ({ status, headers: { ...headers, ...others } as Record<string, string>, body })
  if (url.pathname.startsWith('/api/v2/') && !isIn && refusal !== 'open') {
    if (refusal === 'login') return error(302, '', { location: `${url.origin}/login` })
    if (refusal === '401') return error(401, '{"detail":"Who?"}', { 'www-authenticate': 'Token' })
    const body = refusal === '403 HTML' ? '<h1>No</h1>' : '<h1>Zur\xfcck</h1>'
    return error(403, body, { 'content-type': 'text/html' })
  }
  if (method === 'HEAD' && habits.head === 405) return error(405, '', { allow: 'GET' })
  const ordering = parameters.get('ordering') ?? ''
  const field = ordering.replace('-', '')
  if (orders === 'refused' && ordering !== '') return error(400, '{"ordering":["?"]}')
  const records = Array.from({ length: count }, (_, id) => ({
    id,
    title: `${words[id % 7]} ${id}`,
    brand: `${words[(3 * id) % 7]} ${id}`,
    brand_name: `${words[(5 * id) % 7]} ${id}`,
    weight: 8
  }))
  const isObeyed = ordering !== '' && orders !== 'ignored' && (orders !== 'one field' || field === 'title')
  if (isObeyed && field in (records[0] ?? {})) {
    const key = (record: object) => String(record[field as never])
    records.sort((a, b) => {
      if (orders === 'by length') return key(a).length - key(b).length || a.id - b.id
      return key(a) < key(b) ? -1 : 1
    })
    if (ordering.startsWith('-')) records.reverse()
  }
  const level = habits.indent > 0 ? 2 : 0
  const isShort = habits.fields === 'fewer in orders' && ordering !== ''
  const write = ({ weight, ...record }: { weight: number }) => {
    const text = JSON.stringify(isShort ? record : { ...record, weight }, null, habits.indent)
    return text.replaceAll('8', '8.0').replaceAll('\n', `\n${' '.repeat(level)}`)
  }
  const separatorBefore = (index: number) => {
    if (index === 0) return ''
    if (habits.separator !== 'fifth') return habits.separator
    return index % 5 === 0 ? ',\n' : ','
  }
  const texts = (part: { weight: number }[]) =>
    part.map((record, index) => separatorBefore(index) + write(record)).join('')
  const first = paging === 'from 0' ? 0 : 1
  const wanted = parameters.get('page')
  if (paging === 'redirect' && wanted === '1') return error(301, '', { location: url.href.replace(/[?&]page=1/, '') })
  const end = envelope === 'last newline' ? '\n' : ''
  if (paging === 'array' || (paging === 'on request' && wanted === null)) {
    return { status: 200, headers, body: `[${texts(records)}]${end}` }
  }
  const size = parameters.get('page_size') !== null && paging === 'always'
    ? Math.min(100, Number(parameters.get('page_size')))
    : 3
  const number = paging === 'offset' ? Number(parameters.get('offset') ?? 0) / size + first : Number(wanted ?? first)
  const last = Math.ceil(count / size) - 1 + first + Number(paging === 'empty last')
  if (number < first || number > Math.max(first, last)) return error(404, '{"detail":"No such page."}')
  const link = (to: number) => {
    const query = new URLSearchParams(parameters)
    if (paging === 'offset') query.set('offset', String((to - first) * size))
    else query.set('page', String(to))
    if (paging === 'per_page') query.set('per_page', '3')
    return `${{ absolute: url.origin + url.pathname, path: url.pathname, query: '' }[form]}?${query}`
  }
  const none = envelope === 'no nulls' ? undefined : envelope === 'empty next' ? '' : null
  const links = {
    count,
    next: number < last ? link(number + 1) : none,
    previous: number > first ? link(number - 1) : none
  }
  const envelopes: Readonly<Record<string, object>> = {
    meta: { meta: { count: 99, next: links.next }, ...links },
    facets: { ...links, facets: { results: [{ id: 'x' }] }, links: [links.next] }
  }
  const others = envelopes[envelope] ?? links
  const head = JSON.stringify(others).slice(0, -1)
  const escaped = { none: head, slashes: head.replaceAll('/', '\\/'), ampersands: head.replaceAll('&', '\\u0026') }
  const start = (number - first) * size
  const results = texts(records.slice(start, start + size))
  return { status: 200, headers, body: `${escaped[habits.escape]},"results":[${results}]}${end}` }
}
