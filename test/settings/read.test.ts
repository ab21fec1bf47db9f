import { test } from 'tap'
import { SettingsError } from '../../src/settings/flags.ts'
import { readOptions, readSettings, requestedText } from '../../src/settings/read.ts'
import { type Options, defaultSettings } from '../../src/settings/settings.ts'

const settingsCases = [
  { argv: [], env: {}, expected: {} },
  { argv: ['--port', '8080'], env: {}, expected: { port: 8080 } },
  { argv: ['--port=8080'], env: {}, expected: { port: 8080 } },
  { argv: ['--port', '1', '--port', '2'], env: {}, expected: { port: 2 } },
  { argv: [], env: { PORT: '8080 ' }, expected: { port: 8080 } },
  { argv: [], env: { PORT: '', HOST: ' ' }, expected: {} },
  {
    argv: ['--port', '1'],
    env: { PORT: '2', BICYCLE_CATALOGUE_PUBLIC_URL: 'http://a/' },
    expected: { port: 1, publicUrl: 'http://a' }
  },
  { argv: ['--port', '1'], env: { PORT: 'abc' }, expected: { port: 1 } },
  {
    argv: ['--paginate', 'always', '--trust-proxy', '10.0.0.1'],
    env: {},
    expected: { paginate: 'always', trustProxy: ['10.0.0.1'] }
  },
  {
    argv: ['--log-requests', 'on', '--'],
    env: { BICYCLE_CATALOGUE_RATE_LIMIT: 'off', WATCH: '1', LOG_LEVEL: 'verbose' },
    expected: { logRequests: true, rateLimit: false }
  },
  { argv: ['--log-requests'], env: {}, expected: { logRequests: true } },
  { argv: ['--log-requests', 'apps'], env: {}, expected: { logRequests: 'apps' } },
  { argv: ['--log-requests', '--port', '1'], env: {}, expected: { logRequests: true, port: 1 } },
  { argv: ['--rate-limit', 'off', '--rate-limit'], env: {}, expected: { rateLimit: true } },
  { argv: [], env: { PORT: 'stray', BICYCLE_CATALOGUE_PORT: '81' }, expected: { port: 81 } },
  { argv: ['--port', '1'], env: { BICYCLE_CATALOGUE_PORT: '81' }, expected: { port: 1 } },
  { argv: [], env: { PORT: '80', BICYCLE_CATALOGUE_PORT: ' ' }, expected: { port: 80 } },
  { argv: [], env: { BICYCLE_CATALOGUE_PORT: 'tcp://10.0.0.1:80', PORT: '82' }, expected: { port: 82 } },
  { argv: ['--data=-odd'], env: {}, expected: { data: '-odd' } },
]

test('flags beat variables, which beat a preset, which beats defaults', async t => {
  for (const { argv, env, expected } of settingsCases) {
    const { settings } = readSettings(argv, env)
    t.strictSame(settings, { ...defaultSettings, ...expected }, `${JSON.stringify(env)} ${argv.join(' ')}`)
  }
  const preset = { simulate: true, watch: true, rateLimit: false }
  t.match(readSettings(['--watch', 'off'], { BICYCLE_CATALOGUE_RATE_LIMIT: 'on', PORT: '80' }, preset), {
    settings: { simulate: true, watch: false, rateLimit: true, port: 80 }
  })
})

test('a variable with the prefix that names no setting is a warning', async t => {
  const env = { BICYCLE_CATALOGUE_PROT: '1', BICYCLE_CATALOGUE_SERVICE_PORT: '1', OTHER: '' }
  const warning = 'unknown variable BICYCLE_CATALOGUE_PROT; did you mean BICYCLE_CATALOGUE_PORT?'
  t.same(readSettings([], env).warnings, [warning])
  t.match(readSettings([], { BICYCLE_CATALOGUE_TOKEN_LIFETIME: '3600' }).warnings, [
    /^unknown variable BICYCLE_CATALOGUE_TOKEN_LIFETIME/
  ])
})

test('--help and --version', async t => {
  for (const [expected, ...lines] of [
    ['help', '--help', '-h', '-vh --port abc'],
    ['help all', '--help all'],
    ['version', '--version', '-v'],
    [undefined, '--port 80']
  ]) {
    for (const line of lines.map(String)) t.equal(requestedText(line.split(' ')), expected, line)
  }
})

const errors = [
  { argv: ['--port', 'abc'], message: '--port must be an integer from 0 to 65535, got "abc"' },
  { argv: ['--port='], message: '--port must be an integer from 0 to 65535, got ""' },
  { argv: [], env: { PORT: 'a\nb' }, message: 'PORT must be an integer from 0 to 65535, got "a\\nb"' },
  {
    argv: [],
    env: { BICYCLE_CATALOGUE_RATE_LIMIT: 'never' },
    message: 'BICYCLE_CATALOGUE_RATE_LIMIT must be on or off, got "never"'
  },
  { argv: ['--port'], message: '--port needs a value: an integer from 0 to 65535' },
  { argv: ['--data', '--port', '1'], message: '--data needs a value: a directory' },
  { argv: ['--seed', '-1'], message: '--seed must be an integer from 0 to 4294967295, got "-1"' },
  { argv: ['--rate-limit', 'never'], message: '--rate-limit must be on or off, got "never"' },
  { argv: ['--delay', '5'], message: '--delay needs --simulate' },
  {
    argv: ['--simulate', 'off'],
    env: { BICYCLE_CATALOGUE_FAILURE_RATE: '1' },
    message: '--failure-rate needs --simulate'
  },
  { argv: ['https://me:secret@a/'], message: 'unexpected argument "https://…@a/" (--help all lists the flags)' },
  { argv: ['--tokens', 'a,b c'], message: '--tokens must be tokens without spaces, separated by commas' },
  { argv: ['--tokens-file', '/nowhere'], message: '--tokens-file: /nowhere is missing' },
  { argv: ['--help=yes'], message: '--help takes no value' },
  { argv: ['8080'], message: 'unexpected argument "8080"; did you mean --port 8080? (--help all lists the flags)' },
  { argv: ['data'], message: 'unexpected argument "data"; did you mean --data data? (--help all lists the flags)' },
  { argv: ['--', '--port'], message: 'unexpected argument "--port" (--help all lists the flags)' },
  { argv: ['--prot', '3000'], message: 'unknown flag --prot; did you mean --port? (--help all lists them)' },
  { argv: ['--HOST=x'], message: 'unknown flag --HOST; did you mean --host? (--help all lists them)' },
  {
    argv: ['--logLevel', 'info'],
    message: 'unknown flag --logLevel; did you mean --log-level? (--help all lists them)'
  },
  { argv: ['--data-dir', 'x'], message: 'unknown flag --data-dir; did you mean --data? (--help all lists them)' },
  { argv: ['--__proto__'], message: 'unknown flag --__proto__ (--help all lists them)' },
  { argv: ['-p', '3000'], message: 'unknown flag -p (--help all lists them)' }
]

test('flags and variables that cannot be read', async t => {
  for (const { argv, env, message } of errors) {
    t.throws(() => readSettings(argv, env ?? {}), new SettingsError(message), message)
  }
})

test('options of a program are settings by key and type', async t => {
  const tokensFile = `${t.testdir({ tokens: 'a,b\n' })}/tokens`
  const options = {
    port: 8080,
    host: '[::1]',
    publicUrl: 'https://a/',
    paginate: 'always',
    trustProxy: ['10.0.0.0/8', '::1'],
    rateLimit: false,
    redisUrl: undefined,
    tokens: ['one', 'two'], tokensFile, logRequests: true
  } as const
  t.strictSame(readOptions(options, { port: 0, logLevel: 'error' }), {
    ...defaultSettings, ...options, host: '::1', publicUrl: 'https://a', tokensFile: ['a', 'b'], logLevel: 'error'
  })
  const overlays: [overlay: unknown, message: RegExp][] = [
    [[], /^overlay must be a directory, or an object of records .*, got \[\]$/], [null, /, got null$/],
    [{ get 'v1/bikes' () { throw new Error('gone') } }, /^overlay: gone$/]
  ]
  for (const [overlay, message] of overlays) {
    t.throws(() => readOptions({ overlay } as object, {}), { name: 'SettingsError', message })
  }
  t.match(readOptions({}, { port: 0 }), { port: 0, host: 'localhost' })
  t.strictSame(readOptions({ tokens: [] }, { tokens: ['a'] }), { ...defaultSettings, tokens: ['a'] })
  for (const trustProxy of [true, false, 3]) {
    t.match(readOptions({ trustProxy }, {}), { trustProxy }, String(trustProxy))
  }
})

const wrongOptions = [
  { options: { prot: 1 }, message: 'unknown setting "prot"; did you mean "port"?' },
  { options: { 'log-level': 'info' }, message: 'unknown setting "log-level"; did you mean "logLevel"?' },
  { options: { delay: 5 }, message: 'delay needs simulate' },
  { options: { rateLimit: false, rateLimitV1: 5 }, message: 'rateLimitV1 needs rateLimit' },
  { options: { port: '3000' }, message: 'port must be an integer from 0 to 65535, got "3000"' },
  { options: { port: 70_000 }, message: 'port must be an integer from 0 to 65535, got 70000' },
  { options: { data: 5 }, message: 'data must be a directory, got 5' },
  { options: { rateLimit: 'on' }, message: 'rateLimit must be true or false, got "on"' },
  {
    options: { trustProxy: 'on' },
    message: 'trustProxy must be true, false, a number of hops, ' +
      'or an array of addresses and ranges such as 10.0.0.0/8, got "on"'
  },
  { options: { tokens: 'a' }, message: 'tokens must be an array of tokens without spaces' },
  {
    options: { delay: '500' },
    message: 'delay must be milliseconds, such as 500 or [100, 2000], up to 60000, got "500"'
  },
  { options: { paginate: true }, message: 'paginate must be on-request or always, got true' },
  { options: { tokens: ['a,b'] }, message: 'tokens must be an array of tokens without spaces' },
  { options: { tokenSecretFile: '/nowhere' }, message: 'tokenSecretFile: /nowhere is missing' }
]

test('options of a program that are wrong', async t => {
  for (const { options, message } of wrongOptions) {
    t.throws(() => readOptions(options as Options, {}), new SettingsError(message), message)
  }
})
