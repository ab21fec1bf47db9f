import type { NetworkInterfaceInfo } from 'node:os'
import Fastify from 'fastify'
import { test } from 'tap'
import { ListenError, listen, reachOf } from '../../src/command/listening.ts'
import { defaultSettings } from '../../src/settings/settings.ts'

const interfaces = {
  lo: [{ address: '127.0.0.1', family: 'IPv4', internal: true }, { address: '::1', family: 'IPv6', internal: true }],
  wlan0: [
    { address: '192.168.1.20', family: 'IPv4', internal: false },
    { address: 'fd00::20', family: 'IPv6', internal: false },
    { address: 'fe80::20', family: 'IPv6', internal: false }
  ],
  gone: undefined
} as unknown as NodeJS.Dict<NetworkInterfaceInfo[]>

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

test('a port in use', async t => {
  const first = Fastify()
  t.teardown(() => first.close())
  const port = await listen(first, { ...defaultSettings, port: 0 })
  const message = `port ${port} on 127.0.0.1 is in use; choose another with --port, 0 for any free one`
  await t.rejects(listen(Fastify(), { ...defaultSettings, port }), { name: 'ListenError', message })
})

const settings = { ...defaultSettings, port: 80, host: 'box' }
for (const { code, message } of [
  { code: 'EACCES', message: 'no permission for port 80 on box; choose another with --port' },
  { code: 'EADDRNOTAVAIL', message: 'box is not an address of this machine; choose another with --host' },
  { code: 'ENOTFOUND', message: 'the host box cannot be resolved; choose another with --host' },
  { code: 'EINVAL', message: 'cannot listen on port 80 of box: listen EINVAL' },
  { code: undefined, message: 'cannot listen on port 80 of box: listen undefined' }
]) {
  test(`ListenError for ${code}`, async t => {
    t.equal(new ListenError(Object.assign(new Error(`listen ${code}`), code && { code }), settings).message, message)
  })
}

test('ListenError names the variables that set the port and the host', async t => {
  const sources = { port: 'PORT', host: '--host' }
  const { message } = new ListenError(new Error('no'), { ...settings, sources })
  t.equal(message, 'cannot listen on port 80 (from the variable PORT) of box: no')
})
