import { test } from 'tap'
import { resources, type Resource } from '../../src/lists/resources.ts'
import type { Result } from '../../src/verify/check.ts'
import type { Exchange, Session } from '../../src/verify/exchange.ts'
import { properties } from '../../src/verify/properties.ts'
import { changeLine } from '../../src/verify/report.ts'
import { reporters } from '../../src/verify/reporters.ts'

test('values that look the same differ by their code points', async t => {
  t.equal(changeLine({ place: 'title', before: '"é"', after: '"e\u0301"' }), 'title: "\\u{e9}" → "e\\u{301}"')
  t.equal(changeLine({ place: 'title', before: '"a"', after: '"b"' }), 'title: "a" → "b"')
})

const limited: Result = {
  id: 'bikes/status', claim: 'responds', source: 'S3', ok: true, failures: [], warnings: [], skipped: 'limited: <429>'
}
const report = {
  url: '', requests: 1, results: [limited], differences: undefined, failOn: [], ignore: [], isVerbose: false
}

test('a limit is an error for CI servers', async t => {
  const error = '::error title=Not everything was checked::1 check not complete: limited: <429>\n'
  t.equal(reporters.github(report, false), error)
  const xml = reporters.junit(report, false)
  t.match(xml, 'tests="1" failures="0" errors="1" skipped="0"')
  t.match(xml, '<error message="limited: &lt;429&gt;"/></testcase>')
  t.notMatch(xml, '<skipped')
  const skipped = { ...report, results: [{ ...limited, skipped: 'needs a list' }] }
  t.equal(reporters.github(skipped, false), '')
  t.match(reporters.junit(skipped, false), '<skipped message="needs a list"/></testcase>')
})

test('Expires counts from now without a Date', async t => {
  const judge = properties.find(({ id }) => id === 'cache/age')?.judge
  const resource = resources.find(({ isAgeStated }) => isAgeStated) as Resource
  const judged = (expires: string, date?: string) =>
    judge?.({ response: { headers: { expires, date } } } as Exchange, { resource } as Session)
  const future = 'Fri, 01 Jan 2100 00:00:00 GMT'
  t.match(judged(future), [{ expected: `max-age=${resource.maxAge}`, got: `Expires: ${future}` }])
  t.strictSame(judged('Thu, 01 Jan 1970 00:00:00 GMT'), [])
  t.strictSame(judged(future, future), [])
})
