import { test } from 'tap'
import { preferenceNames, preferences } from '../../src/simulation/preferences.ts'
import { build } from '../helper.ts'
import { simulated } from '../simulation/simulated.ts'

const path = '/api/v1/saddles/'
const unescape = (text: string) => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))

/** The links and the commands of the fold. */
function trialsIn (page: string): { links: string[], commands: string[] } {
  const [, fold = ''] = /<details class="try-it">([^]*?)<\/details>/.exec(page) ?? []
  const all = (pattern: RegExp) => [...fold.matchAll(pattern)].map(([, text = '']) => unescape(text))
  return { links: all(/<li><a href="([^"]*)"/g), commands: all(/<pre data-copy="the command for [a-z-]+&#61;[^"]+">([^<]*)<\/pre>/g) }
}

test('GET ?format=api of a simulating server: a link for every value of every preference, and a command for the first', async t => {
  const { app } = await simulated(t, { rateLimit: false })
  const { links, commands } = trialsIn((await app.inject(`${path}?ordering=x&format=api`)).body)
  const all = preferenceNames.flatMap(name => [...preferences[name].values.keys()].map((value, index) => [name, value, index] as const))
  t.equal(links.length, all.length)
  t.equal(commands.length, preferenceNames.length)
  for (const [name, value, index] of all) {
    const link = links.shift() ?? ''
    const command = index === 0 ? commands.shift() : undefined
    const [prefer = `${name}=${value}`] = /(?<=Prefer: )[^']*/.exec(command ?? '') ?? []
    if (command !== undefined) t.ok(command.endsWith(` 'http://localhost:80${path}?ordering=x'`), command)
    if (name === 'delay' || name === 'fault') {
      t.equal(prefer, `${name}=${value}`)
      t.equal(link, `${path}?ordering=x&format=${name === 'fault' ? 'json' : 'api'}&__${prefer}`)
      continue
    }
    const [byLink, byHeader] = [await app.inject(link), await app.inject({ url: path, headers: { prefer } })]
    t.match(byLink.headers, { 'preference-applied': prefer, 'content-type': 'text/html' })
    t.equal(byHeader.headers['preference-applied'], prefer)
    t.equal(byLink.statusCode, byHeader.statusCode)
  }
  const v2 = trialsIn((await app.inject({ url: '/api/v2/bikes/?format=api', headers: { authorization: 'Token ci' } })).body)
  t.match(v2.commands[0], '"Authorization: Token $TOKEN"')
})

/** The links of the fold. */
const linksIn = (page: string) => [...(/<details class="try-it">[^]*?<\/details>/.exec(page)?.[0] ?? '').matchAll(/href="([^"]*)"/g)].map(([, link = '']) => unescape(link))

/** The request line, the header fields, the command and the line on the simulation that a page shows. */
function shownIn (page: string) {
  const part = (pattern: RegExp) => unescape(pattern.exec(page)?.[1] ?? '').replace(/<[^>]+>/g, '')
  const fields = [...page.matchAll(/<dt>([A-Za-z-]+)<\/dt><dd>(.*?)<\/dd>/g)].map(([, name = '', value = '']) => [name.toLowerCase(), unescape(value)])
  return {
    line: part(/<p class="ask"><code>(.*?)<\/code>/), fields: Object.fromEntries(fields) as Record<string, string>, command: part(/data-copy="the command">(.*?)<\/pre>/),
    json: part(/href="([^"]*)">Open the JSON/), simulated: part(/(<p class="simulated">.*?)<\/p>/), plain: part(/<p class="simulated">.*href="([^"]*)"/)
  }
}

const lists: [query: string, prefer: string, simulated: string][] = [
  ['?ordering=x&__example=odd', '', 'Simulated: example=odd. Show the plain list'],
  ['?__example=random&__seed=3&ordering=x', '', 'Simulated: example=random, seed=3. Show the plain list'],
  ['?ordering=x', 'example=one', 'Simulated: example=one. Show the plain list'],
  ['?ordering=x&__delay=1', 'example=empty', 'Simulated: delay=1, example=empty. Show the plain list']
]

test('the page of a simulated list shows the request as sent, its headers, and the way to the plain list', async t => {
  const { app } = await simulated(t, { rateLimit: false })
  for (const [query, prefer, text] of lists) {
    const { body, headers } = await app.inject({ url: `${path}${query}&format=api`, headers: prefer === '' ? {} : { prefer } })
    const sent = query.replace(/&?(__\w+=\w+)/g, '').replace('?&', '?') + [...query.matchAll(/&?(__\w+=\w+)/g)].map(([, field]) => `&${field}`).join('')
    const shown = shownIn(body)
    t.equal(shown.simulated, text)
    t.equal(shown.plain, `${path}?ordering=x&format=api`)
    t.equal(shown.line, `GET ${path}${sent}`)
    t.equal(shown.command, `curl ${prefer && `-H 'Prefer: ${prefer}' `}'http://localhost:80${path}${sent}'`)
    t.equal(shown.json, `${path}${sent}&format=json`)
    const json = await app.inject({ url: path + sent, headers: prefer === '' ? {} : { prefer } })
    for (const name of ['cache-control', 'preference-applied', 'vary', 'content-length', 'etag']) t.equal(shown.fields[name], String(json.headers[name]), name)
    t.equal(shown.fields['preference-applied'], headers['preference-applied'])
  }
  t.equal(shownIn((await app.inject(`${path}?format=api&ordering=x`)).body).simulated, '')
})

test('the page of an error of a list shows its simulation and others to try; a rule leads to the rules', async t => {
  const { app } = await simulated(t, { rateLimit: false })
  const failed = await app.inject(`${path}?__code=503&ordering=x&format=api`)
  t.match(shownIn(failed.body), {
    simulated: 'Simulated: code=503. Show the plain list', plain: `${path}?ordering=x&format=api`, line: `GET ${path}?ordering=x&__code=503`, fields: { 'preference-applied': 'code=503', 'retry-after': '1' }
  })
  t.equal(linksIn(failed.body)[0], `${path}?ordering=x&format=api&__code=400`)
  t.same(linksIn(failed.body), linksIn((await app.inject(`${path}?ordering=x&format=api`)).body))
  const commands = [...unescape(failed.body).matchAll(/curl -H 'Prefer: ([^']+)'/g)].map(([, prefer]) => prefer)
  t.same(commands, ['code=400', 'code=429, retry-after=5', 'delay=2000', 'example=empty', 'example=random, seed=7', 'fault=reset'])
  const preferred = await app.inject({ url: path, headers: { accept: 'text/html', prefer: 'code=500' } })
  t.match(shownIn(preferred.body), { command: `curl -H 'Prefer: code=500' 'http://localhost:80${path}'`, fields: { vary: 'Accept, Prefer' } })
  for (const url of [`${path}?page=99&format=api`, '/api/v2/bikes/?format=api']) t.ok(linksIn((await app.inject(url)).body).length > 5, url)
  t.same(linksIn((await app.inject('/api/v1/nothing/?format=api')).body), [])
  for (const [rule, query, text] of [[{ code: 503 }, '&page=1', 'Rule 1 answers every request with 503. This page and its links show the plain list. Simulation'], [{ example: 'odd', headers: { 'x-drift': 'a' } }, '', 'Rule 2 answers every request with example=odd, headers=x-drift. This page and its links show the plain list. Simulation']] as const) {
    await app.inject({ method: 'POST', url: '/__simulate', payload: { path, ...rule } })
    const { body, headers } = await app.inject(`${path}?format=api${query}`)
    t.match(shownIn(body), { simulated: text, fields: { 'cache-control': 'public, max-age=300' } }, 'the page only tells what the list will get')
    t.equal(headers['cache-control'], 'no-store')
  }
})

test('GET /docs/ of a simulating server lists the preferences; without simulation only the home page mentions it, with its command', async t => {
  const { body } = await (await simulated(t)).app.inject('/docs/')
  for (const text of ['<a href="#simulation">', ...preferenceNames.map(name => `<dt><code>${name}</code>`)]) t.match(body, text)
  const app = await build(t)
  for (const url of ['/docs/', `${path}?format=api`]) t.notMatch((await app.inject(url)).body, /simulat|Try an error|__code/, url)
  t.match((await app.inject('/')).body, /href="#fail">Make it fail[^]*npx bicycle-catalogue --simulate</)
})

test('records of an example have no link to the JSON of another record', async t => {
  const { app } = await simulated(t, { rateLimit: false })
  const addressesIn = async (query: string) => {
    const { body } = await app.inject(`${path}?format=api&${query}`)
    return [...unescape(body).matchAll(/<a href="([^"]*)">JSON<span/g)].map(([, address]) => address)
  }
  for (const example of ['odd', 'random', 'empty']) t.same(await addressesIn(`__example=${example}`), [], example)
  t.same(await addressesIn('__example=one'), [`${path}?format=api&page=1&page_size=1#json`])
  const last = (await addressesIn('page=2&page_size=3&__delay=1')).at(-1) ?? ''
  t.equal(last, `${path}?format=api&page=6&page_size=1#json`)
  t.match((await app.inject(last)).body, 'Page 6 of ')
})
