import { test } from 'tap'
import { SettingsError, readSettings, readValue } from '../../src/settings/read.ts'
import { defaultSettings } from '../../src/settings/settings.ts'

const settingsCases = [
  { argv: [], env: {}, expected: {} },
  { argv: ['--port', '8080'], env: {}, expected: { port: 8080 } },
  { argv: ['--port=8080'], env: {}, expected: { port: 8080 } },
  { argv: ['--port', '1', '--port', '2'], env: {}, expected: { port: 2 } },
  { argv: [], env: { PORT: '8080 ' }, expected: { port: 8080 } },
  { argv: [], env: { PORT: '', HOST: ' ' }, expected: {} },
  { argv: ['--port', '1'], env: { PORT: '2', PUBLIC_URL: 'http://a/' }, expected: { port: 1, publicUrl: 'http://a' } },
  { argv: ['--port', '1'], env: { PORT: 'abc' }, expected: { port: 1 } },
  { argv: ['--paginate', 'always', '--trust-proxy', '10.0.0.1'], env: {}, expected: { paginate: 'always', trustProxy: ['10.0.0.1'] } },
  { argv: ['--log-requests', 'on', '--'], env: { RATE_LIMIT: 'off' }, expected: { logRequests: true, rateLimit: false } },
  { argv: ['--data=-odd'], env: {}, expected: { data: '-odd' } }
]

for (const { argv, env, expected } of settingsCases) {
  test(`${JSON.stringify(env)} ${argv.join(' ')}`, async t => {
    t.strictSame(readSettings(argv, env, false), { ...defaultSettings, ...expected })
  })
}

test('in a terminal requests are logged, unless it is said otherwise', async t => {
  t.match(readSettings([], {}, true), { logRequests: true })
  t.match(readSettings([], { LOG_REQUESTS: 'off' }, true), { logRequests: false })
})

for (const { argv, expected } of [
  { argv: ['--help'], expected: 'help' },
  { argv: ['-h'], expected: 'help' },
  { argv: ['-vh', '--port', 'abc'], expected: 'help' },
  { argv: ['--version'], expected: 'version' },
  { argv: ['-v'], expected: 'version' }
]) {
  test(argv.join(' '), async t => {
    t.equal(readSettings(argv, { PORT: 'abc' }, false), expected)
  })
}

const faults = [
  { argv: ['--port', 'abc'], message: '--port must be a whole number from 0 to 65535, got "abc"' },
  { argv: ['--port='], message: '--port must be a whole number from 0 to 65535, got ""' },
  { argv: [], env: { PORT: 'a\nb' }, message: 'PORT must be a whole number from 0 to 65535, got "a\\nb"' },
  { argv: [], env: { RATE_LIMIT: 'true' }, message: 'RATE_LIMIT must be on or off, got "true"' },
  { argv: ['--port'], message: '--port needs a value: a whole number from 0 to 65535' },
  { argv: ['--rate-limit', '--port', '1'], message: '--rate-limit needs a value: on or off' },
  { argv: ['--help=yes'], message: '--help takes no value' },
  { argv: ['8080'], message: '"8080" belongs to no flag (--help lists the flags)' },
  { argv: ['--', '--port'], message: '"--port" belongs to no flag (--help lists the flags)' },
  { argv: ['--prot', '3000'], message: 'unknown flag --prot; did you mean --port? (--help lists them)' },
  { argv: ['--HOST=x'], message: 'unknown flag --HOST; did you mean --host? (--help lists them)' },
  { argv: ['--pagnate=always'], message: 'unknown flag --pagnate; did you mean --paginate? (--help lists them)' },
  { argv: ['--loglvl', 'info'], message: 'unknown flag --loglvl (--help lists them)' },
  { argv: ['--loglevl', 'info'], message: 'unknown flag --loglevl; did you mean --log-level? (--help lists them)' },
  { argv: ['--trust', 'on'], message: 'unknown flag --trust; did you mean --trust-proxy? (--help lists them)' },
  { argv: ['--data-dir', 'x'], message: 'unknown flag --data-dir; did you mean --data? (--help lists them)' },
  { argv: ['--colour'], message: 'unknown flag --colour (--help lists them)' },
  { argv: ['--__proto__'], message: 'unknown flag --__proto__ (--help lists them)' },
  { argv: ['-p', '3000'], message: 'unknown flag -p (--help lists them)' }
]

for (const { argv, env, message } of faults) {
  test(message, async t => {
    t.throws(() => readSettings(argv, env ?? {}, false), new SettingsError(message))
  })
}

test('a secret stays out of the message', async t => {
  const row = { flag: 'token-secret', variable: 'TOKEN_SECRET', help: '', secret: true, takes: 'long', read: () => undefined } as const
  t.throws(() => readValue(row, 'TOKEN_SECRET', 'hunter2'), new SettingsError('TOKEN_SECRET must be long'))
})
