import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test, type Test } from 'tap'
import { digestsOf } from '../scripts/digests.ts'
import { typescript } from './run-script.ts'
import './limit.ts'

function same (t: Test, digests: object): void {
  const expected: unknown = JSON.parse(readFileSync('test/digests.json', 'utf8'))
  t.same(digests, expected, 'npm run digests -- --write, when they are meant to change')
}

test('every response has the digest that is written down', async t => same(t, await digestsOf()))

for (const [zone, locale] of [['Pacific/Kiritimati', 'tr_TR.UTF-8'], ['America/St_Johns', 'ar_EG.UTF-8']]) {
  test(`and in ${zone} and ${locale}`, async t => {
    const env = { PATH: process.env['PATH'], TZ: zone, LANG: locale, LC_ALL: locale, _TAPJS_PROCESSINFO_COVERAGE_: '0' }
    const args = [...typescript, 'scripts/digests.ts']
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env })
    t.equal(stderr, '')
    same(t, JSON.parse(stdout) as object)
  })
}
