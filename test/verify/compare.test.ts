import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'tap'
import { createClient } from '../../src/client/client.ts'
import { compare, readKnown } from '../../src/verify/compare.ts'
import { build } from '../helper.ts'
import { run as pull } from '../pull/pulled.ts'
import { records, when } from './faults.ts'
import { createProxy, type Alter } from './proxy.ts'
import { fewer, listenProxy, run, token } from './results.ts'

const saddles = '/api/v1/saddles/'
const renamed = records(saddles, own => own.map(record => record['id'] === 1 ? { ...record, brand: 'Other' } : record))

/** Changes of a service, and the places that name them: these and no others. */
const changes: ReadonlyArray<readonly [title: string, alter: Alter, places: readonly string[]]> = [
  ['nothing', () => {}, []],
  ['a value', renamed, [`${saddles} record 1 brand`]],
  ['a record added', records(saddles, (own, { query }) => query === '' ? [...own, { id: 999, brand: 'A', model: 'B' }] : own), [`${saddles} record 999`]],
  ['a record removed', records(saddles, own => own.filter(({ id }) => id !== 3)), [`${saddles} record 3`]],
  ['a header', when(({ path }) => path === saddles, ({ headers }) => { headers['vary'] = 'Cookie' }), [`${saddles} response: vary`, `${saddles} ?page=1: vary`]],
  ['a refusal', when(({ status }) => status === 401, exchange => { exchange.status = 403 }),
    ['/api/v2/bikes/ with a missing token: status', '/api/v2/bikes/ with an invalid token: status']],
  ['an order', records('/api/v1/bikes/', own => [...own].reverse(), ({ query }) => query === 'ordering=title'), ['/api/v1/bikes/ order by title']]
]

test('--compare names each change where it is, in every reporter; an unchanged service has none', async t => {
  const proxy = createProxy(await build(t, { tokens: [token] }, fewer))
  const parent = mkdtempSync(join(tmpdir(), 'compare-'))
  t.teardown(() => { rmSync(parent, { recursive: true, force: true }) })
  const directory = join(parent, 'known')
  await pull([await listenProxy(t, proxy(() => {})), directory, '--token', token, '--rate', '100000'])
  const known = await readKnown(directory)
  const options = { rate: 1e5, signal: new AbortController().signal, timeout: 60_000, maxWait: 1000, maxBytes: 2 ** 27 }
  for (const [title, alter, places] of changes) {
    const base = new URL(`${await listenProxy(t, proxy(alter))}/`)
    const send = createClient(base, options)
    const get = ({ pathname, search }: URL, token?: string) =>
      send({ method: 'GET', target: pathname + search, headers: token ? { authorization: `Token ${token}` } : {} })
    const service = { get, base, token, limits: { pages: 400, records: 1e6, arrayBytes: 2 ** 24 }, commandFor: String, warn: () => {} }
    const found = (await compare(service, known, [])).flatMap(({ list, changes }) => changes.map(({ place }) => `${list} ${place}`))
    t.same(found, places, title)
  }
  const url = await listenProxy(t, proxy(renamed))
  const flags = [url, '--token', token, '--compare', directory, '--fail-on', 'difference']
  t.match(await run(flags), { code: 1, stdout: `  ${saddles}\n    record 1 brand: "Fizik" → "Other"\n` })
  t.match(await run([...flags, '--ignore-fields', 'saddles.brand']), { code: 0, stdout: 'No differences from the recording.' })
  t.match((await run([...flags, '--reporter', 'github'])).stdout, `::error title=${saddles}::record 1 brand: "Fizik" → "Other"\n`)
  t.match((await run([...flags, '--reporter', 'junit'])).stdout, `name="${saddles} is as recorded"><failure message="${saddles} is as recorded">record 1 brand`)
})

test('--compare refuses a directory without lists, and a list that is not JSON', async t => {
  const directory = t.testdir({ v1: { 'bikes.json': '[' } })
  t.match(await run(['http://a', '--compare', directory]), { code: 2, stderr: /^--compare: .*bikes\.json: / })
  t.match(await run(['http://a', '--compare', 'test']), { code: 2, stderr: '--compare: test has no recorded list, such as v1/bikes.json\n' })
})
