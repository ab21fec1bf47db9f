import { stripVTControlCharacters } from 'node:util'
import { test } from 'tap'
import type { Catalogue } from '../../src/catalogue/catalogue.ts'
import { type Started, banner, tokensOf } from '../../src/command/banner.ts'
import { version } from '../../src/package.ts'
import { defaultSettings } from '../../src/settings/settings.ts'

const bikes = [{ is_featured: true }, { is_featured: false }]
const catalogue = { bikes, featured: bikes.slice(0, 1), wheels: [{}], tyres: [], chains: [], groupsets: [], brakes: [], saddles: [], handlebars: [] } as unknown as Catalogue
const url = 'http://127.0.0.1:3000'
const ready = {
  url, port: 3000, metrics: 'http://127.0.0.1:9464/metrics', pid: 7, version, data: '/srv/data', token: 'bct_x'
}
const started: Started = {
  ready,
  reach: { url, lan: ['http://192.168.1.20:3000'], emulator: 'http://10.0.2.2:3000' },
  catalogue,
  note: 'Issued tokens are invalid after a restart; with --token-secret they stay valid.'
}

const expected = `
  bicycle-catalogue ${version}

  http://127.0.0.1:3000          on this machine
  http://192.168.1.20:3000       on this network
  http://10.0.2.2:3000           in the Android emulator
  http://127.0.0.1:9464/metrics  for Prometheus

  Serves 2 bikes, 1 featured, 1 wheels, 0 tyres, 0 chains, 0 groupsets,
  0 brakes, 0 saddles, 0 handlebars
  from /srv/data

  Try
    curl 'http://127.0.0.1:3000/api/v1/bikes/'
    curl 'http://127.0.0.1:3000/api/v1/bikes/?ordering=-title&page=1'
    http://127.0.0.1:3000/api/v1/bikes/?format=api (in a browser)
    curl -H 'Authorization: Token bct_x' 'http://127.0.0.1:3000/api/v2/bikes/?page=1'

  Issued tokens are invalid after a restart; with --token-secret they stay valid.
  Ctrl-C stops it.
`

test('the banner, plain and in colours', async t => {
  t.equal(banner(started, false), expected)
  const coloured = banner(started, true)
  t.not(coloured, expected)
  t.equal(stripVTControlCharacters(coloured), expected)
})

test('the curl lines of a server with TLS work with a self-signed certificate', async t => {
  const text = banner({ ...started, ready: { ...ready, url: 'https://127.0.0.1:3000' } }, false)
  t.equal(text.match(/^ {4}curl --insecure .*'https:\/\/127\.0\.0\.1:3000\/api/gm)?.length, 3)
})

test('the banner of a server that only this machine reaches', async t => {
  const text = banner({ ready: { ...ready, metrics: undefined, token: undefined }, reach: { url, lan: [], emulator: undefined }, catalogue, note: undefined }, false)
  t.notMatch(text, /network|emulator|Prometheus|oken/)
})

test('a token is ready-made where no setting gives any', async t => {
  const tokens = { issue: () => 'bct_x', verify: () => undefined, invalidAfterRestart: true, hasForm: true }
  t.match(tokensOf(tokens, defaultSettings), { token: 'bct_x', note: /invalid after a restart/ })
  t.strictSame(tokensOf(tokens, { ...defaultSettings, tokens: ['mine'] }), {})
  t.strictSame(tokensOf(tokens, { ...defaultSettings, tokensFile: ['mine'] }), {})
  t.strictSame(tokensOf({ ...tokens, invalidAfterRestart: false }, defaultSettings), {})
})
