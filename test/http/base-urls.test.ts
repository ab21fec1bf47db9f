import { test } from 'tap'
import { basesIn, baseReplacer } from '../../src/http/base-urls.ts'

const hosts = Array.from({ length: 40 }, (_, index) => `http://h${index}.test`)

const links: readonly [text: string, bases: readonly string[]][] = [
  ['{"next":"https://a.test/api/v1/bikes/?page=2"}', ['https://a.test']],
  [
    String.raw`"https:\/\/a.test\/shop\/api\/v2\/bikes\/" "http:\u002F\u002Fb.test\u002Fapi\u002fv1\u002fbikes"`,
    ['https://a.test/shop', 'http://b.test']
  ],
  ['HTTP://A.test:80/api/v1/bikes/#top', ['HTTP://A.test:80']],
  ['http:/api/v1/ http:///api/v1/ http://a.test/api/v3/ http://a.test/?/api/v1/', []],
  [hosts.map(host => `${host}/api/v1/`).join(' '), hosts.slice(0, 16)]
]

test('the base URLs of links are found, at most 16', async t => {
  for (const [text, bases] of links) t.same([...basesIn(text)], bases, text.slice(0, 80))
})

/** Returns the seconds of CPU time that a function takes. */
function cpuSeconds (run: () => unknown): number {
  const { user: before } = process.cpuUsage()
  run()
  return (process.cpuUsage().user - before) / 1e6
}

test('hostile text takes linear time', async t => {
  const texts = [
    'http://'.repeat(100_000),
    'http:////'.repeat(80_000),
    'https:\\/\\/a/api/v'.repeat(50_000),
    'http://a b'.repeat(70_000)
  ]
  for (const text of texts) t.ok(cpuSeconds(() => basesIn(text)) < 2, text.slice(0, 30))
  const bases = Array.from({ length: 4000 }, (_, index) => `http://host${index}.test`)
  const replace = baseReplacer(bases)
  const page = bases.map(base => `"${base}/api/v1/bikes/"`).join()
  t.ok(cpuSeconds(() => replace(page, 'http://own')) < 2)
  t.equal(replace('http://host15.test/ http://host16.test/', 'http://own'), 'http://own/ http://host16.test/')
})

test('links are localised whatever the case of their scheme, and only for whole hosts', async t => {
  const replace = baseReplacer(['https://a.test/', 'https://a.test/shop'])
  const text = String.raw`HTTPS://a.test/shop/x https:\/\/a.test\/y#z https://a.test:81/ https://a.testing/`
  t.equal(replace(text, 'http://own'), String.raw`http://own/x http:\/\/own\/y#z https://a.test:81/ https://a.testing/`)
})
