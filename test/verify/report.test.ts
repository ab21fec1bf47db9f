import { test } from 'tap'
import type { Result } from '../../src/verify/check.ts'
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
