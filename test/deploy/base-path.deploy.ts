import { test } from 'tap'
import { ask, proxies, startHop, startProxy, startReplica, without } from './machines.ts'

const authorization = 'Token ci'

for (const proxy of proxies) {
  test(`${proxy} before a server below a path`, { skip: without(proxy) }, async t => {
    const { port: replica } = await startReplica(t, ['--public-url', 'https://bikes.test/catalogue', '--tokens', 'ci', '--rate-limit', 'off'])
    const hop = await startHop(t, replica)
    const port = await startProxy(t, proxy, [hop.port, hop.port])
    for (const [path, headers, received, expected] of [
      ['/catalogue/api/v1/chains/?page=1', {}, 1, { status: 200, body: '"next":"https://bikes.test/catalogue/api/v1/chains/?page=2"' }],
      ['/catalogue/api/v1/chains', {}, 2, { status: 301, headers: { location: '/catalogue/api/v1/chains/' } }],
      ['/catalogue/api/v2/bikes/?page=1', { authorization }, 2, { status: 200, body: '"next":"https://bikes.test/catalogue/api/v2/bikes/?page=2"' }],
      ['/catalogue/api/v2/bikes/?page=1', {}, 2, { status: 401 }],
      ['/catalogue/media/saddles/1.jpg', { range: 'bytes=0-9' }, 1, { status: 206, headers: { 'content-length': '10' } }],
      ['/catalogue/', { accept: 'text/html' }, 1, { status: 200, body: 'href="/catalogue/docs/"' }]
    ] as const) {
      for (let time = 0; time < 2; time++) t.match(await ask(port, path, { headers }), expected, path)
      t.equal(hop.received.splice(0).length, received, `${received} of two requests of ${path} reach the server`)
    }
  })
}
