import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { shownPath } from '../../src/catalogue/errors/error.ts'
import { run as check } from '../../src/command/check.ts'
import { run as init } from '../../src/command/init.ts'
import { changedDirectory, valid } from '../catalogue/changed.ts'
import { storedLists } from '../../src/catalogue/files.ts'
import { loadCatalogue } from '../../src/catalogue/load.ts'
import { catalogue } from '../helper.ts'
import { outputOf } from '../run-script.ts'

const run = (...args: string[]) => outputOf(check, ...args)

const others = storedLists.filter(key => key !== 'bikes')
const counts = `valid: 2 bikes, ${others.map(key => `1 ${key}`).join(', ')}, 5 images`

test('valid data are counted', async t => {
  t.match(await run(valid), { code: 0, stdout: new RegExp(`^${counts}; digest [\\da-f]{12}\n$`) })
  t.match(await run(), { code: 0, stdout: `digest ${catalogue.digest}\n` }, 'without a directory the built-in data')
  const { code, stdout } = await run(valid, '--reporter', 'json')
  t.equal(code, 0)
  t.match(JSON.parse(stdout), { digest: /^[\da-f]{12}$/, counts: { bikes: 2, images: 5 }, warnings: [], errors: [] })
  t.strictSame(await run(valid, '--reporter=github'), { code: 0, stdout: '', stderr: '' })
})

test('each error is reported with its place', async t => {
  const data = changedDirectory(t, { bikes: [['2021', '"2021"']], chains: null })
  const [bikes, chains] = ['bikes', 'chains'].map(name => shownPath(join(data, `v1/${name}.json`)))
  const message = 'bikes[1].year (id 1) must be an integer, got "2021"'
  const stdoutOfErrors = `${bikes}:65:15 ${message}\n${chains} is missing\ninvalid: 2 errors\n`
  t.strictSame(await run(data), { code: 1, stdout: stdoutOfErrors, stderr: '' })
  const { code, stdout } = await run(data, '--reporter', 'json')
  t.equal(code, 1)
  t.strictSame(JSON.parse(stdout), {
    digest: null,
    counts: {},
    warnings: [],
    differences: [],
    errors: [
      { file: bikes, line: 65, column: 15, pointer: '/bikes/1/year', rule: 'type', message },
      { file: chains, line: null, column: null, pointer: '', rule: 'missing', message: 'is missing' }
    ]
  })
  const annotations = `::error file=${bikes},line=65,col=15::${message}\n::error file=${chains}::is missing\n`
  t.strictSame(await run(data, '--reporter', 'github'), { code: 1, stdout: annotations, stderr: '' })
})

test('a terminal: the place is dim, and of equal errors five are printed', async t => {
  const saddle = '{ "id": "x", "brand": "a", "model": "b" },'
  const data = changedDirectory(t, {
    bikes: [['2021', '"2021"']],
    saddles: [['[', `[${saddle.repeat(8)}`]]
  })
  const outputIn = async (hasColors: boolean) => {
    let text = ''
    await check([data], { stdout: { isTTY: true, hasColors: () => hasColors, write: part => { text += part } } })
    return text.replaceAll(shownPath(data), 'data')
  }
  const yearError = /^data\/v1\/bikes\.json:65:15 bikes\[1\]\.year \(id 1\) must be an integer, got "2021"$/m
  t.match(await outputIn(false), yearError)
  t.ok((await outputIn(true)).startsWith('\u001b[2mdata/v1/bikes.json:65:15\u001b[22m bikes'))
  const text = await outputIn(false)
  t.match([text.match(/id must be an integer/g)?.length, text.includes('… and 3 more like this')], [5, true])
})

test('each of very many errors is reported', async t => {
  const saddles = JSON.stringify({ version: 1, updated: '2025-01-01T00:00:00Z', saddles: Array(130_000).fill(1) })
  const { code, stdout } = await run(changedDirectory(t, { saddles: Buffer.from(saddles) }))
  t.equal(code, 1)
  t.match(stdout.slice(-300), /saddles\[129999\] must be an object, got 1\n.*\ninvalid: 130002 errors\n$/s)
})

test('GitHub is told where a recording differs from the contract', async t => {
  const recording = t.testdir({ v1: { 'saddles.json': '[{"id":1,"brand":7,"model":"x"}]' } })
  const { code, stdout } = await run(recording, '--reporter', 'github')
  t.equal(code, 0)
  t.match(stdout, /^::notice file=\S+saddles\.json,line=1,col=18::\[0\]\.brand must be a string, got 7$/m)
})

test('annotations for GitHub are escaped', async t => {
  const directory = join(t.testdir(), '50%,a:b')
  mkdirSync(directory)
  const { stdout } = await run(directory, '--reporter', 'github')
  t.match(stdout, /^::error file=\S+50%25%2Ca%3Ab\/v1::is missing\n/)
  const data = changedDirectory(t, { saddles: [['"id": 1', '"id": "100%\\r\\n"']] })
  t.match((await run(data, '--reporter', 'github')).stdout, /saddles\[0\]\.id must be an integer, got "100%25\\r\\n"/)
})

test('names that are repeated in an object are found here, because a start takes the last of them', async t => {
  const data = changedDirectory(t, {
    bikes: [['"year": 2021', '"year": 2020, "y\\u0065ar": 2021']],
    saddles: [['"saddles": [', '"saddles": [], "saddles": [']]
  })
  t.match(await run(data), {
    code: 1,
    stdout: new RegExp([
      String.raw`v1/bikes\.json:65:21 bikes\[1\]\.year must occur only once in its object`,
      String.raw`.*saddles\.json:5:18 saddles must occur.*`,
      'invalid: 2 errors\n$'
    ].join('\n'))
  })
  await loadCatalogue(data)
  const both = changedDirectory(t, { bikes: [['"year": 2021', '"year": 2020, "year": "2021"']], tyres: [['{', '']] })
  t.match(await run(both), {
    code: 1,
    stdout: /year .* must be an integer, .*tyres.*year must occur only once in its object\ninvalid: 3 errors\n$/s
  }, 'in one run')
  const recording = t.testdir({ v1: { 'bikes.json': '[{"id":1,"id":2}]', 'chains.json': '[' } })
  t.match(await run(recording), { code: 1, stdout: /chains.*\ninvalid: 1 error\n$/ }, 'a recording may have them')
})

test('no reporter prints a character that a terminal acts on', async t => {
  const name = 'x\u009b\u202e\u2028y'
  const data = changedDirectory(t, { saddles: [['"id": 1', `"id": "${name}"`]] })
  for (const reporter of ['human', 'json', 'github']) {
    const { stdout } = await run(data, '--reporter', reporter)
    t.match(stdout, reporter === 'json' ? 'x\\u009b\\u202e\\u2028y' : 'x\\u{9b}\\u{202e}\\u{2028}y', reporter)
    t.notMatch(stdout, /[\u009b\u202e\u2028]/, reporter)
  }
})

test('an unedited copy has the digest of the built-in data', async t => {
  const directory = join(t.testdir(), 'copy')
  await init([directory], { stdout: { write: () => true } })
  const copy = await loadCatalogue(directory)
  t.equal(copy.digest, catalogue.digest)
  const file = join(directory, 'v1/saddles.json')
  writeFileSync(file, `${readFileSync(file, 'utf8')} `)
  t.not((await loadCatalogue(directory)).digest, catalogue.digest)
})

test('an overlay is checked too, and files that are not served are warned of', async t => {
  const overlay = t.testdir({ v1: {} })
  copyFileSync(join(valid, 'v1/saddles.json'), join(overlay, 'v1/saddles.json'))
  writeFileSync(join(overlay, 'v1/forks.json'), '')
  const forks = shownPath(join(overlay, 'v1/forks.json'))
  const warning = `${forks} is not served: the contract has no such list or image`
  t.match(await run(valid, '--overlay', overlay), { code: 0, stdout: `warning: ${warning}\n${counts}; digest ` })
  t.strictSame(await run(valid, '--overlay', overlay, '--reporter', 'github'), {
    code: 0,
    stdout: `::warning::${warning}\n`,
    stderr: ''
  })
  writeFileSync(join(overlay, 'v1/saddles.json'), '{')
  t.match(await run(valid, '--overlay', overlay), {
    code: 1,
    stdout: /v1\/saddles\.json:1:2 expected a comma or }, got the end of the file\ninvalid: 1 error\n$/
  })
})

test('an error that is no error of the data is thrown', async t => {
  t.intercept(Object, 'isFrozen', { value: () => { throw new Error('a bug') } })
  await t.rejects(run(valid), { message: 'a bug' })
})

test('arguments that cannot be read, and a directory that is not there', async t => {
  const help = 'npm start -- check --help'
  const preCommit = 'For pre-commit, set pass_filenames: false and name the directory in args.'
  const saddles = join(valid, 'v1/saddles.json')
  for (const [args, message] of [
    [['a', 'b'], `check takes one directory; unexpected argument "b" (${help}). ${preCommit}`],
    [[saddles], `check takes one directory; unexpected argument "${saddles}" (${help}). ${preCommit}`],
    [[saddles, 'b'], `check takes one directory; unexpected argument "${saddles}" (${help}). ${preCommit}`],
    [['--reporter', 'tap'], '--reporter must be human, json or github, got "tap"'],
    [['--overlay'], '--overlay needs a value: a directory'],
    [['--overlay='], '--overlay must be a directory, got ""'],
    [['--strict'], 'unknown flag --strict (npm start -- check --help lists them)']
  ] as const) {
    await t.rejects(run(...args), { name: 'SettingsError', message })
  }
  t.match(await run('/nope'), { code: 2, stdout: /^\/nope is missing; .+ makes one\n$/ }, 'not invalid')
  t.match(await run(valid, '--overlay', '/nope'), { code: 2, stdout: /^\/nope is missing\n$/ })
})
