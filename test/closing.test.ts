import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { mock } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { test, type Test } from 'tap'
import { readOptions } from '../src/settings/read.ts'
import { boot, start, type Server } from '../src/start.ts'
import { changedDirectory } from './catalogue/changed.ts'
import { certify, skip } from './certificate.ts'
import { open, readRaw } from './helper.ts'

/** More bytes than the buffers of a connection hold on this machine. */
const large = 24 * 2 ** 20

const schemes = [{ scheme: 'http', skip: false }, { scheme: 'https', skip }] as const

/** Starts a server with a list, a page and an image that are large. */
async function startLarge (t: Test, scheme: 'http' | 'https', maxTime = 4_000): Promise<Server> {
  const data = changedDirectory(t, { saddles: [['"Make"', `"${'m'.repeat(large)}"`]] })
  const secure = scheme === 'https' ? certify(data) : {}
  appendFileSync(join(data, image), Buffer.alloc(large))
  const settings = readOptions({ data, logLevel: 'silent', rateLimit: false, ...secure }, { port: 0 })
  const { server } = await boot(settings, { drainTimes: { announceTime: 0, maxTime } })
  t.teardown(server.close)
  return server
}

const image = 'media/bikes/swift.jpg'
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
const upgrade = 'GET /livez HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'
const unread = get('/api/v1/saddles/').repeat(3)

for (const { scheme, skip } of schemes) {
  for (const path of ['/api/v1/saddles/', '/api/v1/saddles/?format=api', `/${image}`]) {
    test(`${scheme}: a client that reads slowly gets all of ${path} although the server closes`, { skip }, async t => {
      const server = await startLarge(t, scheme, 60_000)
      const [socket] = await open(server.app.server, get(path))
      await once(socket, 'readable')
      const closed = server.close()
      const chunks: Buffer[] = []
      for await (const chunk of socket as AsyncIterable<Buffer>) {
        chunks.push(chunk)
        await sleep(1)
      }
      const { headers, body } = readRaw(Buffer.concat(chunks).toString('latin1'))
      t.equal(body.length, Number(headers.get('content-length')))
      await closed
      t.equal(server.app.drain.cut, 0)
    })
  }

  for (const [name, sent, cut] of [
    ['a connection without a request', '', 0],
    ['a client that reads nothing', unread, 1],
    ['an upgrade after unread responses', unread + upgrade, 1]
  ] as const) {
    test(`${scheme}: close() ends at its time, and logs what it cuts: ${name}`, { skip }, async t => {
      const server = await startLarge(t, scheme, 500)
      const [socket] = await open(server.app.server, sent)
      t.teardown(() => socket.destroy())
      const logged = t.capture(server.app.logger, 'error')
      await server.close()
      t.equal(server.app.drain.cut, cut)
      t.same(logged().map(({ args }) => args), cut === 0 ? [] : [['1 connection cut after 0.5 s']])
    })
  }
}

for (const apis of [['setTimeout', 'setInterval', 'setImmediate', 'Date'], ['setInterval'], ['Date']] as const) {
  test(`in a test, a server serves, reloads and closes while a fake clock stands still: ${apis.join()}`, async t => {
    mock.timers.enable({ apis: [...apis] })
    mock.method(performance, 'now', () => 0)
    t.teardown(() => mock.reset())
    const file = join(t.testdir({ tokens: 'one' }), 'tokens')
    const server = await start({ simulate: true, watch: true, compress: true, tokensFile: file, logLevel: 'silent' })
    t.equal((await fetch(`${server.url}/api/v1/bikes/`)).status, 200)
    t.match(await (await fetch(`${server.url}/api/v1/chains/?__delay=20&__fault=drip`)).json(), [{ id: 1 }])
    await server.reload()
    await server.close()
  })
}

test('close() does not wait for a connection that has not begun its TLS handshake', { skip }, async t => {
  const server = await startLarge(t, 'https')
  const accepted = once(server.app.server, 'connection')
  const socket = connect(server.port, '127.0.0.1')
  await accepted
  const closed = once(socket.resume(), 'close')
  await server.close()
  await closed
  t.equal(server.app.drain.cut, 0)
})
