import { test } from 'tap'
import { networkOf } from '../../src/http/rate-limit.ts'

test('a client is counted by its IPv4 address or its IPv6 network, however they are written', async t => {
  const cases: [address: string, network: string][] = [
    ['127.0.0.1', '127.0.0.1'],
    ['Example.COM', 'example.com'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:0201', '192.0.2.1'],
    ['::FFFF:0:1', '0.0.0.1'],
    ['2001:0DB8:ABCD:0012:0000:0000:0000:0001', '2001:db8:abcd:12::'],
    ['2001:db8:abcd:12::1', '2001:db8:abcd:12::'],
    ['2001:db8:abcd:13::1', '2001:db8:abcd:13::'],
    ['2001:db8::1:2:3:4', '2001:db8:0:0::'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4::'],
    ['fe80::1%eth0', 'fe80:0:0:0::'],
    ['::', '0:0:0:0::'],
    ['::1', '0:0:0:0::']
  ]
  for (const [address, network] of cases) t.equal(networkOf(address), network, address)
})
