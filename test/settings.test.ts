import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { test } from 'tap'
import { defaultSettings, flagOf, rows, settingsTable, variablesOf } from '../src/settings/settings.ts'

test('the defaults', async t => {
  const { data, ...others } = defaultSettings
  t.strictSame(others, {
    port: 3000,
    host: '127.0.0.1',
    overlay: undefined,
    watch: false,
    publicUrl: undefined,
    paginate: 'on-request',
    pageSize: 10,
    fitnessName: 'fitness',
    compress: false,
    trustProxy: false,
    rateLimit: true,
    rateLimitV1: 60,
    rateLimitV2: 600,
    redisUrl: undefined,
    tls: false,
    tlsCert: undefined,
    tlsKey: undefined,
    tokens: undefined,
    tokensFile: undefined,
    tokenForm: true,
    tokenSecret: undefined,
    tokenSecretFile: undefined,
    tokenLifetime: undefined,
    revokedTokens: undefined,
    revokedTokensFile: undefined,
    simulate: false,
    delay: undefined,
    failureRate: 0,
    seed: 1,
    logLevel: 'info',
    logRequests: false,
    metricsPort: undefined,
    readyFile: undefined,
    exitWithParent: false
  })
  t.ok(isAbsolute(data) && existsSync(join(data, 'v1')), 'the data are the package\'s own')
})

test('each row has a default that it can read, or none', async t => {
  for (const [key, row] of rows) t.equal(defaultSettings[key] === undefined, row.default === undefined, key)
})

test('a setting has a flag and a variable; PORT and HOST have no prefix, too', async t => {
  t.same([flagOf('rateLimitV1'), variablesOf('rateLimitV1', settingsTable.rateLimitV1)], ['rate-limit-v1', ['BICYCLE_CATALOGUE_RATE_LIMIT_V1']])
  const bare = rows.flatMap(([key, row]) => variablesOf(key, row)).filter(name => !name.startsWith('BICYCLE_CATALOGUE_'))
  t.same(bare, ['PORT', 'HOST'])
})
