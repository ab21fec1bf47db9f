import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { test } from 'tap'
import { resources } from '../../src/lists/resources.ts'
import { dataDirectory } from '../../src/package.ts'
import { writeCatalogue } from '../../src/generate/command.ts'
import { valid } from '../catalogue/changed.ts'
import { assertSameBytes, freeDirectory, pullFrom, run, serve, serveData, token } from './pulled.ts'

const queries = [
  '', '?ordering=-title', '?ordering=brand_name', '?ordering=-brand_name', '?page=2&page_size=7', '?page=last&ordering=title', '?indent=2&page=1'
]

const detailedQueries = [
  '?ordering=-price,rating', '?ordering=-review_count', '?search=road&ordering=year', '?rating__gte=4&page=1', '?weight_kg__lte=9', '?brand=Shimano,Trek',
  '?is_electronic=true', '?date_added__gte=2024-01-01', '?wheel_brand=Mavic'
]

const targetsOf = (keys: readonly string[] = resources.map(({ key }) => key)) => resources.filter(({ key }) => keys.includes(key))
  .flatMap(({ path, access }) => [...queries, ...access === 'token' ? detailedQueries : []].map(query => path + query))

const openLists = resources.filter(({ access }) => access === 'public').map(({ key }) => key)

for (const paginate of ['on-request', 'always'] as const) {
  test(`data pulled from our own server with --paginate ${paginate} are served as the same bytes`, async t => {
    const first = await serveData(t, dataDirectory, paginate)
    const { url } = first
    const { directory, parent } = freeDirectory(t)
    const { code, stdout, stderr } = await run([url, directory, '--token', token])
    t.equal(code, 0)
    t.match(stdout, '48 bikes, 5 featured, 28 wheels, 22 tyres, 22 chains, 22 groupsets, 13 brakes, 14 saddles, 14 handlebars, 48 bikes of version 2.1 in ')
    t.match(stdout, `requests\nThey are in ${directory}. Serve them:\n\n  `)
    t.match(stderr, new RegExp(`^images left at ${url}/media/: \\d+ \\(--images downloads them\\)\n$`))
    t.strictSame([readdirSync(parent), readdirSync(directory)], [['data'], ['recording.json', 'v1', 'v2']])
    t.match(JSON.parse(readFileSync(join(directory, 'recording.json'), 'utf8')), {
      url: `${url}/`, recorded: /Z$/, lists: { bikes: { paginate, pageSize: 10 } }
    })
    await assertSameBytes(t, url, directory, targetsOf())
  })
}

test('images are fetched into the same places, and served from them', async t => {
  const first = await serveData(t, valid)
  const { directory, ...result } = await pullFrom(t, first.url, ['--token', token, '--images'])
  t.match(result, { code: 0, stdout: /, 5 images in 56 requests$/m, stderr: /^$/ })
  t.equal(readFileSync(join(directory, 'v2/bikes.json'), 'utf8'), (await first.app.inject({ url: '/api/v2/bikes/', headers: { host: new URL(first.url).host, authorization: `Token ${token}` } })).body)
  t.match(JSON.parse(readFileSync(join(directory, 'recording.json'), 'utf8')), { media: `${first.url}/media/` })
  await assertSameBytes(t, first.url, directory, targetsOf())
  for (const file of ['bikes/swift.jpg', ...['avif', 'jpg', 'png', 'webp'].map(ending => `full/bikes/swift.${ending}`)]) {
    t.strictSame(readFileSync(join(directory, 'media', file)), readFileSync(join(valid, 'media', file)), file)
  }
})

test('a service below a path', async t => {
  const { url, requests } = await serve(t, request => {
    request.url = String(request.url).replace(/^\/shop\//, '/')
    return false
  })
  t.match(await pullFrom(t, `${url}/shop`), { code: 0, stdout: /^2 bikes, 1 featured, 1 wheels/ })
  t.ok(requests.every(({ url }) => url.startsWith('/shop/api/v1/')))
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
    const first = await serveData(t, original, paginate)
    t.match(await run([first.url, directory, ...flags]), { code: 0 })
    t.strictSame(readdirSync(parent).sort(), ['data', 'original'])
    await assertSameBytes(t, first.url, directory, targetsOf(flags.length > 0 ? undefined : openLists))
  }), { numRuns: 4 })
})

test('a directory that is there is refused before any request, and --overwrite replaces what a pull writes', async t => {
  const { url, requests } = await serve(t, () => false)
  const { directory, parent } = freeDirectory(t)
  cpSync(valid, directory, { recursive: true })
  const refused = async (...args: string[]) => {
    const { code, stdout, stderr } = await run([url, ...args])
    t.strictSame([code, stdout], [2, ''])
    return stderr
  }
  t.equal(await refused(directory), `${directory} already exists (--overwrite replaces it)\n`)
  t.match(await refused(directory, '--overwrite'), /data is not replaced: it contains v1\/cranksets\.json, which no pull created\n$/)
  t.match(await refused(join(directory, 'v1/bikes.json', 'data')), /v1\/bikes\.json is not a directory: create it first\n$/)
  t.match(await refused(join(parent, 'nowhere', 'data')), /nowhere is not a directory: create it first\n$/)
  t.equal(await refused(join(directory, 'v1/bikes.json')), `${directory}/v1/bikes.json already exists (--overwrite replaces it)\n`)
  t.match(await refused(join(directory, 'v1/bikes.json'), '--overwrite'), /v1\/bikes\.json is a file, which is not replaced\n$/)
  t.match(await refused('/', '--overwrite'), /^\/ is not replaced: it contains \S+, which no pull created\n$/)
  if (existsSync('/dev/shm')) t.match(await refused('/dev/shm', '--overwrite'), '/dev/shm is a mount point, which cannot be replaced: pull into a directory in it\n')
  t.equal(requests.length, 0)

  rmSync(directory, { recursive: true })
  t.match(await run([url, directory, '--images', '--token', token]), { code: 0 })
  t.match(await run([url, directory, '--overwrite']), { code: 0 })
  t.strictSame([readdirSync(parent), readdirSync(directory)], [['data'], ['recording.json', 'v1']])
  for (const name of ['.git/', 'notes.md/', 'v1/notes.md', 'media/.hidden/', 'media/notes.txt', 'media/link -> ..']) {
    const [path = '', target] = name.split(' -> ')
    mkdirSync(join(directory, path.endsWith('/') ? path : dirname(path)), { recursive: true })
    if (target !== undefined) symlinkSync(target, join(directory, path))
    else if (!path.endsWith('/')) writeFileSync(join(directory, path), 'own')
    t.match(await refused(directory, '--overwrite'), `${directory} is not replaced: it contains ${path.replace(/\/$/, '')}, which no pull created\n`)
    rmSync(join(directory, path), { recursive: true })
  }
  symlinkSync('data', join(parent, 'link'))
  t.match(await refused(join(parent, 'link'), '--overwrite'), /link is a link, which is not replaced\n$/)
  rmSync(join(directory, 'recording.json'))
  t.match(await refused(directory, '--overwrite'), `${directory} is not replaced: it has no recording.json, so no pull wrote it\n`)
})

test('arguments', async t => {
  const cases = [
    [[], /^pull takes a URL and a directory/],
    [['http://127.0.0.1'], /^pull takes a URL and a directory/],
    [['http://127.0.0.1', 'a', 'b'], /^pull takes a URL and a directory/],
    [['127.0.0.1', 'a'], /^the URL must be an http or https URL/],
    [['http://user@127.0.0.1', 'a'], /^the URL must be an http or https URL/],
    [['http://127.0.0.1', 'a', '--token', 'a b'], /^--token must be a token in ASCII without spaces\n/],
    [['http://127.0.0.1', 'a', '--rate', '0'], /^--rate must be a number of requests a second, got "0"/],
    [['http://127.0.0.1', 'a', '--tokens'], /^unknown flag --tokens; did you mean --token\?/]
  ] as const
  for (const [args, stderr] of cases) t.match(await run([...args]), { code: 2, stdout: '', stderr }, args.join(' '))
})

test('five requests a second are sent, or as many as --rate says', async t => {
  const { url } = await serve(t, () => false)
  t.intercept(performance, 'now', { value: () => 0 })
  for (const [flags, least] of [[[], 200], [['--rate', '50'], 20]] as const) {
    const waits: number[] = []
    t.match(await pullFrom(t, url, flags, { limits: { wait: async milliseconds => { waits.push(milliseconds) } } }), { code: 0 })
    t.same(waits, Array.from({ length: 20 }, (_, index) => (index + 1) * least))
  }
})

test('progress is shown on a terminal, in one line', async t => {
  const { url } = await serve(t, () => false)
  const { stderr } = await pullFrom(t, url, [], { isTTY: true })
  const lists = ['bikes', 'bikes/featured', 'wheels', 'tyres', 'chains', 'groupsets', 'brakes', 'saddles', 'handlebars']
  t.strictSame(stderr.split('\r\x1b[K').slice(1), [
    ...lists.map((list, index) => `request ${index + 1}: /api/v1/${list}/`),
    ...['bikes/?page=1', 'bikes/?page=1&page_size=1', ...lists.slice(1).map(list => `${list}/?page=1`)].map((target, index) => `request ${index + 10}: /api/v1/${target}`),
    ...['title', '-title'].map((term, index) => `request ${index + 20}: /api/v1/bikes/?ordering=${term}`),
    'checking', `images left at ${url}/media/: 1 (--images downloads them)\n`
  ])
})
