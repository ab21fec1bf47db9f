import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { test } from 'tap'
import { defaultSettings, flagOf, settingRows, settingsTable, variablesOf } from '../../src/settings/settings.ts'

test('the defaults, which each row can read', async t => {
  const { data, ...others } = defaultSettings
  t.strictSame(Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)), {
    port: 3000,
    host: 'localhost',
    watch: false,
    fitnessName: 'fitness',
    compress: false,
    trustProxy: false,
    cors: 'open',
    rateLimit: true, rateLimitV1: 60, rateLimitV2: 600, tokenForm: true, simulate: false, failureRate: 0, seed: 1,
    logLevel: 'info', logRequests: false, exitWithParent: false, upstreamTimeout: 30_000
  })
  t.ok(isAbsolute(data) && existsSync(join(data, 'v1')), 'the data are the package\'s own')
  for (const [key, row] of settingRows) t.equal(defaultSettings[key] === undefined, row.default === undefined, key)
})

test('a setting has a flag and a variable; PORT and HOST have no prefix, too', async t => {
  t.equal(flagOf('rateLimitV1'), 'rate-limit-v1')
  t.same(variablesOf('rateLimitV1', settingsTable.rateLimitV1), ['BICYCLE_CATALOGUE_RATE_LIMIT_V1'])
  const variables = settingRows.flatMap(([key, row]) => variablesOf(key, row))
  const bare = variables.filter(name => !name.startsWith('BICYCLE_CATALOGUE_'))
  t.same(bare, ['PORT', 'HOST'])
})
