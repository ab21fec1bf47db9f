import promises from 'node:fs/promises'
import { readdirSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import type { Recording } from '../../schemas/recording.ts'
import { valid } from '../catalogue/changed.ts'
import { resources } from '../../src/lists/resources.ts'
import { dataDirectory } from '../../src/package.ts'
import { replaceExport } from '../helper.ts'
import { assertSameBytes, freeDirectory, pullFrom, run, serve, serveData, token } from './pulled.ts'

const bikes = '/api/v1/bikes/'

const openLists = resources.filter(({ access }) => access === 'public')

/** An image of the fixture. */
const image = readFileSync(join(valid, 'media/bikes/swift.jpg'))

/** Returns the content of recording.json. */
const recordingIn = (directory: string) =>
  JSON.parse(readFileSync(join(directory, 'recording.json'), 'utf8')) as Recording

function json (response: ServerResponse, value: unknown): true {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  return true
}

test('a terminal shows waits and broken connections, after which the request is sent again', async t => {
  const { url } = await serve(t, (_, response, count) => {
    if (count === 1) response.writeHead(429, { 'retry-after': '0' }).end()
    else if (count % 3 === 1) response.destroy()
    else if (count % 3 === 2) response.writeHead(200, { 'content-length': '9' }).write('half', () => response.destroy())
    return count % 3 !== 0
  })
  const stderr = /1 waiting 0 s, as Retry-After says.*trying again: ECONNRESET/s
  t.match(await pullFrom(t, url, [], { isTTY: true }), { code: 0, stdout: / in \d+ requests$/m, stderr, left: 1 })
})

test('a response that arrives while this process is busy is not silence', async t => {
  let most = 3
  const isBusy = () => most-- > 0 && Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 120)
  const { url } = await serve(t, (_, response) => {
    return !!response.writeHead(200, { 'content-type': 'application/json' }).end('[{"id":1}]', isBusy)
  })
  t.match(await pullFrom(t, url, ['--lists', 'saddles'], { limits: { idleTimeout: 60 } }), { code: 0, stderr: '' })
  t.ok(most < 0)
})

test('a connection that always breaks', async t => {
  const { url, requests } = await serve(t, (_, response) => !!response.destroy())
  t.match(await pullFrom(t, url, [], { isTTY: true }), {
    code: 2, stderr: new RegExp(`\\r\\x1b\\[KGET ${url}/api/v1/bikes/: ECONNRESET\n$`), left: 0
  })
  t.equal(requests.length, 4)
})

const page = (next: unknown, results: unknown = []) => ({ count: 1, next, previous: null, results })

type Refusal = readonly [title: string, answer: (response: ServerResponse, url: string) => unknown, stderr: RegExp]

const refusals: readonly Refusal[] = [
  ['204', response => response.writeHead(204).end(), /bikes\/ responds with 204$/m],
  ['401', response => response.writeHead(401).end(), /bikes\/ responds with 401; does a gateway need a --header\?$/m],
  [
    '404',
    response => response.writeHead(404).end(),
    /bikes\/ responds with 404; if the service has a base path, add it: http:.*\/path$/m
  ],
  [
    '429',
    response => response.writeHead(429, { 'retry-after': '86400' }).end(),
    /bikes\/: 429, Retry-After: 86400; the service limits requests$/m
  ],
  ['next with an invalid URL', response => json(response, page('http://')), /has an invalid next link: http:\/\/$/m],
  ['next that is no link', response => json(response, page({ n: 2 })), /bikes\/ has an invalid next link: {"n":2}$/m],
  [
    'next in a circle',
    response => json(response, page('?page=2')),
    /bikes\/\?page=2 has a next link that leads in a circle$/m
  ],
  ['next without end', (response, url) => json(response, page(`${url}1`)), /has more than 20 pages$/m],
  [
    'slices without end',
    (response, url) => json(response, [{ id: Number(/page=(\d+)/.exec(url)?.[1] ?? 1) }]),
    /has more than 20 pages$/m
  ],
  [
    'a redirect',
    response => response.writeHead(302, { location: 'http://127.0.0.2/' }).end(),
    /bikes\/ responds with 302, location: http:\/\/127\.0\.0\.2\/; use that URL$/m
  ],
  [
    'a redirect to itself',
    (response, url) => response.writeHead(302, { location: url, 'set-cookie': 'a=b' }).end(),
    /bikes\/; does a gateway need a --header\?$/m
  ],
  [
    'a page that is an array',
    (response, url) => json(response, url.endsWith('2') ? [] : page('?page=2')),
    /bikes\/\?page=2 responds without a page of records$/m
  ],
  [
    'a next page that is missing',
    (response, url) => url.endsWith('2') ? response.writeHead(404).end() : json(response, page('?page=2')),
    /bikes\/\?page=2 responds with 404$/m
  ],
  [
    'a count of other records',
    response => json(response, page(null)),
    /has 0 records, but its count is 1; it may have changed/
  ],
  [
    'a body without end',
    response => response.writeHead(200).end(Buffer.alloc(200_000, ' ')),
    /bikes\/: a response larger than 0.125 MB$/m
  ],
  [
    'lists that are too long together',
    response => json(response, [{ title: 'a'.repeat(70_000) }]),
    /^the lists have more than 0\.0625 MB, the most at a time; record fewer of them with --lists$/m
  ],
  [
    'HTML',
    response => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hi</h1>'),
    /bikes\/ responds with text\/html that cannot be read as JSON$/m
  ],
  [
    'no UTF-8',
    response => response.writeHead(200).end(Buffer.from('["\xff"]', 'latin1')),
    /bikes\/ responds in an encoding other than UTF-8, which JSON requires$/m
  ],
  [
    'UTF-16',
    response => response.writeHead(200).end(Buffer.from('\ufeff[]', 'utf16le')),
    /bikes\/ responds in an encoding other than UTF-8, which JSON requires$/m
  ],
  [
    '6,000 levels',
    response => response.writeHead(200).end('['.repeat(6000) + ']'.repeat(6000)),
    /bikes\/ responds with no Content-Type that cannot be read as JSON$/m
  ],
  [
    'null',
    response => json(response, null),
    /bikes\/ responds with neither an array of records nor a page with results$/m
  ],
  ['an object', response => json(response, { results: {} }), /bikes\/ responds with neither an array/m],
  [
    'a list with a number',
    response => json(response, [{}, 1]),
    /bikes\/ has a record that is not an object, at position 1$/m
  ]
]

test('a response without a list ends the command, and leaves nothing behind', async t => {
  for (const [title, answer, stderr] of refusals) {
    const { url } = await serve(
      t,
      ({ url = '' }, response) => url.startsWith(bikes) && !!(answer(response, url) ?? true)
    )
    const limits = { pages: 20, maxBytes: 2 ** 17, characters: 2 ** 16 }
    t.match(await pullFrom(t, url, [], { limits }), { code: 2, stdout: /^$/, stderr, left: 0 }, title)
  }
})

test('pages at another scheme or host are read below the URL, with a warning', async t => {
  const { url, requests } = await serve(t, ({ url: target = '', headers: { host } }, response) => {
    if (target === bikes) {
      return json(response, { ...page(`https://internal:8000${bikes}?page=2`, [{ id: 1 }]), count: 2 })
    }
    return target === `${bikes}?page=2` && json(response, {
      ...page(null, [{ id: 2 }]), previous: `http://${host}${bikes}`, count: 2
    })
  })
  const { code, stderr, directory } = await pullFrom(t, url)
  t.equal(code, 0)
  t.match(stderr, `${url}${bikes} leads to https://internal:8000; its pages are read from ${url}\n`)
  t.ok(requests.some(({ url }) => url === `${bikes}?page=2`))
  t.equal(readFileSync(join(directory, 'v1/bikes.json'), 'utf8'), '[\n{"id":1},\n{"id":2}\n]\n')
  t.match(await run([url, directory, '--overwrite', '--lists', 'saddles']), { code: 0 })
  t.match(recordingIn(directory), { bases: ['https://internal:8000'] }, 'known from the other lists')
})

test('the token is sent only below the path of the URL, and other lists may leave it', async t => {
  const { url, requests } = await serve(t, ({ url = '' }, response) => {
    const path = url.replace('/tenant', '')
    if (url.startsWith('/tenant/api/v2/')) {
      return json(response, { count: 2, next: '/other-tenant/x', previous: null, results: [{ id: 1 }] })
    }
    return path === '/api/v1/saddles/'
      ? json(response, { ...page('/other-tenant/y'), count: 0 })
      : json(response, url.endsWith('/y') ? { ...page(null), count: 0 } : [])
  })
  const { code, stderr } = await pullFrom(t, `${url}/tenant`, ['--token', token])
  t.equal(code, 2)
  t.match(stderr, `leads outside ${url}/tenant/; the token is sent only below that URL: /other-tenant/x\n`)
  const withToken = requests.filter(({ authorization }) => authorization !== undefined)
  t.same(withToken.map(({ url }) => url), ['/tenant/api/v2/bikes/'])
  t.ok(requests.some(({ url }) => url === '/other-tenant/y'))
})

test('whatever follows ? in a next link is a query, and the token stays below the path of the URL', async t => {
  for (const next of ['?/secret', '?//127.0.0.2/secret', '/tenant/..%2Fsecret', '/tenant/%2e%2e%5csecret']) {
    const { url, requests } = await serve(
      t,
      ({ url = '' }, response) => json(response, url.endsWith('/bikes/') ? page(next, [{ id: 1 }]) : page(null))
    )
    await pullFrom(t, `${url}/tenant`, ['--token', token, '--lists', 'bikesV2'])
    const withToken = requests.filter(({ authorization }) => authorization !== undefined)
    const paths = withToken.map(({ url }) => url.split('?')[0])
    t.same([...new Set(paths)], ['/tenant/api/v2/bikes/'], next)
  }
})

test('a refusal of version 2.1 asks about the token', async t => {
  const { url } = await serve(
    t,
    ({ url = '' }, response) => url.startsWith('/api/v2/') && !!response.writeHead(403).end()
  )
  t.match(await pullFrom(t, url, ['--token', token]), {
    code: 2, stderr: /responds with 403; does the service accept the token of --token\?$/m
  })
})

test('a URL without lists: the advice names the path to add or to leave out', async t => {
  const { url } = await serve(t, (_, response) => !!response.writeHead(404).end())
  const cases = [
    ['', `if the service has a base path, add it: ${url}/path`],
    ['/api', `the URL ends before /api/: ${url}/`],
    ['/shop/api/v1/', `the URL ends before /api/: ${url}/shop/`],
    ['/api/v2/bikes/', `the URL ends before /api/: ${url}/`],
    ['/shop', `is the path /shop/ of the URL right? The lists are below ${url}/shop/api/`]
  ] as const
  for (const [path, advice] of cases) {
    for (const flags of [[], ['--lists', 'saddles']]) {
      const { code, stderr, left } = await pullFrom(t, url + path, flags)
      t.match({ code, left, stderr }, { code: 2, left: 0, stderr: `responds with 404; ${advice}\n` }, path)
      t.notMatch(stderr, /\\n|data\./, path)
    }
  }
})

test('arrays that ?page=N or a Link header continues are recorded with all records', async t => {
  const records = Array.from({ length: 13 }, (_, id) => ({ id, brand: String(20 - id) }))
  for (const hasLink of [true, false]) {
    const { url } = await serve(t, ({ url = '', headers: { host } }, response) => {
      const target = new URL(url, `http://${host}`)
      const number = Number(target.searchParams.get('page') ?? 1)
      const next = `<http://${host}${target.pathname}?page=${number + 1}>; rel="next", <http://${host}/>; rel="first"`
      const headers: Record<string, string> = { 'content-type': 'application/json' }
      if (hasLink) headers['link'] = number < 3 ? next : `<http://${host}/>; rel="first"`
      return !!response.writeHead(200, headers).end(JSON.stringify(records.slice(5 * number - 5, 5 * number)))
    })
    const { code, stdout, directory } = await pullFrom(t, url, ['--lists', 'brakes'])
    t.match({ code, stdout }, { code: 0, stdout: /^13 brakes in / })
    const { app } = await serveData(t, directory)
    const { host } = new URL(url)
    for (const query of ['', '?page=2', '?page=3']) {
      const theirs = await fetch(`${url}/api/v1/brakes/${query}`)
      const ours = await app.inject({ url: `/api/v1/brakes/${query}`, headers: { host } })
      t.equal(ours.payload, await theirs.text(), query)
      t.equal(ours.headers['link'] ?? null, theirs.headers.get('link'), query)
    }
    const { headers: { link } } = await app.inject('/api/v1/brakes/?ordering=-brand&page_size=2')
    t.notMatch(String(link), 'next')
  }
})

test('an empty Cache-Control, equal records and an empty list without pages are recorded', async t => {
  const { url } = await serve(t, ({ url = '' }, response) => {
    const body = url.startsWith('/api/v1/brakes/') ? [{ id: 1 }, { id: 1 }] : []
    const headers = { 'content-type': 'application/json', 'cache-control': '' }
    return !!response.writeHead(200, headers).end(JSON.stringify(body))
  })
  const { code, stderr, directory } = await pullFrom(t, url, ['--lists', 'brakes,saddles'])
  t.match({ code, stderr }, { code: 0, stderr: /^$/ })
  await assertSameBytes(t, url, directory, [
    '/api/v1/brakes/', '/api/v1/saddles/', '/api/v1/saddles/?page=1', '/api/v1/saddles/?page=9'
  ], '')
})

test('refusals are asked before orders', async t => {
  const { url, requests } = await serve(t, () => false)
  t.match(await pullFrom(t, url, ['--token', token]), { code: 0 })
  const refusal = requests.findIndex(({ authorization }) => authorization === 'Token verify-has-no-such-token')
  t.ok(refusal > 0 && refusal < requests.findIndex(({ url }) => url.includes('ordering')))
})

test('only what is recorded counts: a response with the same records is short, one with others is long', async t => {
  let isOther = false
  let count = 0
  const { url } = await serve(t, (_, response) => {
    count++
    return json(response, [{ id: 1, title: (isOther ? String.fromCharCode(64 + count) : 'a').repeat(70_000) }])
  })
  const limits = { characters: 2 ** 18 }
  t.match(await pullFrom(t, url, ['--lists', 'saddles'], { limits }), { code: 0, stderr: /^$/ })
  isOther = true
  const { code, stderr } = await pullFrom(t, url, ['--lists', 'saddles'], { limits })
  t.equal(code, 0)
  t.match(stderr, / more than 0\.25 MB, .* --lists; all records are recorded, but some responses are missing\n$/)
})

test('a list that does not fit in memory, an invalid status, and more base URLs than are replaced', async t => {
  const { url } = await serve(t, (_, response) => json(response, Array(11).fill({ a: 1 })))
  const limits = { objects: 10 }
  t.match(await pullFrom(t, url, [], { limits }), {
    code: 2, stderr: /: more than 10 records and objects in them, which do not fit in memory$/m
  })
  const odd = await serve(t, ({ url = '' }, response) => {
    if (url.includes('page=1')) response.writeHead(999).end()
    else json(response, [{ id: 1 }])
    return true
  })
  t.match(await pullFrom(t, odd.url, ['--lists', 'brakes']), {
    code: 2, stderr: /responds with 999, which is not an HTTP status code/
  })
  const links = Array.from({ length: 20 }, (_, index) => `http://host${index}/api/v1/`)
  const many = await serve(t, (_, response) => json(response, { ...page(null, [{ id: 1 }]), links }))
  const { directory } = await pullFrom(t, many.url, ['--lists', 'brakes'])
  t.equal(recordingIn(directory).bases?.length, 16)
})

test('an image link with its scheme in capitals, or with a fragment, is that of the image, and is served', async t => {
  const { url } = await serveImages(t, [])
  const names = [`${url.replace('http', 'HTTP')}/media/a.jpg`, `${url}/media/a.jpg#top`]
  const other = await serve(t, ({ url: target = '' }, response) => {
    if (target.startsWith('/media/')) return !!response.writeHead(200, { 'content-type': 'Image/JPEG' }).end(image)
    return json(response, names.map((name, id) => ({ id, image_url: name.replace(url.slice(4), other.url.slice(4)) })))
  })
  const { code, stdout, directory } = await pullFrom(t, other.url, ['--images', '--lists', 'wheels'])
  t.match({ code, stdout }, { code: 0, stdout: /^2 wheels, 1 images in / })
  const { app } = await serveData(t, directory)
  const { body } = await app.inject({ url: '/api/v1/wheels/', headers: { host: 'a.test' } })
  t.match(JSON.parse(body), [
    { image_url: 'http://a.test/media/a.jpg' }, { image_url: 'http://a.test/media/a.jpg#top' }
  ])
})

test('a token that is refused, and one that the service repeats, is not printed', async t => {
  const { url } = await serve(
    t,
    ({ url = '' }, response) => url.startsWith('/api/v2/') && json(response, page(`http://127.0.0.2/${token}`))
  )
  const { code, stderr } = await pullFrom(t, url, ['--token', token])
  t.match({ code, stderr }, { code: 2, stderr: `${url}/* responds with 404\n` })
  t.notMatch(stderr, token)
})

test('a list that has become shorter since a pull was limited is recorded anew', async t => {
  let ids = [1, 2, 3, 4, 5]
  let isLimited = true
  const { url } = await serve(t, ({ url: target = '' }, response) => {
    const number = Number(/page=(\d)/.exec(target)?.[1] ?? 1)
    if (isLimited && number === 3) return !!response.writeHead(429, { 'retry-after': '86400' }).end()
    const results = ids.slice(2 * number - 2, 2 * number).map(id => ({ id }))
    if (results.length === 0) return !!response.writeHead(404).end()
    const next = 2 * number < ids.length ? `?page=${number + 1}` : null
    return json(response, { count: ids.length, next, previous: null, results })
  })
  const { code, directory } = await pullFrom(t, url, ['--lists', 'saddles'])
  t.equal(code, 2)
  isLimited = false
  ids = [1, 2, 3, 4]
  t.match(await run([url, directory, '--lists', 'saddles']), {
    code: 0, stdout: /^4 saddles in /, stderr: /saddles\/ has changed since the last pull, so it is recorded anew\n/
  })
  ids = [1, 2, 3]
  t.match(await run([url, directory, '--lists', 'saddles', '--overwrite']), { code: 0, stdout: /^3 saddles in / })
})

test('after a service limits requests for too long, the same command continues the pull', async t => {
  let isLimited = true
  const { url, requests } = await serve(t, ({ url = '' }, response) => {
    return isLimited && url === '/api/v1/brakes/' && !!response.writeHead(429, { 'retry-after': '86400' }).end()
  })
  const { directory, parent } = freeDirectory(t)
  const { code, stderr } = await run([url, directory])
  t.equal(code, 2)
  const rest = `6 lists of ${openLists.length} are in ${directory}; run the same command later to record the rest\n`
  t.match(stderr, `the service limits requests; ${rest}`)
  t.match(await run(['http://127.0.0.1:1', directory]), { code: 2, stderr: /already exists/ })
  t.match(await run([url, directory]), { code: 2, stderr: `; 6 lists of ${openLists.length} are in ` })
  isLimited = false
  t.match(await run([url, directory]), { code: 0 })
  t.strictSame(readdirSync(parent), ['data'])
  t.equal(
    requests.filter(({ url }) => url === bikes).length, 4,
    'HEAD, as a script, and once more, to see whether the list has changed'
  )
  t.match(await run([url, directory]), { code: 2, stderr: /already exists/ })
  await assertSameBytes(t, url, directory, [bikes, `${bikes}?page=1`, '/api/v1/brakes/'])
})

test('a limit ends the other requests, never those of records, and a list that has changed begins anew', async t => {
  let [limit, sent, title] = [16, 0, 'Swift']
  const { url } = await serve(t, ({ url = '' }, response) => {
    return sent++ >= limit
      ? !!response.writeHead(503).end()
      : json(response, [{ id: title, brand: title }, { id: 2, brand: 'b' }])
  })
  const { directory } = freeDirectory(t)
  const pullAgain = () => run([url, directory, '--lists', 'brakes,saddles'], { limits: { maxWait: 5000 } })
  const unfinished = () => recordingIn(directory).unfinished
  t.match(await pullAgain(), {
    code: 0,
    stderr: new RegExp([
      ': 503; the service limits requests',
      'all records are recorded, but some responses are missing',
      'run the same command later to record the rest\n'
    ].join('; '))
  })
  t.strictSame(unfinished(), ['saddles']);
  [sent, title] = [0, 'Changed']
  t.match(await pullAgain(), {
    code: 0, stderr: `${url}/api/v1/saddles/ has changed since the last pull, so it is recorded anew\n`
  })
  t.strictSame(unfinished(), [])
  limit = Infinity
  await assertSameBytes(t, url, directory, [
    '/api/v1/saddles/', '/api/v1/saddles/?page=1', '/api/v1/saddles/?ordering=brand'
  ])
})

test('a limit while a list that has changed is recorded anew keeps its old records', async t => {
  let [limit, sent, title] = [16, 0, 'Old']
  const { url } = await serve(t, (_, response) => {
    return sent++ >= limit
      ? !!response.writeHead(503).end()
      : json(response, [{ id: title, brand: title }, { id: 2, brand: 'b' }])
  })
  const { directory } = freeDirectory(t)
  const pullAgain = () => run([url, directory, '--lists', 'brakes,saddles'], { limits: { maxWait: 5000 } })
  t.match(await pullAgain(), { code: 0 });
  [sent, title, limit] = [0, 'New', 1]
  t.match(await pullAgain(), { code: 0, stderr: /has changed since the last pull.*the service limits requests/s })
  t.match(readFileSync(join(directory, 'v1/saddles.json'), 'utf8'), '"Old"')
  limit = Infinity
  t.match(await pullAgain(), { code: 0 })
  t.match(readFileSync(join(directory, 'v1/saddles.json'), 'utf8'), '"New"')
})

test('each page of each order of a list with pages on request is replayed', async t => {
  const { url } = await serveData(t, dataDirectory)
  const { directory } = freeDirectory(t)
  t.match(await run([url, directory, '--lists', 'wheels', '--rate', '1000']), { code: 0, stdout: / in 23 requests$/m })
  const keys = Object.keys(recordingIn(directory).lists?.['wheels']?.responses ?? {})
  for (const term of ['', 'brand_name', '-brand_name']) {
    for (const page of ['1', '2', '3']) {
      const isIn = (key: string) => {
        const parameters = new URLSearchParams(key)
        return (parameters.get('ordering') ?? '') === term && parameters.get('page') === page
      }
      t.ok(keys.some(isIn), `${term} ${page}`)
    }
  }
})

test('parameters that a service refuses or ignores are asked once, and its responses are replayed', async t => {
  const records = ['b', 'a'].map((title, id) => ({ id, title, price: title }))
  const { url, requests } = await serve(t, ({ url = '' }, response) => {
    if (!url.includes('page=')) return json(response, records)
    return !!response.writeHead(422, { 'content-type': 'application/json' }).end('"no"')
  })
  const { code, directory } = await pullFrom(t, url, ['--token', token, '--lists', 'bikesV2'])
  t.equal(code, 0)
  t.equal(requests.filter(({ url }) => url.includes('page=')).length, 1)
  const queries = ['', '?ordering=title', '?ordering=-price', '?page=1']
  await assertSameBytes(t, url, directory, queries.map(query => `/api/v2/bikes/${query}`))
})

test('a missing list is left out, version 2.1 may have any form, and a continued pull knows both', async t => {
  let [limit, sent] = [4, 0]
  const { url } = await serve(t, ({ url = '' }, response) => {
    if (sent++ >= limit) return !!response.writeHead(503).end()
    if (url.startsWith('/api/v2/')) return json(response, { bikes: [] })
    if (url !== '/api/v1/saddles/') return json(response, [{ brand: 'a' }, { id: 2 }, { id: 2 }])
    return !!response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
  })
  const { directory } = freeDirectory(t)
  const pullAgain = () =>
    run([url, directory, '--token', token, '--lists', 'brakes,saddles,bikesV2'], { limits: { maxWait: 5000 } })
  t.match(await pullAgain(), { code: 0, stderr: /all records are recorded, but some responses are missing/ })
  limit = Infinity
  t.match(await pullAgain(), { code: 0, stderr: `${url}/api/v1/saddles/ responds with 404, so the list is missing\n` })
  t.same(readdirSync(join(directory, 'v1')), ['brakes.json'])
  await assertSameBytes(t, url, directory, [
    '/api/v1/brakes/', '/api/v1/brakes/?page=1', '/api/v1/saddles/', '/api/v2/bikes/', '/api/v2/bikes/?page=1'
  ])
})

test('an array that is too long is ordered as in the contract; a byte order mark is dropped', async t => {
  const { url, requests } = await serve(
    t,
    (_, response) => !!response.writeHead(200, { 'content-type': 'application/json' }).end('\ufeff[{"id":1}, {"id":2}]')
  )
  const { code, stderr, directory } = await pullFrom(t, url, ['--lists', 'brakes'], { limits: { arrayBytes: 15 } })
  t.equal(code, 0)
  t.match(stderr, /^brakes is too long to read its orders, so its records are ordered as in the contract$/m)
  t.notOk(requests.some(({ url }) => url.includes('ordering')))
  t.equal(readFileSync(join(directory, 'v1/brakes.json'), 'utf8'), '[\n{"id":1},\n{"id":2}\n]\n')
})

test('records with another indent, and other records than those of the list', async t => {
  const { url } = await serve(t, ({ url = '' }, response) => {
    const isPage = url.includes('page=')
    const isOther = url.endsWith('page=1&page_size=2')
    const records = isOther ? [{ id: 1, brand: 'b' }, 9] : [{ id: 1, brand: 'b' }, { id: 2, brand: 'a' }]
    const text = JSON.stringify(isPage ? { count: 2, next: null, previous: null, results: records } : records, null, 2)
    return !!response.writeHead(200, { 'content-type': 'application/json' }).end(text)
  })
  const { code, stderr, directory } = await pullFrom(t, url, ['--lists', 'brakes'])
  t.equal(code, 0)
  t.match(stderr, /brakes\/\?page=1&page_size=2 has records that its list lacks, so it is recorded as a whole\n/)
  const queries = ['', '?page=1', '?page=1&page_size=2']
  await assertSameBytes(t, url, directory, queries.map(query => `/api/v1/brakes/${query}`))
})

test('an order that changes, or is too long to read, is that of the contract, with a message', async t => {
  let counter = 0
  const records = Array.from({ length: 42 }, (_, id) => ({ id, brand_name: String(id % 2) }))
  const { url, requests } = await serve(t, ({ url = '' }, response) => {
    const number = Number(/[?&]page=(\d+)/.exec(url)?.[1] ?? 1)
    const order = url.includes('=brand_name') ? records : records.toReversed()
    const ordered = url.includes('ordering') ? order : records
    if (url.startsWith('/api/v1/wheels/')) {
      const term = url.includes('ordering') ? `&ordering=${/-?brand_name/.exec(url)?.[0]}` : ''
      const next = number < 21 ? `?page=${number + 1}${term}` : null
      return json(response, { ...page(next, ordered.slice(2 * number - 2, 2 * number)), count: 42 })
    }
    if (url.startsWith('/api/v1/tyres/')) {
      return json(response, url.includes('ordering') && counter++ > 0 ? records.toReversed() : records)
    }
    if (url.startsWith('/api/v1/brakes/')) {
      return json(response, url.includes('page=1') ? records.toReversed() : records)
    }
    if (url.startsWith('/api/v1/chains/?ordering')) return !!response.writeHead(500).end()
    return url.startsWith('/api/v1/chains/') && json(response, [{ id: 1 }, { id: 2 }])
  })
  const { code, stderr, directory } = await pullFrom(t, url, ['--lists', 'wheels,tyres,chains,brakes'])
  t.equal(code, 0)
  t.match(stderr, /^tyres returns a different order by brand_name each time, so it is ordered as in the contract$/m)
  t.match(stderr, `${url}/api/v1/brakes/ returns a different order each time, so its first one is served\n`)
  const orders = requests.filter(({ url }) => /^\/api\/v1\/wheels\/.*ordering=-?brand_name/.test(url))
  t.equal(orders.length, 3 + 3 + 1 + 2, 'three pages of each order, one again, and the first one by its number')
  t.notMatch(readFileSync(join(directory, 'recording.json'), 'utf8'), /"ordering=brand_name": \{"body":\["\[",\[0,41/)
  await assertSameBytes(t, url, directory, [
    '/api/v1/chains/', '/api/v1/chains/?ordering=brand_name', '/api/v1/wheels/?ordering=-brand_name'
  ])
})

test('--lists reads only these lists, and leaves others that were saved by hand', async t => {
  const { url } = await serve(t, () => false)
  const directory = t.testdir({ v1: { 'brakes.json': '[{"id":1}]' } })
  t.match(await run([url, directory, '--overwrite', '--lists', 'saddles,tyres']), {
    code: 0, stdout: /^1 tyres, 1 saddles in /
  })
  t.same(readdirSync(join(directory, 'v1')), ['brakes.json', 'saddles.json', 'tyres.json'])
  const { app } = await serveData(t, directory)
  t.equal((await app.inject('/api/v1/brakes/')).body, '[{"id":1}]')
})

/** Bodies by the names of images. */
type ImageBodies = Readonly<Record<string, string | Buffer | null>>

/** Serves wheels with images below media/, that of the fixture or with other bodies; null ends the connection. */
function serveImages (t: Test, names: readonly string[], bodies: ImageBodies = {}, status = 200) {
  return serve(t, ({ url = '', headers: { host } }, response) => {
    if (bodies[url.slice(7)] === null) return !!response.destroy()
    if (url.startsWith('/media/')) {
      const headers = status === 200 ? { 'content-type': 'image/jpeg' } : {}
      return !!response.writeHead(status, headers).end(bodies[url.slice(7)] ?? image)
    }
    const urlOf = (name: string) => name.startsWith('/') ? name : `http://${host}/media/${name}`
    return url === '/api/v1/wheels/' && json(response, names.map((name, id) => ({ id, image_url: urlOf(name) })))
  })
}

test('images whose paths are invalid, or that are missing, keep their URLs', async t => {
  const names = [
    'a/%2e%2e/%2e%2e/%2e%2e/x.jpg', '../../x.jpg', '..%2F..%2Fx.jpg', '%2Fetc%2Fx.jpg',
    '.hidden.jpg', 'a%5Cb.jpg', 'a%00.jpg', '%c3.jpg', 'x.svg', 'manifest.json', 'x.jpg?v=1', 'a//x.jpg',
    `${'n'.repeat(300)}.jpg`
  ]
  const { url, requests } = await serveImages(t, names, {}, 404)
  const { code, stderr, directory, left } = await pullFrom(t, url, ['--images'])
  t.strictSame(stderr.split('\n').filter(line => line.includes(' keeps its URL')), [
    `${url}/media/bikes/swift.jpg keeps its URL: it responds with 404, no type`,
    ...names.map(name => `${url}/media/${name} keeps its URL: it is not the path of an image`)
  ])
  const fetched = requests.map(({ url }) => url).filter(url => url.startsWith('/media/'))
  t.strictSame(fetched, ['/media/bikes/swift.jpg'])
  t.strictSame([code, left, readdirSync(directory)], [0, 1, ['recording.json', 'v1']])
  const many = await serveImages(t, Array.from({ length: 52 }, (_, index) => `${index}.svg`))
  t.match(await pullFrom(t, many.url, ['--images']), { code: 0, stderr: /^… and \d+ more$/m })
})

test('an image that cannot be fetched, read or written keeps its URL; one named twice is fetched once', async t => {
  const half = image.subarray(0, 20)
  const invalid = {
    'a.png': image,
    'empty.jpg': '',
    'html.jpg': '<h1>Log in</h1>',
    'text.webp': 'RIFF',
    'short.avif': half,
    'half.jpg': half
  }
  const bodies = { ...invalid, 'reset.jpg': null, 'long.jpg': Buffer.alloc(2 ** 17 + 1) }
  const names = [
    ...Object.keys(bodies),
    'a.jpg', '/media/a.jpg', 'a.jpg', 'a.jpg/b.jpg', 'c.jpg/b.jpg', 'c.jpg',
    `${'a/'.repeat(2100)}x.jpg`
  ]
  const { url, requests } = await serveImages(t, names, bodies)
  const limits = { maxBytes: 2 ** 17, retries: 1 }
  const { code, stdout, stderr, directory } = await pullFrom(t, url, ['--images'], { limits })
  t.match({ code, stdout }, { code: 0, stdout: /, 3 images in / })
  for (const [names, reason] of [
    [Object.keys(invalid), 'its content is not an image in the format of its name'],
    [['reset.jpg'], `GET ${url}/media/reset.jpg: ECONNRESET`],
    [['long.jpg'], `GET ${url}/media/long.jpg: a response larger than 0.125 MB`],
    [['a.jpg/b.jpg', 'c.jpg'], 'it cannot be written: E(?:NOTDIR|EXIST|ISDIR)']
  ] as const) {
    for (const name of names) t.match(stderr, new RegExp(`^${url}/media/${name} keeps its URL: ${reason}$`, 'm'), name)
  }
  t.match(stderr, new RegExp(`^${url}/media/(?:a/)+…$`, 'm'), 'a path that is too long')
  t.equal(requests.filter(({ url }) => url === '/media/a.jpg').length, 1)
  t.same(readdirSync(join(directory, 'media')).filter(name => name !== 'a'), ['a.jpg', 'bikes', 'c.jpg'])
  const { app } = await serveData(t, directory)
  const { headers: { location }, statusCode } = await app.inject('/media/reset.jpg')
  t.same([statusCode, location], [302, `${url}/media/reset.jpg`])
  t.match(await pullFrom(t, url, ['--images'], { limits: { imageBytes: 1 } }), {
    code: 0, stderr: /a\.jpg keeps its URL: .*MB in all$/m
  })
})

test('a second signal exits at once, and leaves no directory', async t => {
  let left: string[] = []
  const others = new Set(process.listeners('exit'))
  const { directory, parent } = freeDirectory(t)
  const { url } = await serve(t, ({ url = '' }) => {
    if (!url.startsWith('/media/')) return false
    for (const listener of process.listeners('exit')) if (!others.has(listener)) (listener as () => void)()
    left = readdirSync(parent)
    return false
  })
  await run([url, directory, '--images'])
  t.same(left, [], 'the temporary directory is gone')
})

test('images after one that a service limits for too long are left', async t => {
  const { url, requests } = await serveImages(t, ['a.jpg', 'b.jpg'], {}, 429)
  const { code, stdout, stderr } = await pullFrom(t, url, ['--images'], { limits: { maxWait: 0 } })
  t.equal(code, 0)
  t.match(stderr, /^\S+swift\.jpg keeps its URL: GET \S+: 429; the service limits requests$/m)
  t.notMatch(stdout, /\d images/)
  t.equal(requests.filter(({ url }) => url.startsWith('/media/')).length, 1)
})

test('a full disk ends the pull with the name of the file, and leaves nothing behind', async t => {
  const { url } = await serveImages(t, ['a.jpg'])
  const { writeFile } = promises
  const contents = {
    'swift.jpg': image.toString('latin1'), 'wheels.json': '/media/a.jpg', 'recording.json': '"recorded"'
  }
  let full = ''
  replaceExport(t, promises, 'writeFile', async (file, content, options) => {
    await writeFile(file, content, options)
    const text = Buffer.from(content as string).toString('latin1')
    if (text.includes(full)) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  })
  for (const name of ['swift.jpg', 'wheels.json', 'recording.json'] as const) {
    full = contents[name]
    t.match(await pullFrom(t, url, ['--images']), {
      code: 2, stderr: new RegExp(`/data/\\S*${name} cannot be written: ENOSPC$`, 'm'), left: 0
    }, name)
  }
})

test('an interruption of any request, or of the check after the last one, leaves nothing behind', async t => {
  for (const [path, isLate] of [
    ['/api/v1/wheels/', false], [bikes, false], ['/media/bikes/swift.jpg', false], ['/media/bikes/swift.jpg', true]
  ] as const) {
    const controller = new AbortController()
    const { url } = await serve(t, request => {
      const isLast = request.url?.startsWith(path)
      if (isLast && isLate) setTimeout(() => { setImmediate(() => controller.abort()) }, 0)
      else if (isLast) controller.abort()
      return controller.signal.aborted
    })
    const flags = ['--images', '--rate', '1000']
    const { directory, ...result } = await pullFrom(t, url, flags, { signal: controller.signal })
    t.strictSame(result, {
      code: 2,
      stdout: '',
      stderr: 'stopped; the directory was not written\n',
      left: 0
    }, `${path} ${isLate}`)
  }
})
