import {
  cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync
} from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { test } from 'tap'
import { resources } from '../../src/lists/resources.ts'
import { dataDirectory } from '../../src/package.ts'
import { writeCatalogue } from '../../src/command/generate.ts'
import { valid } from '../catalogue/changed.ts'
import { catalogue } from '../helper.ts'
import { assertSameBytes, freeDirectory, pullFrom, run, serve, serveData, token } from './pulled.ts'
import '../limit.ts'

const queries = [
  '', '?ordering=-title', '?ordering=brand_name', '?ordering=-brand_name', '?page=1&page_size=7',
  '?page=last&ordering=title', '?indent=2&page=1'
]

const detailedQueries = [
  '?ordering=-price,rating', '?ordering=-review_count', '?search=road&ordering=year',
  '?rating__gte=4&page=1', '?weight_kg__lte=9', '?brand=Shimano,Trek', '?is_electronic=true',
  '?date_added__gte=2024-01-01', '?wheel_brand=Mavic'
]

function targetsOf (keys?: readonly string[]): string[] {
  const lists = resources.filter(({ key }) => keys?.includes(key) ?? true)
  return lists.flatMap(({ path, access }) => {
    const own = access === 'token' ? [...queries, ...detailedQueries] : queries
    return own.map(query => path + query)
  })
}

const openLists = resources.filter(({ access }) => access === 'public').map(({ key }) => key)

for (const paginate of ['on-request', 'always'] as const) {
  test(`data pulled from our own server with --paginate ${paginate} are served as the same bytes`, async t => {
    const first = await serveData(t, dataDirectory, { paginate })
    const { url } = first
    const { directory, parent } = freeDirectory(t)
    const { code, stdout, stderr } = await run([url, directory, '--token', token])
    t.equal(code, 0)
    const counts = resources.map(({ key }) => `${catalogue[key].length} ${key}`).join(', ')
    t.match(stdout, `${counts.replace('bikesV2', 'bikes of version 2.1')} in `)
    t.match(stdout, `requests\nThey are in ${directory}. Serve them:\n\n  `)
    t.match(stderr, /^48 bikes need about \d+ requests: \d+ s at 5 a second \(--rate\)\.\n50 requests\n/)
    t.match(stderr, new RegExp(`^images left at ${url}/media/: \\d+ \\(--images downloads them\\)\n$`, 'm'))
    t.strictSame([readdirSync(parent), readdirSync(directory)], [['data'], ['recording.json', 'v1', 'v2']])
    t.match(JSON.parse(readFileSync(join(directory, 'recording.json'), 'utf8')), {
      url: `${url}/`, recorded: /Z$/, lists: { bikes: { responses: { '': { body: [/^[[{]/] } } } }
    })
    await assertSameBytes(t, url, directory, targetsOf())
  })
}

test('images are fetched into the same places, and served from them', async t => {
  const first = await serveData(t, valid)
  const { directory, ...result } = await pullFrom(t, first.url, ['--token', token, '--images'])
  t.match(result, { code: 0, stdout: /, 5 images in \d+ requests$/m })
  t.match(readFileSync(join(directory, 'v2/bikes.json'), 'utf8'), /^\[\n\{.*\},\n\{.*\}\n\]\n$/, 'a record a line')
  t.match(JSON.parse(readFileSync(join(directory, 'recording.json'), 'utf8')), { media: `${first.url}/media/` })
  await assertSameBytes(t, first.url, directory, targetsOf())
  for (const file of [
    'bikes/swift.jpg',
    ...['avif', 'jpg', 'png', 'webp'].map(ending => `full/bikes/swift.${ending}`)
  ]) {
    t.strictSame(readFileSync(join(directory, 'media', file)), readFileSync(join(valid, 'media', file)), file)
  }
})

test('nothing is written where nothing has changed; images are replaced with the lists, or not at all', async t => {
  const { url } = await serveData(t, valid)
  const { directory } = await pullFrom(t, url, ['--token', token, '--images'])
  const filesIn = () => readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ name, parentPath }) => {
      const { mtimeMs } = statSync(join(parentPath, name))
      return [name, readFileSync(join(parentPath, name), 'latin1'), mtimeMs]
    })
  const before = filesIn()
  const args = [url, directory, '--token', token, '--images', '--overwrite']
  t.match(await run(args), { code: 0 })
  t.same(filesIn(), before)

  const image = join(directory, 'media/bikes/swift.jpg')
  const current = readFileSync(image)
  writeFileSync(image, 'old')
  const stop = new AbortController()
  const stopped = await serve(t, ({ url = '' }, response) => {
    if (!url.startsWith('/media/')) return false
    const isFirst = url.endsWith('/bikes/swift.jpg') && !url.includes('full')
    if (isFirst) response.writeHead(200, { 'content-type': 'image/jpeg' }).end(current)
    else stop.abort()
    return true
  })
  const { code, stderr } = await run([stopped.url, ...args.slice(1)], { signal: stop.signal })
  t.same([code, readFileSync(image, 'utf8')], [2, 'old'])
  t.match(stderr, /stopped; the directory was not written\n$/)
  t.match(await run(args), { code: 0 })
  t.same(readFileSync(image), current)
})

test('a service below a path; the token is sent with requests of version 2.1 only', async t => {
  const { url, requests } = await serve(t, request => {
    request.url = String(request.url).replace(/^\/shop\//, '/')
    return false
  })
  t.match(await pullFrom(t, `${url}/shop`, ['--token', token, '--images']), {
    code: 0, stdout: /^2 bikes, 1 featured, 1 wheels/
  })
  const authorised = requests.filter(({ authorization }) => authorization !== undefined)
  const withToken = authorised.map(({ url, authorization }) => `${url.split('?')[0]} ${authorization}`)
  t.strictSame([...new Set(withToken)], [
    `/shop/api/v2/bikes/ Token ${token}`, '/shop/api/v2/bikes/ Token verify-has-no-such-token'
  ])
  t.same(requests.filter(({ url }) => !/^\/shop\/(?:api|media)\//.test(url)), [])
})

test('any catalogue that is generated is served as it was', async t => {
  const wanted = fc.record({
    bikes: fc.integer({ min: 1, max: 30 }),
    seed: fc.integer({ min: 0, max: 1000 }),
    paginate: fc.constantFrom('always' as const, 'on-request' as const),
    flags: fc.constantFrom(['--token', token], [])
  })
  await fc.assert(fc.asyncProperty(wanted, async ({ bikes, seed, paginate, flags }) => {
    const [original, { directory, parent }] = [join(t.testdir({}), 'original'), freeDirectory(t)]
    mkdirSync(original)
    await writeCatalogue(dataDirectory, original, { bikes, seed })
    const first = await serveData(t, original, { paginate })
    t.match(await run([first.url, directory, ...flags]), { code: 0 })
    t.strictSame(readdirSync(parent).sort(), ['data', 'original'])
    await assertSameBytes(t, first.url, directory, targetsOf(flags.length > 0 ? undefined : openLists))
  }), { numRuns: 4 })
})

test('an existing directory is refused before any request; --overwrite replaces its recording only', async t => {
  const { url, requests } = await serve(t, () => false)
  const { directory, parent } = freeDirectory(t)
  cpSync(valid, directory, { recursive: true })
  const refused = async (...args: string[]) => {
    const { code, stdout, stderr } = await run([url, ...args])
    t.strictSame([code, stdout], [2, ''])
    return stderr
  }
  t.equal(await refused(directory), `${directory} already exists (--overwrite replaces the recording in it)\n`)
  t.equal(
    await refused(directory, '--overwrite'),
    `${directory} has data in the built-in format, which a recording does not replace\n`
  )
  t.match(
    await refused(join(directory, 'v1/bikes.json', 'data')), /v1\/bikes\.json is not a directory: create it first\n$/
  )
  t.match(await refused(join(parent, 'nowhere', 'data')), /nowhere is not a directory: create it first\n$/)
  t.match(await refused(join(directory, 'v1/bikes.json'), '--overwrite'), /v1\/bikes\.json is not a directory\n$/)
  symlinkSync(join(parent, 'nowhere'), join(parent, 'link'))
  t.match(await refused(join(parent, 'link')), /link is a link to a missing directory: create that first\n$/)
  rmSync(join(parent, 'link'))
  t.equal(requests.length, 0)

  rmSync(directory, { recursive: true })
  t.match(await run([url, directory, '--images', '--token', token]), { code: 0 })
  const others = ['.git/x', 'notes.md', 'v1/notes.md', 'media/notes.txt']
  for (const name of others) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), 'own')
  }
  t.match(await run([url, directory, '--overwrite']), { code: 0 })
  t.strictSame(readdirSync(parent), ['data'])
  t.strictSame(readdirSync(directory).sort(), ['.git', 'media', 'notes.md', 'recording.json', 'v1', 'v2'])
  t.notOk(existsSync(join(directory, 'v2/bikes.json')), 'a list that this pull has not read')
  for (const name of others) t.equal(readFileSync(join(directory, name), 'utf8'), 'own', name)
  await assertSameBytes(t, url, directory, targetsOf(['bikes']))
  t.ok(existsSync(join(directory, 'media/bikes/swift.jpg')))

  const before = requests.length
  t.match(await run([url, directory, '--overwrite', '--lists', 'brakes']), { code: 0, stdout: /^1 brakes in / })
  t.ok(requests.slice(before).every(({ url }) => url.startsWith('/api/v1/brakes/')))
  await assertSameBytes(t, url, directory, targetsOf(['bikes', 'brakes']))
  const other = await serve(t, () => false)
  t.match(await run([other.url, directory, '--overwrite', '--lists', 'brakes']), {
    code: 2, stderr: `${directory} has lists of ${url}/: pull all lists\n`
  })
  writeFileSync(join(directory, 'recording.json'), '{}')
  t.match(await run([url, directory, '--overwrite', '--lists', 'brakes']), {
    code: 2, stderr: `${directory} has lists of an unknown service: pull all lists\n`
  })
  writeFileSync(join(directory, 'recording.json'), '{')
  t.match(
    await refused(directory, '--overwrite', '--lists', 'brakes'),
    /recording\.json is invalid, .*: pull all lists again with --overwrite\n$/
  )
  t.match(await run([url, directory, '--overwrite']), { code: 0 })
  t.match(JSON.parse(readFileSync(join(directory, 'recording.json'), 'utf8')), { version: 1, url: `${url}/` })
})

test('arguments', async t => {
  const cases = [
    [[], /^pull takes a URL and a directory/],
    [['http://127.0.0.1'], /^pull takes a URL and a directory/],
    [['http://127.0.0.1', 'a', 'b'], /^pull takes a URL and a directory/],
    [['127.0.0.1', 'a'], /^the URL must be an http or https URL/],
    [['http://user@127.0.0.1', 'a'], /^the URL must be an http or https URL/],
    [['http://127.0.0.1', 'a', '--token', 'a b'], /^--token must be a token in ASCII without spaces\n/],
    [['http://127.0.0.1', 'a', '--lists', 'bikesV2'], /^the lists of version 2\.1 need --token/],
    [
      ['http://127.0.0.1', 'a', '--lists', 'unicycles'],
      /^--lists: unknown list "unicycles"; the lists are bikes, featured, .*\n$/
    ],
    [
      ['http://127.0.0.1', 'a', '--lists', 'brakes,sadles'],
      /^--lists: unknown list "sadles"; did you mean saddles\?\n$/
    ],
    [['http://127.0.0.1', 'a', '--tokens'], /^unknown flag --tokens; did you mean --token\?/]
  ] as const
  for (const [args, stderr] of cases) t.match(await run([...args]), { code: 2, stdout: '', stderr }, args.join(' '))
})

test('five requests a second are sent, or as many as --rate says', async t => {
  const { url, requests } = await serve(t, () => false)
  for (const [flags, least] of [[[], 200], [['--rate', '50'], 20]] as const) {
    const waits: number[] = []
    const wait = async (milliseconds: number) => { waits.push(milliseconds) }
    t.match(await pullFrom(t, url, flags, { limits: { now: () => 0, wait } }), { code: 0 }, String(least))
    const pauses = Array.from({ length: requests.splice(0).length - 1 }, (_, index) => (index + 1) * least)
    t.same(waits, pauses, String(least))
  }
})

test('progress is shown on a terminal, in one line', async t => {
  const { url } = await serve(t, () => false)
  const { stderr } = await pullFrom(t, url, [], { isTTY: true })
  const lines = stderr.split('\r\x1b[K').slice(1)
  t.strictSame(lines.slice(0, 2), ['1 GET /api/v1/bikes/', '2 GET /api/v1/bikes/?page=1'])
  t.strictSame(lines.slice(-1), [`images left at ${url}/media/: 1 (--images downloads them)\n`])
})

test('links without the base path, which a proxy removes, lead to the pages below it', async t => {
  const page = (next: string | null, id: number) => JSON.stringify({ count: 2, next, results: [{ id }] })
  const { url } = await serve(t, (request, response) => {
    const { pathname, searchParams } = new URL(String(request.url), 'http://localhost')
    const isBelow = pathname === '/shop/api/v1/bikes/'
    const isSecond = searchParams.get('page') === '2'
    const body = isSecond ? page(null, 2) : page('/api/v1/bikes/?page=2', 1)
    response.writeHead(isBelow ? 200 : 404, { 'content-type': 'application/json' }).end(isBelow ? body : '{}')
    return true
  })
  const { code, stderr, directory } = await pullFrom(t, `${url}/shop`, ['--lists', 'bikes'])
  t.equal(code, 0, stderr)
  const { app } = await serveData(t, directory)
  t.match((await app.inject('/api/v1/bikes/?page=2')).json(), { next: null, results: [{ id: 2 }] })
})
