import type { FastifyRequest } from 'fastify'
import { test } from 'tap'
import { clientAddress, createTrust, forwardedValue, forwardedWarning } from '../../src/http/forwarded.ts'
import { build, buildLogged } from '../helper.ts'

test('trust-proxy trusts none, all, addresses and ranges, or a number of hops', async t => {
  for (const { setting, trusted, others } of [
    { setting: false, trusted: [], others: ['127.0.0.1', ''] },
    { setting: true, trusted: ['127.0.0.1', ''], others: [] },
    {
      setting: ['10.0.0.0/8', '192.0.2.1', 'fd00::/8', '::1'],
      trusted: ['10.1.2.3', '::ffff:10.1.2.3', '10.1.2.3:80', '192.0.2.1', 'fd00::7', '[fd00::7]:80', '::1'],
      others: ['11.0.0.1', '192.0.2.2', 'fe80::1', '::ffff:11.0.0.1', '', 'unknown', '10.1.2.3:', '10.0.0.0.1']
    }
  ]) {
    const trusts = createTrust(setting)
    for (const address of trusted) t.ok(trusts(address, 0), address)
    for (const address of others) t.notOk(trusts(address, 0), address)
  }
  t.strictSame([0, 1, 2].map(hop => createTrust(2)('192.0.2.1', hop)), [true, true, false])
})

const v1 = '/api/v1/brakes/'
for (const { trustProxy, same } of [
  { trustProxy: true, same: ['1.2.3.4', '1.2.3.4:5678', '1.2.3.4, 10.0.0.1', '1.2.3.4:1, 10.0.0.1:2'] },
  { trustProxy: true, same: ['2001:db8::1', '[2001:db8::1]:80', '[2001:DB8::2]'] },
  { trustProxy: true, same: ['192.0.2.7', '::ffff:192.0.2.7'] },
  { trustProxy: true, same: ['fe80::1%eth0', 'fe80::2'] },
  { trustProxy: false, same: [undefined, '192.0.2.1', '192.0.2.2'] },
  { trustProxy: true, same: [undefined, 'unknown', '<b>', '"', ', ,', '1.2.3.4.5', '_hidden:80'] },
  { trustProxy: true, same: ['10.0.0.1', 'unknown, 10.0.0.1', '1.2.3.4, unknown, 10.0.0.1'] },
  { trustProxy: 1, same: ['1.2.3.4', '5.6.7.8, 1.2.3.4:80'] },
  { trustProxy: 2, same: ['1.2.3.4, 5.6.7.8', '9.9.9.9, 1.2.3.4, 6.6.6.6'] },
  { trustProxy: ['127.0.0.1', '10.0.0.0/8'], same: ['1.2.3.4', '9.9.9.9, 1.2.3.4:80, 10.0.0.1:443'] }
]) {
  test(`with trust-proxy ${JSON.stringify(trustProxy)} one client is ${same.join(' and ')}`, async t => {
    const app = await build(t, { rateLimit: true, trustProxy })
    const remaining = async (forwarded: string | undefined) =>
      (await app.inject({
        url: v1,
        headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
      })).headers['x-ratelimit-remaining']
    for (const [index, forwarded] of same.entries()) {
      t.equal(await remaining(forwarded), String(59 - index), String(forwarded))
    }
    if (trustProxy !== false) t.equal(await remaining('203.0.113.1'), '59', 'another client')
  })
}

test('a disconnected peer without an address is a client, too', async t => {
  t.equal(clientAddress({} as FastifyRequest), '')
  t.equal(clientAddress({ ips: [''] } as unknown as FastifyRequest), '')
  const request = { headers: { 'x-forwarded-for': '1.2.3.4' }, ip: '', socket: {} } as unknown as FastifyRequest
  t.match(forwardedWarning(request, createTrust(['10.0.0.1'])), / sends X-Forwarded-\* but isn't a trusted proxy/)
  t.equal(forwardedValue(request, 'x-forwarded-host', createTrust(['10.0.0.1'])), undefined)
})

for (const header of ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host']) {
  test(`${header} from an untrusted peer is logged once`, async t => {
    const { app, log } = await buildLogged(t, { trustProxy: ['10.0.0.1'] })
    await app.inject(v1)
    await app.inject({ url: v1, headers: { [header]: 'x' }, remoteAddress: '10.0.0.1' })
    t.strictSame(log, [])
    for (let times = 0; times < 2; times++) await app.inject({ url: v1, headers: { [header]: 'x' } })
    t.match(log, [{ level: 40, msg: /^127\.0\.0\.1 sends X-Forwarded-\* but isn't a trusted proxy/ }])
    t.equal(log.length, 1)
  })
}
