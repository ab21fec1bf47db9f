import { test } from 'tap'
import { exchange, inFormat, withoutFormat } from '../../src/pages/exchange.ts'

test('a target gets another format, or none', async t => {
  t.equal(inFormat('/a/', 'json'), '/a/?format=json')
  t.equal(inFormat('/a/?format=api&x=1', 'json'), '/a/?format=json&x=1')
  for (const [target, plain] of [['/a/', '/a/'], ['/a/?format=api', '/a/'], ['/a/?format=api&x=1', '/a/?x=1'], ['/a/?x=1&format=api', '/a/?x=1'], ['/a/?format=apix', '/a/?format=apix']] as const) {
    t.equal(withoutFormat(target), plain)
  }
})

test('an exchange leaves out what is the same everywhere, and escapes', async t => {
  const panel = exchange({ method: 'GET', target: '/<x>', origin: 'http://h', status: 503, headers: { vary: 'Accept', 'x-frame-options': 'DENY', allow: '<GET>' }, needsToken: false, isOpen: true })
  t.match(panel, '<dt>allow</dt><dd>&#60;GET&#62;</dd>\n<dt>vary</dt>')
  t.match(panel, 'status-5">503 Service Unavailable')
  t.notMatch(panel, 'DENY')
  t.notMatch(panel, '<x>')
})
