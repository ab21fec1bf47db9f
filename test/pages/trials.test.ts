import { test } from 'tap'
import { preferenceNames, preferences } from '../../src/simulation/preferences.ts'
import { build } from '../helper.ts'
import { simulated } from '../simulation/simulated.ts'

const path = '/api/v1/saddles/'
const unescape = (text: string) => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))

/** The links of the fold, each with the command beside it. */
function trialsIn (page: string): [link: string, command: string][] {
  const [, fold = ''] = /<details class="trials">([^]*?)<\/details>/.exec(page) ?? []
  return [...fold.matchAll(/<li><a href="([^"]*)">[^]*?<pre[^>]*>([^<]*)<\/pre>/g)].map(([, link = '', command = '']) => [unescape(link), unescape(command)])
}

test('GET ?format=api where answers are simulated: a link and a command for every value of every preference', async t => {
  const { app } = await simulated(t, { rateLimit: false })
  const trials = trialsIn((await app.inject(`${path}?ordering=x&format=api`)).body)
  const all = preferenceNames.flatMap(name => [...preferences[name].values.keys()].map(value => [name, value] as const))
  t.equal(trials.length, all.length)
  for (const [index, [name, value]] of all.entries()) {
    const [link = '', command = ''] = trials[index] ?? []
    const [prefer = ''] = /(?<=Prefer: )[^']*/.exec(command) ?? []
    t.ok(command.endsWith(` 'http://localhost:80${path}?ordering=x'`), command)
    if (name === 'delay' || name === 'fault') {
      t.equal(prefer, `${name}=${value}`)
      t.equal(link, `${path}?ordering=x&format=${name === 'fault' ? 'json' : 'api'}&__${prefer}`)
      continue
    }
    const [byLink, byHeader] = [await app.inject(link), await app.inject({ url: path, headers: { prefer } })]
    t.equal(byLink.headers['preference-applied'], prefer)
    t.equal(byHeader.headers['preference-applied'], prefer)
    t.match(byLink.headers['content-type'], 'text/html')
    t.equal(byLink.statusCode, byHeader.statusCode)
  }
  const v2 = trialsIn((await app.inject({ url: '/api/v2/bikes/?format=api', headers: { authorization: 'Token ci' } })).body)
  t.match(v2[0]?.[1], '"Authorization: Token $TOKEN"')
})

test('GET /docs/ where answers are simulated lists the preferences', async t => {
  const { app } = await simulated(t)
  const { body } = await app.inject('/docs/')
  t.match(body, '<a href="#simulation">')
  for (const name of preferenceNames) t.match(body, `<dt><code>${name}</code>`)
})

test('where nothing is simulated no page speaks of it', async t => {
  const app = await build(t)
  for (const url of ['/', '/docs/', `${path}?format=api`]) t.notMatch((await app.inject(url)).body, /simulat|Try an error|__code/, url)
})
