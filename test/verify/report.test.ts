import { test } from 'tap'
import { resources, type Resource } from '../../src/lists/resources.ts'
import type { Result } from '../../src/verify/check.ts'
import type { Exchange, Session } from '../../src/verify/exchange.ts'
import { properties } from '../../src/verify/properties.ts'
import { reporters } from '../../src/verify/reporters.ts'

const limited: Result = {
  id: 'bikes/status', claim: 'responds', source: 'S3', ok: true, failures: [], warnings: [], skipped: 'limited: <429>'
}
const report = {
  url: '', requests: 1, results: [limited], error: '1 check not complete: <429>', failOn: 'failure' as const,
  ignore: [], isVerbose: false
}

test('what was not checked is skipped, and one error says so', async t => {
  const error = '::error title=Not everything was checked::1 check not complete: <429>\n'
  t.equal(reporters.github(report, false), error)
  const xml = reporters.junit(report, false)
  t.match(xml, 'tests="2" failures="0" errors="1" skipped="1"')
  t.match(xml, '<skipped message="limited: &lt;429&gt;"/></testcase>')
  t.match(xml, 'name="the run is complete"><error message="1 check not complete: &lt;429&gt;"/></testcase>')
  t.match(JSON.parse(reporters.json(report, false)), { complete: false, error: '1 check not complete: <429>' })
  const whole = { ...report, error: '' }
  t.equal(reporters.github(whole, false), '')
  t.notMatch(reporters.junit(whole, false), '<error')
  t.match(JSON.parse(reporters.json(whole, false)), { complete: true })
})

test('Expires counts from now without a Date', async t => {
  const judge = properties.find(({ id }) => id === 'cache/age')?.judge
  const resource = resources.find(({ isAgeStated }) => isAgeStated) as Resource
  const judged = (expires: string, date?: string) =>
    judge?.({ headers: { expires, date } } as Exchange, { resource } as Session)
  const future = 'Fri, 01 Jan 2100 00:00:00 GMT'
  t.match(judged(future), [{ expected: `max-age=${resource.maxAge}`, got: `Expires: ${future}` }])
  t.strictSame(judged('Thu, 01 Jan 1970 00:00:00 GMT'), [])
  t.strictSame(judged(future, future), [])
})
