import type { NetworkInterfaceInfo } from 'node:os'
import Fastify from 'fastify'
import { connect, createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'tap'
import { start } from '../../src/start.ts'
import { ListenError, listen, reachOf } from '../../src/http/listening.ts'
import { defaultSettings } from '../../src/settings/settings.ts'
import { freePort } from '../../tools/process.ts'
import { started } from '../helper.ts'

const at = (internal: boolean, ...addresses: string[]) =>
  addresses.map(address => ({
    address,
    internal,
    family: address.includes(':') ? 'IPv6' : 'IPv4'
  }) as NetworkInterfaceInfo)
const interfaces = {
  lo: at(true, '127.0.0.1', '::1'),
  wlan0: at(false, '192.168.1.20', 'fd00::20', 'fe80::20'),
  gone: undefined
}

const emulator = 'http://10.0.2.2:3000'

test('the URLs at which a host can be reached', async t => {
  for (const [host, expected] of Object.entries({
    '127.0.0.1': { url: 'http://127.0.0.1:3000', lan: [], emulator },
    localhost: { url: 'http://localhost:3000', lan: [], emulator },
    '::1': { url: 'http://[::1]:3000', lan: [], emulator: undefined },
    '192.168.1.20': { url: 'http://192.168.1.20:3000', lan: [], emulator: undefined },
    constructor: { url: 'http://constructor:3000', lan: [], emulator: undefined },
    '0.0.0.0': { url: 'http://127.0.0.1:3000', lan: ['http://192.168.1.20:3000'], emulator },
    '::': { url: 'http://127.0.0.1:3000', lan: ['http://192.168.1.20:3000', 'http://[fd00::20]:3000'], emulator }
  })) t.strictSame(reachOf(host, 3000, interfaces), expected, host)
})

test('each error of listen() has advice', async t => {
  for (const [code, message] of [
    ['EACCES', 'Port 80 on box needs more permissions. Choose another with --port.'],
    ['EADDRNOTAVAIL', 'box is not an address of this machine. Choose another with --host.'],
    ['ENOTFOUND', 'The host box cannot be resolved. Choose another with --host.'],
    ['EINVAL', 'Cannot listen on port 80 of box: listen EINVAL'],
    [undefined, 'Cannot listen on port 80 of box: listen undefined']
  ]) {
    const error = Object.assign(new Error(`listen ${code}`), code && { code })
    t.equal(new ListenError(error, { host: 'box', port: 80 }).message, message, String(code))
  }
})

test('localhost is every loopback address of the machine', async t => {
  const server = await start({ host: 'localhost' })
  const { port } = server
  t.equal(server.url, `http://localhost:${port}`)
  const sockets = ['127.0.0.1', '::1'].map(host => connect({ host, port, allowHalfOpen: true }))
  const [older, newer] = sockets as [Socket, Socket]
  for (const socket of [older, newer]) socket.write('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n')
  for (const socket of [older, newer]) {
    t.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 200 OK\r\n/, String(socket.remoteAddress))
  }
  const ends = [older, newer].map(async socket => text(socket))
  await server.close()
  t.same(await Promise.all(ends), ['', ''])
  for (const host of ['127.0.0.1', '::1']) {
    t.match(await once(connect({ host, port }), 'error'), [{ code: 'ECONNREFUSED' }], host)
  }
})

test('a port that is in use on one loopback address is an error', async t => {
  const port = await freePort() // of the other loopback address
  const other = createServer().listen(port, '::1')
  t.teardown(() => other.close())
  await once(other, 'listening')
  const message = `Port ${port} is already in use on localhost. ` +
    'Choose another with --port, or use --port 0 for any free port.'
  await t.rejects(start({ host: 'localhost', port }), { name: 'ListenError', code: 'EADDRINUSE', message })
  await once(connect(port, '127.0.0.1'), 'error')
})

test('a machine without IPv6', async t => {
  const everywhere = Fastify()
  t.teardown(() => everywhere.close())
  await listen(everywhere, { ...defaultSettings, host: '::', port: 0 }, { lo: at(true, '127.0.0.1') })
  t.match(everywhere.server.address(), { address: '0.0.0.0' })
  const app = await started(t, { logLevel: 'silent' })
  await t.resolves(app.app.alsoListen('2001:db8::1', app.port), 'an address that the machine lacks is no error')
})
