import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { buildApp } from '../../src/app.ts'
import { run as check } from '../../src/command/check.ts'
import { loadCatalogue } from '../../src/catalogue/load.ts'
import { resources } from '../../src/lists/resources.ts'
import { defaultSettings } from '../../src/settings/settings.ts'
import { sites, skip, startSite, token } from '../django/site.ts'
import { freeDirectory, run } from './pulled.ts'

/** Serves a recording, whose responses need not conform to the OpenAPI document. */
async function serve (t: Test, data: string, settings: object = {}) {
  const app = await buildApp(await loadCatalogue(data), { ...defaultSettings, data, tokens: [token], logLevel: 'silent', rateLimit: false, ...settings })
  t.teardown(() => app.close())
  return app
}

type Page = { results: unknown[], next: string | null }

for (const [title, choices] of Object.entries(sites)) {
  test(`a Django REST framework site is served as it is: ${title}`, { skip }, async t => {
    const { url, lists } = await startSite(t, choices)
    const { directory } = freeDirectory(t)
    t.match(await run([url, directory, '--token', token, '--rate', '1000', '--images']), { code: 0, stderr: /^(?!.*stays an address)/s, stdout: /^\d+ bikes, \d+ featured, .* bikes of version 2\.1, \d+ images/ })
    t.equal(await check([directory], { stdout: { write: () => {} } }), 0)

    const { settings } = JSON.parse(readFileSync(join(directory, 'recording.json'), 'utf8')) as { settings: object }
    const largest = Math.max(...Object.values(lists).map(({ length }) => length))
    const { pageSize } = choices
    t.same(settings, pageSize === undefined ? { paginate: 'on-request' } : { paginate: 'always', pageSize: Math.min(pageSize, largest) })
    const app = await serve(t, directory, settings)
    const below = choices.relative ? '/media/' : new URL(`${url}/media/`).href
    for (const { path, access } of resources) {
      const headers = { host: 'copy.test', ...access === 'token' && { authorization: `Token ${token}` } }
      const theirs: unknown[] = []
      for (let page: string | null = url + path; page !== null;) {
        const value = await (await fetch(page, { headers: { authorization: headers.authorization ?? '' } })).json() as Page | unknown[]
        theirs.push(...Array.isArray(value) ? value : value.results)
        page = Array.isArray(value) ? null : value.next
      }
      const { body } = await app.inject({ url: `${path}?page=1&page_size=100`, headers })
      const ours = (JSON.parse(body) as Page).results
      t.strictSame(JSON.stringify(ours), JSON.stringify(theirs).replaceAll(`"${below}`, '"http://copy.test/media/'), path)
    }
  })
}

test('curl of one list into a folder, served', { skip }, async t => {
  const { url } = await startSite(t, sites['another name of the fitness fields'])
  const saddles = await (await fetch(`${url}/api/v1/saddles/`)).text()
  const { body } = await (await serve(t, t.testdir({ v1: { 'saddles.json': saddles } }))).inject('/api/v1/saddles/')
  t.same(JSON.parse(body), JSON.parse(saddles))
})
