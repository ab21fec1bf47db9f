import { stripVTControlCharacters } from 'node:util'
import { test } from 'tap'
import type { Catalogue } from '../../src/catalogue/catalogue.ts'
import { banner } from '../../src/command/banner.ts'
import type { Started } from '../../src/command/ready.ts'
import { painter } from '../../src/base/text.ts'
import { resources } from '../../src/lists/resources.ts'
import { version } from '../../src/package.ts'
import { defaultSettings } from '../../src/settings/settings.ts'

const bikes = [{ is_featured: true }, { is_featured: false }]
const filled = { bikes, featured: bikes.slice(0, 1), wheels: [{}] }
const others = resources.filter(({ key, access }) => access === 'public' && !(key in filled))
const empty = Object.fromEntries(others.map(({ key }) => [key, []]))
const catalogue = { ...filled, ...empty } as unknown as Catalogue
const url = 'http://127.0.0.1:3000'
const ready = {
  url, port: 3000, metrics: 'http://127.0.0.1:9464/metrics', pid: 7, version, data: '/srv/data', token: 'bct_x'
}
const started: Started = {
  ready,
  reach: { url, lan: ['http://192.168.1.20:3000'], emulator: 'http://10.0.2.2:3000' },
  catalogue,
  settings: { ...defaultSettings, host: '0.0.0.0', simulate: true, rateLimit: false },
  note: 'Restarting the server invalidates issued tokens. Start with --token-secret to keep them valid.'
}

const plain = `
  bicycle-catalogue ${version}

  Local       http://127.0.0.1:3000/
  Network     http://192.168.1.20:3000/
  Emulator    http://10.0.2.2:3000/
  Simulation  http://127.0.0.1:3000/__simulate
  Reference   http://127.0.0.1:3000/docs/
  Metrics     http://127.0.0.1:9464/metrics

  On          simulation
  Off         reload on change, request log, rate limit, compression
  Data        2 bikes, 1 featured, 1 wheels, ${others.map(({ key }) => `0 ${key}`).join(', ')}
              /srv/data

  curl 'http://127.0.0.1:3000/api/v1/bikes/?page=1'

  TOKEN=bct_x
  curl -H "Authorization: Token $TOKEN" 'http://127.0.0.1:3000/api/v2/bikes/?page=1'

  Restarting the server invalidates issued tokens. Start with --token-secret to keep them valid.
  Press Ctrl+C to stop.
`

test('the banner, plain and in colours', async t => {
  t.equal(banner(started, painter(false)), plain)
  const coloured = banner(started, painter(true))
  t.not(coloured, plain)
  t.equal(stripVTControlCharacters(coloured), plain)
})

test('the banner of a server that only this machine reaches', async t => {
  const text = banner({
    ...started, settings: defaultSettings, ready: { ...ready, data: '/\x1b[2J', metrics: undefined, token: undefined },
    reach: { url, lan: [], emulator: undefined }, note: undefined
  }, painter(false))
  t.notMatch(text, /Emulator|Metrics|oken|__simulate/)
  t.match(text, '\n  Network     start with --host 0.0.0.0\n')
  t.match(text, '/\\u{1b}[2J', 'printable')
})
