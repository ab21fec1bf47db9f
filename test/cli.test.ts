import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { test } from 'tap'
import { dataDirectory, version } from '../src/package.ts'
import { command, endOf, env, readyOf, run } from './built.ts'
import { valid } from './catalogue/changed.ts'
import { listen } from './helper.ts'

for (const { args, code, stdout = '', stderr = '' } of [
  { args: ['--version'], code: 0, stdout: `${version}\n` },
  {
    args: ['verify'],
    code: 2,
    stderr: 'verify takes one URL, such as http://localhost:3000 (npm start -- verify --help)\n'
  },
  { args: ['healthcheck', 'nowhere'], code: 2, stderr: '"nowhere" is not an http or https URL\n' },
  {
    args: ['chek', 'data'],
    code: 2,
    stderr: 'unknown command chek; did you mean check? (--help lists the commands)\n'
  },
  { args: ['data'], code: 2, stderr: 'unknown command data; did you mean --data data? (--help lists the commands)\n' },
  { args: ['serve'], code: 2, stderr: 'unknown command serve (--help lists the commands)\n' },
  { args: ['dev', '--simulate', 'off', '--delay', '5'], code: 2, stderr: '--delay needs --simulate\n' }
]) {
  test(`bicycle-catalogue ${args.join(' ')}`, async t => {
    t.strictSame(await endOf(run(t, args)), { code, stdout, stderr })
  })
}

test('exit codes are 1 where a check fails, and 2 where nothing could be read', async t => {
  const invalid = t.testdir()
  cpSync(valid, invalid, { recursive: true })
  for (const name of ['v1/saddles.json', 'rules']) writeFileSync(join(invalid, name), '{')
  const codes = await Promise.all(([
    [2, 'check', '/none'], [1, 'check', invalid], [2, 'check', '--overlay', '/none'],
    [2, '--data', '/none'], [1, '--data', invalid], [2, 'dev', '--overlay', '/none'],
    [2, '--simulate', '--rules', '/none'], [1, '--simulate', '--rules', join(invalid, 'rules')],
    [2, 'init', invalid], [2, 'generate', invalid], [2, 'pull', 'http://127.0.0.1:1', join(invalid, 'new')],
    [2, 'verify', 'http://127.0.0.1:1'], [2, 'diff', '/none', 'http://127.0.0.1:1'],
    [1, 'healthcheck', 'http://127.0.0.1:1']
  ] as const).map(async ([expected, ...args]) => [args, expected, (await endOf(run(t, args))).code]))
  t.same(codes.filter(([, expected, code]) => code !== expected), [])
})

for (const [value, colour] of [['1', '\u001b[2m'], ['0', '']] as const) {
  test(`FORCE_COLOR=${value} colours a pipe, or does not`, async t => {
    const { code, stdout } = await endOf(run(t, ['check', t.testdir()], { env: { ...env, FORCE_COLOR: value } }))
    t.equal(code, 1)
    t.ok(stdout.startsWith(`${colour}.tap`), stdout)
  })
}

const stops = [
  ['verify', 'SIGINT', /^ +\d+ {2}the run was stopped$/m, /\bthe run was stopped\n$/],
  ['pull', 'SIGTERM', /^$/, /^48 bikes need about \d+ requests: .*\nstopped; the directory was not written\n$/]
] as const

for (const [command, signal, stdout, stderr] of stops) {
  test(`${command} stops at ${signal} and says so`, async t => {
    const [silent, parent] = [createServer(), t.testdir({})]
    const args = [command, `http://127.0.0.1:${await listen(t, silent)}`]
    if (command === 'pull') args.push(join(parent, 'data'))
    const child = run(t, args)
    const ended = endOf(child)
    const [socket] = await once(silent, 'connection')
    child.kill(signal)
    t.match(await ended, { code: 2, stdout, stderr })
    t.strictSame(readdirSync(parent), [])
    socket.destroy()
  })
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`the command serves until ${signal}`, async t => {
    const child = run(t, ['--port', '0'])
    const ended = endOf(child)
    const ready = await readyOf(child)
    const { url, token } = ready
    t.match(ready, {
      event: 'listening',
      url: /^http:\/\/localhost:\d+$/,
      port: Number(new URL(url).port),
      pid: child.pid,
      version,
      data: dataDirectory,
      note: /^Restarting the server invalidates issued tokens/
    })
    const response = await fetch(`${url}/api/v1/bikes/`)
    t.equal(response.status, 200)
    t.equal(response.headers.get('content-type'), 'application/json')
    await response.arrayBuffer()
    t.equal((await fetch(`${url}/api/v2/bikes/`, { headers: { authorization: `Token ${token}` } })).status, 200)

    child.kill(signal)
    t.strictSame(await ended, { code: 0, stdout: `${JSON.stringify(ready)}\n`, stderr: '' })
    await t.rejects(fetch(url))
  })
}

test('the log has unknown variables, but not those of Kubernetes, and every answer before SIGTERM', async t => {
  const ofService = { BICYCLE_CATALOGUE_PORT: 'tcp://10.0.0.1:80', BICYCLE_CATALOGUE_PORT_80_TCP_ADDR: '10.0.0.1' }
  const ownEnv = { ...env, ...ofService, BICYCLE_CATALOGUE_RATELIMIT: 'off' }
  const child = run(t, ['--port', '0', '--log-requests'], { env: ownEnv })
  const ended = endOf(child)
  const { url } = await readyOf(child)
  for (const path of ['/api/v1/brakes/', '/nope']) await (await fetch(url + path)).arrayBuffer()
  child.kill('SIGTERM')
  const { stderr } = await ended
  t.match(stderr.trimEnd().split('\n').map(line => JSON.parse(line) as object), [
    { msg: 'unknown variable BICYCLE_CATALOGUE_RATELIMIT; did you mean BICYCLE_CATALOGUE_RATE_LIMIT?' },
    {
      level: 30,
      time: Number,
      method: 'GET',
      url: '/api/v1/brakes/',
      status: 200,
      ms: Number,
      ip: '127.0.0.1',
      msg: 'responded'
    },
    { url: '/nope', status: 404 }
  ])
})

test('a host of another program is named, and its variable', async t => {
  const ownEnv = { ...env, HOST: 'x86_64-conda-linux-gnu', LOG_LEVEL: 'verbose', WATCH: 'never' }
  const child = run(t, ['--port', '0'], { env: ownEnv })
  t.match(await endOf(child), {
    code: 2,
    stdout: '',
    stderr: /x86_64-conda-linux-gnu.* Choose another with --host\.\n$/
  })
})

test('dev simulates, watches, logs requests and has no rate limit', async t => {
  const child = run(t, ['dev', '--port', '0', '--log-format', 'json'])
  const ended = endOf(child)
  const { url } = await readyOf(child)
  const response = await fetch(`${url}/api/v1/brakes/`, { headers: { prefer: 'example=empty' } })
  t.equal(response.headers.get('preference-applied'), 'example=empty')
  t.equal(response.headers.get('x-ratelimit-limit'), null)
  t.same(await response.json(), [])
  t.match((await fetch(`${url}/api/v1/brakes/`)).headers.get('cache-control'), 'no-cache')
  child.kill('SIGTERM')
  t.match(await ended, { code: 0, stderr: /"url":"\/api\/v1\/brakes\/"/ })
})

test('dev in a pipe prints lines for people, and the plain command with --log-format text', async t => {
  for (const args of [['dev'], ['--log-format', 'text', '--log-requests']]) {
    const child = run(t, [...args, '--port', '0'])
    const ended = endOf(child)
    let banner = ''
    while (!banner.includes('Press Ctrl+C to stop.')) banner += String((await once(child.stdout, 'data'))[0])
    const [, url] = /\n {2}Local +(http\S+)\n/.exec(banner) ?? []
    await fetch(`${url}api/v1/brakes/`)
    child.kill('SIGTERM')
    t.match(await ended, { code: 0, stderr: /^ {2}[\d:]{8} {2}200 +\d+ ms {2}GET \/api\/v1\/brakes\/\n$/ })
    t.equal(stripVTControlCharacters(banner), banner, 'a pipe has no colours')
  }
})

test('help COMMAND is COMMAND --help', async t => {
  for (const [words, flags] of [
    [['check'], ['check', '--help']],
    [[], ['--help']],
    [['all'], ['--help', 'all']],
    [['dev'], ['dev', '--help']]
  ] as const) {
    const help = await endOf(run(t, ['help', ...words]))
    t.match(help, { code: 0, stderr: '' })
    t.strictSame(help, await endOf(run(t, [...flags])), words.join())
  }
  t.match(await endOf(run(t, ['help', 'chekc'])), {
    code: 2,
    stderr: 'unknown command chekc; did you mean check? (--help lists the commands)\n'
  })
})

for (const [usage, ...more] of [
  ['init DIR'],
  ['check [DIR] [FLAGS]'],
  ['verify URL', 'http://a', '--rate'],
  ['pull URL DIR'],
  ['healthcheck [URL]']
] as const) {
  const [command] = usage.split(' ') as [string]
  test(`bicycle-catalogue ${command} --help`, async t => {
    const long = await endOf(run(t, [command, '--help']))
    t.match(long, { code: 0, stdout: `Usage: npm start -- ${usage}`, stderr: '' })
    t.strictSame(await endOf(run(t, [command, ...more, '-h'])), long)
    t.same(long.stdout.split('\n').filter(line => line.length > 100 || line !== line.trimEnd()), [])
  })
}

const noTerminal = spawnSync('script', ['--version']).status !== 0 && 'script of util-linux is missing'

test('a terminal shows the banner and each request until Ctrl+C', { skip: noTerminal }, async t => {
  const inTerminal = `exec ${process.execPath} ${command('--port', '0').join(' ')}`
  const child = spawn('script', ['--quiet', '--return', '--flush', '--command', inTerminal, '/dev/null'], { env })
  t.teardown(() => child.kill('SIGKILL'))
  let shown = ''
  const until = async (text: string) => {
    while (!shown.includes(text)) {
      const [chunk] = await once(child.stdout, 'data')
      shown += stripVTControlCharacters(String(chunk))
    }
  }
  await until('Press Ctrl+C to stop.')
  const [, url] = /Local +(http\S+)/.exec(shown) ?? []
  await fetch(`${url}api/v1/brakes/`)
  await until('GET /api/v1/brakes/')
  t.match(shown, /\n {2}[\d:]{8} {2}200 +\d+ ms {2}GET \/api\/v1\/brakes\//)
  child.stdin.write('\x03')
  t.same(await once(child, 'exit'), [0, null])
})

test('a reader that has gone away', async t => {
  const child = run(t, ['--help'])
  child.stdout.destroy()
  t.same(await Promise.all([once(child, 'exit'), text(child.stderr)]), [[0, null], ''])
})

test('SIGHUP reads the data and the file of tokens anew', async t => {
  const folder = t.testdir({ tokens: 'one' })
  cpSync(valid, join(folder, 'data'), { recursive: true })
  const child = run(t, ['--port', '0', '--data', join(folder, 'data'), '--tokens-file', join(folder, 'tokens')])
  const ended = endOf(child)
  const { url } = await readyOf(child)
  writeFileSync(join(folder, 'tokens'), 'two,three')
  writeFileSync(join(folder, 'data/v1/brakes.json'), '{')
  for (const said of [
    /brakes\.json:1:2 .*1 error in the data; the last valid data/s,
    /reloaded: 2 tokens".*the data was reloaded: digest \w+, unchanged/s
  ]) {
    child.kill('SIGHUP')
    for (let log = ''; !said.test(log);) log += String((await once(child.stderr, 'data'))[0])
    cpSync(valid, join(folder, 'data'), { recursive: true })
  }
  t.equal((await fetch(`${url}/api/v2/bikes/`, { headers: { authorization: 'Token two' } })).status, 200)
  child.kill('SIGTERM')
  t.equal((await ended).code, 0)
})
