import { test } from 'tap'
import { clientAt } from '../../src/http/rate-limit.ts'

for (const [client, addresses] of Object.entries({
  '192.0.2.1': ['192.0.2.1', '::ffff:192.0.2.1', '::FFFF:c000:201', '0:0:0:0:0:ffff:192.0.2.1'],
  '2001:db8:0:0::/64': ['2001:db8::', '2001:DB8::1', '2001:0db8:0:0:ffff:ffff:ffff:ffff'],
  '2001:db8:1:2::/64': ['2001:db8:1:2::', '2001:db8:1:2:3:4:5:6'],
  '0:0:0:0::/64': ['::', '::1'],
  '0:0:3:4::/64': ['::3:4:5:6:7:8'],
  '2001:0:0:4::/64': ['2001::4:5:6:7:8'],
  'fe80:0:0:0::/64': ['fe80::1%eth0'],
  '': ['']
})) {
  test(`the client ${client}`, async t => {
    for (const address of addresses) t.equal(clientAt(address), client, address)
  })
}
