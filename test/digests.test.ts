import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { typescript } from './run-script.ts'

const known: unknown = JSON.parse(readFileSync(new URL('digests.json', import.meta.url), 'utf8'))

for (const [zone, locale] of [['UTC', 'C'], ['Pacific/Kiritimati', 'tr_TR.UTF-8'], ['America/St_Johns', 'ar_EG.UTF-8']]) {
  test(`150 answers have the digests that are written down, in ${zone} and ${locale} (npm run digests -- --write, when they are meant to change)`, async t => {
    const env = { PATH: process.env['PATH'], TZ: zone, LANG: locale, LC_ALL: locale, _TAPJS_PROCESSINFO_COVERAGE_: '0' }
    const { stdout, stderr } = spawnSync(process.execPath, [...typescript, 'scripts/digests.ts'], { encoding: 'utf8', env })
    t.equal(stderr, '')
    const digests = JSON.parse(stdout) as object
    t.equal(Object.keys(digests).length, 150)
    t.same(digests, known)
  })
}
