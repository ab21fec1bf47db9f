import {
  appendFileSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync
} from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type Test, test } from 'tap'
import { createLiveCatalogue } from '../src/catalogue/live.ts'
import { watchFiles } from '../src/catalogue/watch.ts'
import { createReload } from '../src/reload.ts'
import { readOptions } from '../src/settings/read.ts'
import { defaultSettings, type Settings } from '../src/settings/settings.ts'
import { valid } from './catalogue/changed.ts'
import { booted, catalogue } from './helper.ts'

const list = '/api/v1/saddles/'
const image = '/media/bikes/swift.jpg'
const otherImage = '/media/full/bikes/swift.jpg'

type Saddles = { saddles: { id: number, brand: string, model: string }[] }

/** A copy of a small catalogue in a folder that may be replaced. */
function copyData (t: Test): string {
  const data = join(t.testdir(), 'data')
  cpSync(valid, data, { recursive: true })
  return data
}

/** The text of a data file whose first record is of another brand. */
function saddlesOf (data: string, brand: string): string {
  const content = JSON.parse(readFileSync(join(data, 'v1/saddles.json'), 'utf8')) as Saddles
  const [first, ...others] = content.saddles
  return JSON.stringify({ ...content, saddles: [{ ...first, brand }, ...others] }, null, 2)
}

/** Serves a folder; what the log says is kept. */
async function serve (t: Test, data = copyData(t), settings: Partial<Settings> = {}, readAgain?: () => Settings) {
  const { server, said } = await booted(t, { data, ...settings }, readAgain)
  const get = (url: string) => server.app.inject(url)
  const brand = async () => ((await get(list)).json() as { brand: string }[])[0]?.brand
  const edit = (brand: string) => writeFileSync(join(data, 'v1/saddles.json'), saddlesOf(data, brand))
  return { data, server, said, get, brand, edit }
}

/** Looks until something is so; the test ends by its own timeout when it never is. */
async function until (is: () => Promise<boolean> | boolean): Promise<void> {
  while (!await is()) await new Promise(resolve => setTimeout(resolve, 10))
}

const changes: Readonly<Record<string, (data: string, brand: string) => void>> = {
  'in place': (data, brand) => writeFileSync(join(data, 'v1/saddles.json'), saddlesOf(data, brand)),
  'by rename': (data, brand) => {
    writeFileSync(join(data, 'v1/.saddles.json.swp'), saddlesOf(data, brand))
    renameSync(join(data, 'v1/.saddles.json.swp'), join(data, 'v1/saddles.json'))
  },
  'after it was removed': (data, brand) => {
    const text = saddlesOf(data, brand)
    rmSync(join(data, 'v1/saddles.json'))
    writeFileSync(join(data, 'v1/saddles.json'), text)
  },
  'with its whole folder': (data, brand) => {
    cpSync(data, `${data}-next`, { recursive: true })
    writeFileSync(join(`${data}-next`, 'v1/saddles.json'), saddlesOf(data, brand))
    rmSync(data, { recursive: true })
    renameSync(`${data}-next`, data)
  },
  'once more, in the new folder': (data, brand) => writeFileSync(join(data, 'v1/saddles.json'), saddlesOf(data, brand)),
  'by a link to another folder': (data, brand) => {
    renameSync(data, `${data}-1`)
    cpSync(`${data}-1`, `${data}-2`, { recursive: true })
    writeFileSync(join(`${data}-2`, 'v1/saddles.json'), saddlesOf(`${data}-1`, brand))
    symlinkSync(`${data}-2`, data)
  }
}

test('with watch, a changed file is served however it is changed, and tags change only with bytes', async t => {
  const { data, said, get, brand } = await serve(t, undefined, { watch: true })
  const others = ['/api/v1/brakes/', image]
  const tags = async (urls: string[]) => Promise.all(urls.map(async url => (await get(url)).headers.etag))
  const before = await tags(others)
  for (const [index, [way, change]] of Object.entries(changes).entries()) {
    const [tag] = await tags([list])
    change(data, `Brand ${index}`)
    await until(async () => await brand() === `Brand ${index}`)
    t.not((await tags([list]))[0], tag, way)
    t.strictSame(await tags(others), before, way)
  }
  t.match(said.at(-1), /^the data was reloaded: digest [\da-f]{12}$/)
})

test('a reload of a recording logs the number of its warnings, as a start does', async t => {
  const data = t.testdir({ v1: { 'saddles.json': '[{"id": 1, "brand": "a"}]' } })
  const { server, said } = await serve(t, data)
  const warning = (places: string) =>
    `the recording differs from the contract in ${places}, and is served as it is; check lists them`
  t.equal(said.filter(line => line === warning('1 place of 1 kind')).length, 1)
  writeFileSync(join(data, 'v1/saddles.json'), '[{"id": 1, "brand": "a"}, {"id": 2, "brand": "a"}]')
  await server.reload()
  t.equal(said.at(-2), warning('2 places of 1 kind'))
  writeFileSync(join(data, 'v1/saddles.json'), '[]')
  await server.reload()
  t.notOk(said.at(-2)?.startsWith('the recording differs'), 'none without warnings')
})

test('with watch, the targets of links are watched', async t => {
  const data = copyData(t)
  const [outside, file] = [`${data}-v1`, `${data}-brakes.json`]
  renameSync(join(data, 'v1'), outside)
  symlinkSync(outside, join(data, 'v1'))
  renameSync(join(data, 'v2/brakes.json'), file)
  symlinkSync(file, join(data, 'v2/brakes.json'))
  const { said, brand } = await serve(t, data, { watch: true })
  writeFileSync(join(outside, 'saddles.json'), saddlesOf(data, 'Linked'))
  await until(async () => await brand() === 'Linked')
  writeFileSync(`${file}-next`, '{')
  renameSync(`${file}-next`, file)
  await until(() => said.at(-1) === '1 error in the data; the last valid data is still served')
  t.match(said.at(-2), /v2\/brakes\.json:1:2 expected/)
})

test('with watch, data whose parent goes and comes back are served again, and the log says so', async t => {
  const data = join(t.testdir(), 'sites/own/data')
  cpSync(valid, data, { recursive: true })
  const { said, get, brand } = await serve(t, data, { watch: true })
  for (const [index, parent] of [dirname(data), dirname(dirname(data))].entries()) {
    renameSync(parent, `${parent}-away`)
    await until(() => said.at(-1) === '1 error in the data; the last valid data is still served')
    t.match([said.at(-2), (await get(list)).statusCode], [/data is missing; /, 200], parent)
    renameSync(`${parent}-away`, parent)
    writeFileSync(join(data, 'v1/saddles.json'), saddlesOf(data, `Brand ${index}`))
    await until(async () => await brand() === `Brand ${index}`)
    t.match(said.at(-1), /^the data was reloaded: digest [\da-f]{12}$/, parent)
  }
})

test('with watch, an overlay that is removed as a whole has no records any more, and comes back', async t => {
  const data = copyData(t)
  const overlay = `${data}-overlay`
  const write = (brand: string) => {
    mkdirSync(join(overlay, 'v1'), { recursive: true })
    writeFileSync(join(overlay, 'v1/saddles.json'), saddlesOf(data, brand))
  }
  write('Laid over')
  const { said, brand } = await serve(t, data, { watch: true, overlay })
  t.equal(await brand(), 'Laid over')
  rmSync(overlay, { recursive: true })
  await until(async () => await brand() === 'Make')
  t.match(said.at(-1), /^the data was reloaded/)
  write('Back')
  await until(async () => await brand() === 'Back')
})

test('with watch, an edit is served although other files never rest', async t => {
  const { data, said, brand, edit } = await serve(t, undefined, { watch: true })
  const files = ['own.log', 'v1/own.log', otherImage].map(name => join(data, name))
  const timer = setInterval(() => files.forEach(file => appendFileSync(file, 'x')), 20)
  edit('Edited')
  await until(async () => await brand() === 'Edited')
  clearInterval(timer)
  t.match(said.at(-1), /^the data was reloaded/)
})

const layouts: Readonly<Record<string, (data: string) => string>> = {
  'the directory is a link': data => data,
  'its folders are links into ..data, as Kubernetes mounts them': data => {
    mkdirSync(data)
    for (const name of ['v1', 'v2', 'media']) symlinkSync(`..data/${name}`, join(data, name))
    return join(data, '..data')
  }
}

for (const [title, linkOf] of Object.entries(layouts)) {
  test(`a load reads one version although a link is swapped and the old version is removed: ${title}`, async t => {
    const folder = t.testdir()
    const data = join(folder, 'data')
    const link = linkOf(data)
    let count = 0
    swap()
    const { server, said, get } = await serve(t, data)
    const digest = async () => ((await get('/readyz')).json() as { data: { digest: string } }).data.digest
    const first = await digest()
    swap()
    await server.reload()
    const digests = [first, await digest()]
    t.not(...digests as [string, string])
    for (let round = 0; round < 60; round++) {
      const reloaded = server.reload()
      for (let turn = 0; turn < round; turn++) await new Promise(resolve => setImmediate(resolve))
      swap()
      await reloaded
      t.ok(digests.includes(await digest()), `swapped after ${round} turns of the event loop`)
    }
    t.strictSame(said.filter(line => !line.startsWith('the data was reloaded')), [])

    /** Makes another version that differs in each folder, has the link lead to it, and removes the one before. */
    function swap (): void {
      const version = join(folder, `version-${++count}`)
      cpSync(valid, version, { recursive: true })
      writeFileSync(join(version, 'v1/saddles.json'), saddlesOf(valid, `Brand ${count % 2}`))
      const saddles = readFileSync(join(valid, 'v2/saddles.json'), 'utf8')
      writeFileSync(join(version, 'v2/saddles.json'), saddles.replace('240', `24${count % 2}`))
      if (count % 2 === 0) rmSync(join(version, 'media/full/bikes/swift.webp'))
      symlinkSync(version, `${link}-next`)
      renameSync(`${link}-next`, link)
      rmSync(join(folder, `version-${count - 1}`), { recursive: true, force: true })
    }
  })
}

test('with watch, clients must revalidate, and an image that is replaced, added or removed is seen', async t => {
  const { data, get } = await serve(t, undefined, { watch: true, tokens: ['mine'] })
  const others = [`${list}?format=api`, image, '/', '/docs/', '/openapi.json', '/favicon.ico']
  for (const url of [list, '/api/v1/bikes/', ...others]) {
    const { statusCode, headers: { 'cache-control': control } } = await get(url)
    t.match([statusCode, control], [200, /^(private, )?no-cache$/], url)
  }
  t.equal((await get('/api/v1/')).headers['cache-control'], 'no-store')
  const old = await get(image)
  cpSync(join(data, otherImage), join(data, image))
  await until(async () => (await get(image)).headers.etag !== old.headers.etag)
  t.strictSame((await get(image)).rawPayload, (await get(otherImage)).rawPayload)
  mkdirSync(join(data, 'media/own/deep'), { recursive: true })
  cpSync(join(data, otherImage), join(data, 'media/own/deep/new.jpg'))
  await until(async () => (await get('/media/own/deep/new.jpg')).statusCode === 200)
  rmSync(join(data, 'media/own'), { recursive: true })
  await until(async () => (await get('/media/own/deep/new.jpg')).statusCode === 404)
})

test('with watch, an edit of a file is seen without a look at each image, which takes a slow mount long', async t => {
  const data = copyData(t)
  let looks = 0
  const { stat } = promises
  const stats = t.intercept(promises, 'stat', {
    value: (file: string) => {
      if (file === join(data, image)) looks++
      return stat(file)
    }
  })
  syncBuiltinESMExports()
  t.teardown(() => {
    stats.restore()
    syncBuiltinESMExports()
  })
  const begun = performance.now()
  const { brand, edit } = await serve(t, data, { watch: true })
  for (const name of ['First', 'Second', 'Third']) {
    edit(name)
    await until(async () => await brand() === name)
  }
  const most = 1 + Math.floor((performance.now() - begun) / 2_000)
  t.ok(looks >= 1 && looks <= most, `${looks} of at most ${most}`)
})

test('with watch, a look that is under way when the server closes has no effect', async t => {
  let end = (_state: string) => {}
  const look = new Promise<string>(resolve => { end = resolve })
  await new Promise<void>(resolve => {
    const stop = watchFiles(() => {
      setImmediate(() => {
        stop()
        end('changed')
        setImmediate(resolve)
      })
      return look
    }, 'loaded', () => t.fail('the data was read again'))
  })
  t.equal(await look, 'changed')
})

test('with watch, invalid data is logged with their place, and the last valid ones stay', async t => {
  const { data, server, said, brand } = await serve(t, undefined, { watch: true })
  const before = await brand()
  const file = join(data, 'v1/saddles.json')
  const good = readFileSync(file, 'utf8')
  writeFileSync(file, good.replace('"brand": "Make"', '"brand": 7').replace('"model": "One"', '"model": 8'))
  await until(() => said.includes('2 errors in the data; the last valid data is still served'))
  t.match(said.slice(-3), [
    /v1\/saddles\.json:8:16 saddles\[0\]\.brand \(id 1\) must be a string, got 7$/,
    /v1\/saddles\.json:9:16 saddles\[0\]\.model \(id 1\) must be a string, got 8$/,
    /2 errors/
  ])
  t.equal(await brand(), before)
  writeFileSync(file, good.replace('"brand": "Make"', '\n"brand": 7'))
  await until(() => said.includes('1 error in the data; the last valid data is still served'))
  t.match(said.slice(-2), [/saddles\.json:9:10 /, /1 error/])
  writeFileSync(join(data, 'own.json'), '{}')
  writeFileSync(file, good)
  await until(() => said.at(-1)?.startsWith('the data was reloaded') === true)
  t.match(said.slice(-2), [/own\.json is not served/, /^the data was reloaded: digest [\da-f]{12}, unchanged$/])
  await server.reload()
  t.equal(said.filter(line => line.includes('is not served')).length, 1, 'a warning is logged once')
})

test('reloads that are requested at once are one, and none is lost; of many errors only some are logged', async t => {
  const { data, server, said, brand, edit } = await serve(t)
  const first = server.reload()
  await new Promise(resolve => setImmediate(resolve))
  edit('Later')
  await Promise.all([first, server.reload(), server.reload()])
  t.equal(await brand(), 'Later')
  t.match(said, [/^the data was reloaded/, /^the data was reloaded/])
  t.equal(said.length, 2)
  const wrong = { version: 1, updated: '2026-01-01T00:00:00Z', brakes: Array(30).fill(1) }
  writeFileSync(join(data, 'v1/brakes.json'), JSON.stringify(wrong))
  await server.reload()
  t.match(said.slice(-2), [/^… and \d+ more$/, /^\d+ errors in the data; the last valid data is still served$/])
  t.equal(said.length, 2 + 22)
})

const ofTokens: readonly [text: string | undefined, message: string | RegExp, statuses: number[]][] = [
  ['one,two', 'reloaded: 2 tokens, the token secret', [200, 200, 200]],
  ['two', 'reloaded: 1 token, the token secret', [401, 200, 200]],
  [undefined, /; keeping the last tokens, token secret, certificate and rules$/, [401, 200, 200]],
  ['# two\n', 'reloaded: 0 tokens, the token secret', [401, 401, 200]],
  ['two', 'reloaded: 1 token, the token secret', [401, 200, 200]],
  ['', /; keeping the last tokens/, [401, 200, 200]],
  ['a b', /; keeping the last tokens/, [401, 200, 200]]
]

test('a reload reads the files of tokens anew and says so; one that cannot be read changes nothing', async t => {
  const folder = t.testdir({ tokens: 'one', secret: 's'.repeat(32) })
  const tokensFile = join(folder, 'tokens')
  const read = () => readOptions({ tokensFile, tokenSecretFile: join(folder, 'secret'), data: valid }, { port: 0 })
  const { server, said } = await serve(t, valid, read(), read)
  const statusOf = async (token: string) => {
    const headers = { authorization: `Token ${token}` }
    return (await server.app.inject({ url: '/api/v2/bikes/?page=1', headers })).statusCode
  }
  const tokens = ['one', 'two', server.app.tokens.issue()]
  t.strictSame(await Promise.all(tokens.map(statusOf)), [200, 401, 200])
  for (const [text, message, statuses] of ofTokens) {
    if (text === undefined) rmSync(tokensFile)
    else writeFileSync(tokensFile, text)
    await server.reload()
    t.match(said.slice(-2), [message, /^the data was reloaded/], String(text))
    t.strictSame(await Promise.all(tokens.map(statusOf)), statuses, String(text))
  }
  t.match(said.at(-3), /tokens: line 1 contains a space$/)
})

test('data that cannot be put in place leave the last ones, and the error is logged', async t => {
  const said: string[] = []
  const note = (message: string) => said.push(message)
  const current = { ...createLiveCatalogue(catalogue), replace: () => Promise.reject(new Error('no memory')) }
  const app = { settings: defaultSettings, logger: { info: note, warn: note, error: note } }
  await createReload(app as unknown as FastifyInstance, current, () => defaultSettings)()
  t.strictSame(said, ['the data could not be reloaded; the last valid data is still served: no memory'])
})

test('requests under way see one catalogue or the other', async t => {
  const { server, edit } = await serve(t)
  const [answers, texts] = [new Set<string>(), new Set<string>()]
  const over = new AbortController()
  const asking = (async () => {
    while (!over.signal.aborted) answers.add(await (await fetch(server.url + list)).text())
  })()
  for (const brand of ['A', 'B', 'C']) {
    edit(brand)
    await server.reload()
    texts.add((await server.app.inject(list)).body)
  }
  over.abort()
  await asking
  const [first] = answers
  for (const answer of answers) t.ok(answer === first || texts.has(answer), answer)
})
