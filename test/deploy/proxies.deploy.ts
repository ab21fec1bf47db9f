import { test, type Test } from 'tap'
import fc from 'fast-check'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, type Running } from '../../tools/process.ts'
import { listen } from '../helper.ts'
import {
  ask as askAt, proxies, startHop, startProxy, startRedis, startReplica, without, type Answer, type Asking, type Hop,
  type Proxy
} from './machines.ts'

const lists = [
  'bikes/', 'bikes/featured/', 'wheels/', 'tyres/', 'chains/', 'groupsets/', 'brakes/', 'saddles/', 'handlebars/'
].map(name => `/api/v1/${name}`)
const token = { authorization: 'Token ci' }
const quota = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']

const secret = ['--token-secret', 's'.repeat(40)]

function startPair (t: Test, flags: readonly string[]) {
  return Promise.all([startReplica(t, flags), startReplica(t, flags)] as const)
}

type Facts = (answer: Answer) => unknown[]

/** Starts a proxy in front of two servers, with a hop in front of each. */
async function site (t: Test, proxy: Proxy, replicas: Awaited<ReturnType<typeof startPair>>) {
  const hops = await Promise.all(replicas.map(({ port }) => startHop(t, port))) as [Hop, Hop]
  const port = await startProxy(t, proxy, [hops[0].port, hops[1].port])
  const ask = (path: string, asking?: Asking) => askAt(port, path, asking)
  const direct = (path: string, asking?: Asking) => askAt(replicas[0].port, path, asking)
  /** Returns the requests that the servers received since the last call. */
  const received = () => hops.flatMap(({ received }) => received.splice(0))
  /** Asserts that two responses of the proxy, the second perhaps from its cache, equal the server's. */
  const isHonest = async (t: Test, path: string, asking: Asking, factsOf: Facts) => {
    const own = factsOf(await direct(path, asking))
    for (let time = 0; time < 2; time++) {
      t.same(factsOf(await ask(path, asking)), own, `${path} ${JSON.stringify(asking)}`)
    }
  }
  return { port, hops, ask, direct, received, isHonest }
}

const sameHeaders = [
  'content-type', 'cache-control', 'etag', 'vary', 'allow', 'last-modified', 'content-length',
  'access-control-allow-origin'
]

const mediaTypes = [
  'application/json', 'text/html', '*/*', 'application/*', 'text/*', '*/json', '*/html', 'image/png', 'TEXT/HTML',
  'json', ''
]

const typeParameters = ['', '', ';q=0.5', '; q=0', ';q=0.1;v=b3', '; indent=4', ';level=1', ';charset=utf-8', ';']

/** The Accept of a browser. */
const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,' +
  '*/*;q=0.8,application/signed-exchange;v=b3;q=0.7'

test('two servers without limits', { skip: without('nginx', 'varnish') }, async t => {
  const replicas = await startPair(t, [...secret, '--tokens', 'ci', '--rate-limit-v1', '1000000', '--compress', 'on'])
  t.jobs = proxies.length
  await Promise.all(proxies.map(proxy => t.test(`behind ${proxy}`, { buffered: true }, async t => {
    const { port, hops, ask, direct, received, isHonest } = await site(t, proxy, replicas)

    await t.test('a fresh list is requested once', async t => {
      for (const list of lists) {
        const own = await direct(list)
        for (const answer of [await ask(list), await ask(list), await ask(list, { headers: token })]) {
          t.match(answer, { status: 200, body: own.body }, list)
          for (const name of sameHeaders) t.equal(answer.headers[name], own.headers[name], name)
        }
        t.equal((await ask(list, { method: 'HEAD' })).headers['content-length'], own.headers['content-length'], list)
      }
      t.same(received().sort(), lists.map(list => `GET ${list}`).sort())
    })

    await t.test('every Accept has its own response, cached or not', async t => {
      const type = fc.constantFrom(...mediaTypes)
      const parameter = fc.constantFrom(...typeParameters)
      const entry = fc.tuple(type, parameter, fc.constantFrom(',', ', ', ' ,'))
      const accept = fc.array(entry, { minLength: 1, maxLength: 4 })
        .map(entries => entries.map(parts => parts.join('')).join('').replace(/ ?, ?$/, ''))
        .filter(text => text.trim() !== '')
      const path = fc.constantFrom(
        '/api/v1/saddles/', '/', '/api/v1/chains/?format=json', '/api/v1/brakes/?format=api', '/nope/'
      )
      const factsOf: Facts = ({ status, headers, body }) =>
        [status, headers['content-type'], headers.etag, status === 200 && body.length]
      await fc.assert(fc.asyncProperty(accept, path, async (accept, path) => {
        await isHonest(t, path, { headers: { accept } }, factsOf)
      }), { numRuns: 150, seed: 1 })
      received()
      const clients = [browserAccept, 'application/json, text/plain, */*', '*/*']
      for (const accept of clients) {
        const type = accept === browserAccept ? /html/ : /json/
        for (let time = 0; time < 2; time++) {
          const answer = await ask('/api/v1/tyres/?page=1', { headers: { accept } })
          t.match(answer, { headers: { 'content-type': type } }, accept)
        }
      }
      t.same(received(), clients.map(() => 'GET /api/v1/tyres/?page=1'), 'one request for each kind of client')
    })

    await t.test('the query decides the format as it does without a proxy', async t => {
      const queries = [
        '?ordering=%2Dtitle', '?information=1', '?x=format', '?%66ormat=api', '?%66ormat=json', '?format=%61pi',
        '?format=json', '?format=api', '?format=', '?format=xml', '?x=1&format=json', '?x=%26format=json', '?format',
        '?formatted=json', '?Format=json', '?page=1&format=json&format=api'
      ]
      const factsOf: Facts = ({ status, headers, body }) => [status, headers['content-type'], headers.etag, body]
      for (const accept of ['text/html,application/xml;q=0.9,*/*;q=0.8', 'text/html', 'application/json', '*/*']) {
        for (const query of queries) await isHonest(t, `/api/v1/saddles/${query}`, { headers: { accept } }, factsOf)
      }
      received()
    })

    await t.test('every coding has its own response', async t => {
      const codings = [
        'br', 'gzip, deflate', 'gzip, deflate, br, zstd', 'br;q=0, gzip;q=0.5', 'gzip;q=0', 'identity', '*',
        '*;q=0.5, gzip;q=0.1', 'br;q=0.1, gzip;q=0.9', 'identity;q=0', 'identity;q=0, gzip', '*;q=0',
        'zstd, identity;q=0'
      ]
      const factsOf: Facts = ({ status, headers, body }) =>
        [status, headers.etag, headers['content-encoding'], headers['content-length'], body]
      for (const [path, method] of [
        ['/api/v1/groupsets/', 'GET'],
        ['/api/v1/groupsets/', 'HEAD'],
        ['/api/v2/bikes/?page=1', 'HEAD'],
        ['/docs/', 'HEAD']
      ] as const) {
        for (const coding of codings) {
          await isHonest(t, path, { method, headers: { ...token, 'accept-encoding': coding } }, factsOf)
        }
      }
      received()
    })

    await t.test('version 2 and errors are requested each time', async t => {
      const cases: [path: string, asking: Asking, status: number][] = [
        ['/api/v2/bikes/?page=1', { headers: token }, 200],
        ['/api/v2/bikes/?page=1', {}, 401],
        ['/api/v2/bikes/?page=1', { headers: { authorization: 'Token no' } }, 401],
        ['/api/v2/bikes/?year=x', { headers: token }, 400],
        ['/api/v1/bikes/?page=99', {}, 404],
        ['/api/v1/bikes/?format=xml', {}, 404],
        ['/api/v1/bikes/', { headers: { accept: 'image/png' } }, 406],
        ['/api/v1/bikes/', { method: 'DELETE' }, 405],
        ['/api/v1/bikes/', { method: 'POST', body: '{}' }, 405],
        ['/api/v1/bikes/', { method: 'OPTIONS' }, 200],
        ['/api/v1/bikes/?sort=x', { headers: { prefer: 'handling=strict' } }, 400],
        ['/readyz', {}, 200]
      ]
      for (const [path, asking, status] of cases) {
        for (let time = 0; time < 2; time++) t.equal((await ask(path, asking)).status, status, path)
        t.equal(received().length, 2, `${asking.method ?? 'GET'} ${path} ${status}`)
      }
    })

    await t.test('an ETag leads to 304; a date and a range of a list do not', async t => {
      const { headers: { etag = '', 'last-modified': date = '' }, body } = await ask('/api/v1/wheels/')
      for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const { status, headers, body } = await ask('/api/v1/wheels/', { headers: { 'if-none-match': tags } })
        const expected = { etag, vary: 'Accept, Accept-Encoding', 'cache-control': 'public, max-age=300' }
        t.match({ status, headers, body }, { status: 304, headers: expected, body: '' }, tags)
      }
      for (const headers of [
        { 'if-none-match': '"other"' }, { 'if-modified-since': date }, { range: 'bytes=0-9' }, { 'if-match': '"other"' }
      ]) {
        t.match(await ask('/api/v1/wheels/', { headers }), { status: 200, body }, JSON.stringify(headers))
      }
      const factsOf: Facts = ({ status, headers, body }) => [status, headers['content-range'], status < 400 && body]
      for (const path of [
        '/api/v1/wheels/', '/api/v2/bikes/?page=1', '/', '/docs/', '/openapi.json', '/changelog/',
        '/media/saddles/1.jpg', '/media/nope.jpg', '/nope/'
      ]) {
        for (const range of ['bytes=0-9', 'bytes=9999999-', 'bytes=-5', 'items=0-1']) {
          await isHonest(t, path, { headers: { ...token, range } }, factsOf)
        }
      }
      received()
    })

    await t.test('a request without Host gets a response', async t => {
      const socket = connect(port, '127.0.0.1')
      socket.write('GET /api/v1/chains/?page=1&page_size=1 HTTP/1.0\r\n\r\n')
      t.match(await text(socket), /^HTTP\/1\.[01] 200 .*"next":"http:\/\/[^/"]+\/api\/v1\/chains\/\?page=2/s)
      received()
    })

    await t.test('each host has its own links, whatever forged headers say', async t => {
      const forgery = { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https', forwarded: 'host=evil.test' }
      const askAll = async () => {
        for (const host of ['bikes.test', 'other.test:8080']) {
          for (const forged of [{}, forgery]) {
            const { body } = await ask('/api/v1/chains/?page=1&page_size=1', { headers: { host, ...forged } })
            t.match(body, `"next":"http://${host}/api/v1/chains/?page=2`, host)
          }
        }
      }
      await askAll()
      // nginx reads its cache before it takes the lock, so it requests a response again that is stored between the two.
      t.match(String(received().length), /^[234]$/)
      await askAll()
      t.same(received(), [], 'stored responses are served without a request')
    })

    await t.test('a hundred clients at once cause one request', async t => {
      for (const hop of hops) hop.gate = sleep(300)
      const answers = await Promise.all(Array.from({ length: 100 }, () => ask('/api/v1/bikes/?ordering=title')))
      for (const hop of hops) hop.gate = undefined
      t.same(new Set(answers.map(({ status, body }) => `${status} ${body.length}`)).size, 1)
      t.equal(answers[0]?.status, 200)
      t.same(received(), ['GET /api/v1/bikes/?ordering=title'])
    })

    await t.test('stale responses are served while no server responds, and no longer', async t => {
      const path = '/api/v1/handlebars/?ordering=1'
      /** Varnish responds first, and then sends its request. */
      const isRenewed = async (message: string) => {
        let again: string[] = []
        for (let left = 50; left > 0 && again.length === 0; left--) {
          t.match(await ask(path), { status: 200, body })
          await sleep(20)
          again = received()
        }
        t.same(again, [`GET ${path}`], message)
      }
      for (const hop of hops) hop.maxAge = 1
      const { body, headers: { date } } = await ask(path)
      t.same(received(), [`GET ${path}`])
      await sleep(2100)
      await isRenewed('a stale response is requested again')

      await Promise.all(hops.map(hop => hop.down()))
      await sleep(2100)
      for (let time = 0; time < 3; time++) {
        const stale = await ask(path)
        t.match(stale, { status: 200, body }, 'old while all are away')
        const { age, date: staleDate = '' } = stale.headers
        const saysSo = age !== undefined ? Number(age) > 1 : Date.parse(staleDate) > Date.parse(date ?? '')
        t.ok(saysSo, 'and says so')
      }
      const unavailable = {
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'retry-after': '5',
        'access-control-allow-origin': '*'
      }
      for (const [path, asking] of [
        ['/api/v1/handlebars/?ordering=never', {}],
        ['/api/v2/bikes/', { headers: token }]
      ] as const) {
        const { status, headers, body } = await ask(path, asking)
        t.match({ status, headers, body: JSON.parse(body) as object }, {
          status: 503,
          headers: unavailable,
          body: { detail: 'Service temporarily unavailable, try again later.' }
        }, path)
      }

      await hops[1].up()
      await sleep(300) // Varnish skips a server that refused a connection less than 250 ms ago
      t.match(await ask('/api/v2/bikes/?page=1', { headers: token }), { status: 200 }, 'one is enough')
      received()
      await isRenewed('stale responses are requested from a server that is back')
      await hops[0].up()
    })
  })))
})

test('each origin has its own responses with --cors credentials', { skip: without('nginx', 'varnish') }, async t => {
  const replicas = await startPair(t, [...secret, '--cors', 'credentials', '--rate-limit', 'off', '--compress', 'on'])
  for (const proxy of proxies) {
    const { ask, direct, received } = await site(t, proxy, replicas)
    const origins = ['https://one.test', 'https://two.test', undefined]
    for (const path of [
      '/api/v1/saddles/', '/api/v1/chains/?page=1', '/api/v1/bikes/?format=api', '/media/saddles/1.jpg'
    ]) {
      for (let time = 1; time <= 2; time++) {
        for (const origin of origins) {
          const asking: Asking = { headers: origin === undefined ? {} : { origin } }
          const own = await direct(path, asking)
          const answer = await ask(path, asking)
          for (const name of ['access-control-allow-origin', 'access-control-allow-credentials', 'vary', 'etag']) {
            t.equal(answer.headers[name], own.headers[name], `${proxy} ${path} ${origin}: ${name}`)
          }
        }
        t.equal(received().length, time === 1 ? origins.length : 0, `${proxy} ${path}: each is requested once`)
      }
    }
  }
})

for (const proxy of proxies) {
  const skip = without(proxy)
  test(`${proxy} retries a request of any method after a server closed its connection`, { skip }, async t => {
    const received: string[] = []
    const start = async () => {
      const server = createServer(({ method, socket }, response) => {
        received.push(String(method))
        if (received.length === 2) socket.destroy()
        else response.writeHead(method === 'GET' ? 200 : 405).end()
      })
      return listen(t, server)
    }
    const port = await startProxy(t, proxy, [await start(), await start()])
    await askAt(port, '/api/v1/saddles/')
    t.equal((await askAt(port, '/api/v1/saddles/', { method: 'POST', body: '{}' })).status, 405)
    t.same(received, ['GET', 'POST', 'POST'])
  })
}

test('varnish behind a TLS proxy', { skip: without('varnish') }, async t => {
  const { port: replica } = await startReplica(t, [])
  const behind = await freePort()
  await startProxy(t, 'varnish', [replica, replica], ['-a', `127.0.0.1:${behind},PROXY`])
  for (const [port, scheme] of [[443, 'https'], [80, 'http'], [443, 'https']] as const) {
    const socket = connect(behind, '127.0.0.1')
    socket.end(`PROXY TCP4 192.0.2.1 192.0.2.2 50000 ${port}\r\n` +
      'GET /api/v1/chains/?page=1 HTTP/1.1\r\nHost: bikes.test\r\nX-Forwarded-Proto: ftp\r\nConnection: close\r\n\r\n')
    t.match(await text(socket), `"next":"${scheme}://bikes.test/`, scheme)
  }
})

/** Repeats an observation while Redis, on a busy machine, takes over 100 ms to respond, because limits are off then. */
async function whileCounting<T> (replicas: readonly Running[], observe: (attempt: number) => Promise<T>): Promise<T> {
  const away = () => replicas.flatMap(({ log }) => log).filter(line => line.includes('Redis unavailable')).length
  for (let attempt = 1; ; attempt++) {
    const before = away()
    const seen = await observe(attempt)
    if (away() === before || attempt === attempts) return seen
  }
}

const attempts = 5

test('two servers that share rate limits through Redis', { skip: without('nginx', 'varnish', 'redis') }, async t => {
  const tokens = proxies
    .flatMap(proxy => Array.from({ length: attempts }, (_, index) => `${proxy}-${index + 1}`))
    .join()
  const limits = ['--redis-url', await startRedis(t), '--rate-limit-v1', '10', '--rate-limit-v2', '10']
  const replicas = await startPair(t, [...secret, ...limits, '--tokens', tokens])
  t.jobs = proxies.length
  await Promise.all(proxies.map((proxy, index) => t.test(`behind ${proxy}`, { buffered: true }, async t => {
    const { hops, ask, direct } = await site(t, proxy, replicas)
    const statusOf = async (path: string, asking: Asking) => (await ask(path, asking)).status
    const remaining = ({ headers }: Answer) => headers['x-ratelimit-remaining']

    const seen = await whileCounting(replicas, async attempt => {
      const from = `127.0.${attempt}.${index + 1}`
      const other = `127.1.${attempt}.${index + 1}`
      const path = `/api/v1/brakes/?ordering=${attempt}`
      for (const hop of hops) hop.maxAge = 1
      await ask(`${path}&page=1`, { from: other })
      for (const hop of hops) hop.maxAge = undefined
      const kept = [await ask(path, { from }), await ask(path, { from })]
      const counted = remaining(await direct(path, { headers: { 'x-forwarded-for': from } }))
      const others: unknown[] = []
      for (let page = 1; page <= 10; page++) {
        const forged = { 'x-forwarded-for': `10.0.0.${page}` }
        const answer = await ask(`${path}&page_size=${page}`, { from, headers: forged })
        others.push([answer.status, remaining(answer)])
      }
      const stillKept = await statusOf(path, { from })
      await sleep(2100)
      const old = await statusOf(`${path}&page=1`, { from })
      const ofAnother = await statusOf(`${path}&page_size=10`, { from: other })
      const second: unknown[] = []
      const headers = { authorization: `Token ${proxy}-${attempt}` }
      for (let size = 1; size <= 11; size++) {
        second.push(remaining(await ask(`/api/v2/bikes/?page=1&page_size=${size}`, { headers })))
      }
      const keptFacts = kept.map(({ status, headers }) => [status, ...quota.filter(name => name in headers)])
      return { kept: keptFacts, counted, others, stillKept, old, ofAnother, second }
    })
    t.same(seen, {
      kept: [[200], [200]], // without rate limit headers
      counted: '8', // the second response came from the cache
      // Ten in all, whatever the client says of its address.
      others: [...Array<unknown>(8).fill([200, undefined]), [429, '0'], [429, '0']],
      stillKept: 200,
      old: 200, // although a new request of this client is rejected
      ofAnother: 200,
      second: ['9', '8', '7', '6', '5', '4', '3', '2', '1', '0', '0']
    })
    t.ok(hops.every(({ received }) => received.length > 0), 'both have answered')

    const type = 'application/x-www-form-urlencoded'
    const { body } = await ask('/tokens/', { method: 'POST', headers: { 'content-type': type }, body: 'label=me' })
    const authorization = `Token ${/bct_[\w-]+/.exec(body)?.[0]}`
    for (const { port } of replicas) {
      const { status } = await askAt(port, '/api/v2/bikes/?page=1', { headers: { authorization } })
      t.equal(status, 200, 'every server accepts an issued token')
    }
  })))
})

for (const proxy of proxies) {
  test(`${proxy} in front of a server below a path`, { skip: without(proxy) }, async t => {
    const base = 'https://bikes.test/catalogue'
    const { port: own } = await startReplica(t, ['--public-url', base, '--tokens', 'ci', '--rate-limit', 'off'])
    const hop = await startHop(t, own)
    const port = await startProxy(t, proxy, [hop.port, hop.port])
    for (const [path, headers, received, expected] of [
      ['/catalogue/api/v1/chains/?page=1', {}, 1, { status: 200, body: `"next":"${base}/api/v1/chains/?page=2"` }],
      ['/catalogue/api/v1/chains', {}, 2, { status: 301, headers: { location: '/catalogue/api/v1/chains/' } }],
      ['/catalogue/api/v2/bikes/?page=1', token, 2, { status: 200, body: `"next":"${base}/api/v2/bikes/?page=2"` }],
      ['/catalogue/api/v2/bikes/?page=1', {}, 2, { status: 401 }],
      ['/catalogue/media/saddles/1.jpg', { range: 'bytes=0-9' }, 1, { status: 200 }],
      ['/catalogue/', { accept: 'text/html' }, 1, { status: 200, body: 'href="/catalogue/docs/"' }]
    ] as const) {
      for (let time = 0; time < 2; time++) t.match(await askAt(port, path, { headers }), expected, path)
      t.equal(hop.received.splice(0).length, received, `${received} of two requests of ${path} reach the server`)
    }
  })
}
