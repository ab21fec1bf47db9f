import type { NetworkInterfaceInfo } from 'node:os'
import Fastify from 'fastify'
import { test } from 'tap'
import { ListenError, listen, reachOf } from '../../src/command/listening.ts'
import { defaultSettings } from '../../src/settings/settings.ts'

const at = (internal: boolean, ...addresses: string[]) =>
  addresses.map(address => ({ address, internal, family: address.includes(':') ? 'IPv6' : 'IPv4' }) as NetworkInterfaceInfo)
const interfaces = { lo: at(true, '127.0.0.1', '::1'), wlan0: at(false, '192.168.1.20', 'fd00::20', 'fe80::20'), gone: undefined }

const emulator = 'http://10.0.2.2:3000'

for (const { host, expected } of [
  { host: '127.0.0.1', expected: { url: 'http://127.0.0.1:3000', lan: [], emulator } },
  { host: 'localhost', expected: { url: 'http://localhost:3000', lan: [], emulator } },
  { host: '::1', expected: { url: 'http://[::1]:3000', lan: [], emulator: undefined } },
  { host: '192.168.1.20', expected: { url: 'http://192.168.1.20:3000', lan: [], emulator: undefined } },
  { host: '0.0.0.0', expected: { url: 'http://127.0.0.1:3000', lan: ['http://192.168.1.20:3000'], emulator } },
  { host: '::', expected: { url: 'http://[::1]:3000', lan: ['http://192.168.1.20:3000', 'http://[fd00::20]:3000'], emulator } }
]) {
  test(`where ${host} can be reached`, async t => {
    t.strictSame(reachOf(host, 3000, interfaces), expected)
  })
}

test('a port in use, and other reasons not to listen', async t => {
  const first = Fastify()
  t.teardown(() => first.close())
  const port = await listen(first, { ...defaultSettings, port: 0 })
  const message = `port ${port} on 127.0.0.1 is in use; choose another with --port, 0 for any free one`
  await t.rejects(listen(Fastify(), { ...defaultSettings, port }), { name: 'ListenError', message })
  for (const [code, message] of [
    ['EACCES', 'no permission for port 80 on box; choose another with --port'],
    ['EADDRNOTAVAIL', 'box is not an address of this machine; choose another with --host'],
    ['ENOTFOUND', 'the host box cannot be resolved; choose another with --host'],
    ['EINVAL', 'cannot listen on port 80 of box: listen EINVAL'],
    [undefined, 'cannot listen on port 80 of box: listen undefined']
  ]) {
    t.equal(new ListenError(Object.assign(new Error(`listen ${code}`), code && { code }), { host: 'box', port: 80 }).message, message)
  }
  const { message: ofVariable } = new ListenError(new Error('no'), { host: 'box', port: 80, sources: { port: 'PORT', host: '--host' } })
  t.equal(ofVariable, 'cannot listen on port 80 (from the variable PORT) of box: no')
})
