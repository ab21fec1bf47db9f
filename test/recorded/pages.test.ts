import fc from 'fast-check'
import { test, type Test } from 'tap'
import { serve as serveOn } from '../helper.ts'
import { habits, respond, usual, type Habits } from '../pull/habits.ts'
import { freeDirectory, run, serveData, token } from '../pull/pulled.ts'

const lists = { bikes: '/api/v1/bikes/', saddles: '/api/v1/saddles/', bikesV2: '/api/v2/bikes/' }

const queries = [
  '', 'page=0', 'page=1', 'page=2', 'page=3', 'page=9', 'page=last',
  'page=1&page_size=2', 'page=2&page_size=2', 'page_size=2', 'offset=3', 'limit=2&offset=3',
  'ordering=title', 'ordering=-title', 'ordering=title&page=2', 'ordering=-brand&page=2', 'ordering=x',
  'brand=apple', 'search=pear', 'search=pear&page=2', 'per_page=3', 'x=1'
]

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' }

const unescape = (html: string) => html.replace(/&(?:#(\d+)|(\w+));/g, (_, code: string | undefined, name = '') => {
  return code ? String.fromCodePoint(Number(code)) : entities[name] ?? ''
})

/** Returns the JSON that a browsable page shows. */
function shownIn (html: string): string {
  const [, shown = ''] = /<pre tabindex="0"[^>]*data-copy="the JSON"[^>]*>([^]*?)<\/pre>/.exec(html) ?? []
  return unescape(shown.replace(/<[^>]*>/g, ''))
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text.trim()
  }
}

/** Returns the queries of a recording of which the browsable page shows another response than its JSON. */
async function differences (t: Test, own: Habits): Promise<string[]> {
  const url = await serveOn(t, (request, response) => {
    const isIn = request.headers.authorization === `Token ${token}`
    const target = new URL(String(request.url), `http://${request.headers.host}`)
    const { status, headers, body } = respond(own, target, isIn, request.method)
    response.writeHead(status, headers).end(body)
  })
  const { directory } = freeDirectory(t)
  const flags = ['--token', token, '--rate', '100000', '--lists', Object.keys(lists).join()]
  const { code, stderr } = await run([url, directory, ...flags])
  if (code !== 0) return [stderr]
  const { app, close } = await serveData(t, directory)
  const headers = { host: new URL(url).host, authorization: `Token ${token}` }
  const found: string[] = []
  for (const path of Object.values(lists)) {
    for (const query of queries) {
      const target = `${path}?${query}`
      const json = await app.inject({ url: target, headers })
      const page = await app.inject({ url: `${target}&format=api`, headers })
      if (json.statusCode >= 400 && page.statusCode === json.statusCode) continue
      const shown = shownIn(page.body)
      const isSame = JSON.stringify(parse(json.body)) === JSON.stringify(parse(shown))
      if (isSame) continue
      const pair = [`${json.statusCode} ${json.body.slice(0, 300)}`, `${page.statusCode} ${shown.slice(0, 300)}`]
      found.push(`${target}: ${pair.join(' | ')}`)
    }
  }
  await close()
  return found
}

const runs = Number(process.env['HABIT_RUNS'] ?? 4)

test('a browsable page of a recording shows the response of its JSON, for any mixture of habits', async t => {
  t.setTimeout(runs * 20_000)
  const values = Object.entries(habits).map(([name, values]) => [name, fc.constantFrom<unknown>(...values)] as const)
  const any = fc.record(Object.fromEntries(values)) as fc.Arbitrary<Habits>
  await fc.assert(fc.asyncProperty(any, async own => {
    const found = await differences(t, { ...own, network: usual.network })
    if (found.length > 0) throw new Error(found.join('\n'))
  }), { numRuns: runs, examples: [[{ ...usual, fields: 'fewer in orders' }]] })
})
