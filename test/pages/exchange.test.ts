import { test } from 'tap'
import { exchange, inJson } from '../../src/pages/exchange.ts'

test('a target as JSON stays on this server', async t => {
  t.equal(inJson('/a/'), '/a/?format=json')
  t.equal(inJson('/a/?x=1'), '/a/?x=1&format=json')
  t.equal(inJson('//evil.example/'), '/.//evil.example/?format=json')
})

test('an exchange leaves out what is the same everywhere, and escapes', async t => {
  const panel = exchange({ method: 'GET', target: '/<x>', origin: 'http://h', status: 503, headers: { vary: 'Accept', 'x-frame-options': 'DENY', allow: '<GET>' }, needsToken: false, isOpen: true })
  t.match(panel, '<dt>allow</dt><dd>&#60;GET&#62;</dd>\n<dt>vary</dt>')
  t.match(panel, 'status-5">503 Service Unavailable')
  t.notMatch(panel, 'DENY')
  t.notMatch(panel, '<x>')
})

for (const { method, needsToken, canOpen } of [
  { method: 'GET', needsToken: false, canOpen: true },
  { method: 'GET', needsToken: true, canOpen: false },
  { method: 'OPTIONS', needsToken: false, canOpen: false }
]) {
  test(`a browser can${canOpen ? '' : 'not'} open the JSON of ${method}${needsToken ? ' with a token' : ''}`, async t => {
    const panel = exchange({ method, target: '/a/', origin: 'http://h', status: 200, headers: {}, needsToken, isOpen: true })
    t.equal(panel.includes('href="/a/?format&#61;json"'), canOpen)
    t.equal(panel.includes('Authorization'), needsToken)
  })
}
