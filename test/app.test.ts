import { test } from 'tap'
import { buildApp } from '../src/app.ts'
import { defaultSettings } from '../src/settings/settings.ts'
import { brokenCatalogue, catalogue } from './helper.ts'

test('an internal error is logged with its stack; answers only with logRequests and from their level on', async t => {
  for (const settings of [{}, { logRequests: true, logLevel: 'warn' }] as const) {
    const lines: string[] = []
    const app = await buildApp(brokenCatalogue('broken'), { ...defaultSettings, ...settings }, { write: line => lines.push(line) })
    t.teardown(() => app.close())
    await app.inject('/api/v1/bikes/')
    t.equal((await app.inject('/api/v1/wheels/')).statusCode, 500)
    t.match(JSON.parse(lines.join('')), { level: 50, err: { message: 'broken', stack: /at / } })
  }
})

test('a route with schemas validates and serialises', async t => {
  const app = await buildApp(catalogue, { ...defaultSettings, logLevel: 'silent' })
  t.teardown(() => app.close())
  const number = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
  app.post('/twice', { schema: { body: number, response: { 200: number } } }, async ({ body }) => ({ n: 2 * (body as { n: number }).n, m: 1 }))
  t.same((await app.inject({ method: 'POST', url: '/twice', payload: { n: 21 } })).json(), { n: 42 })
  t.equal((await app.inject({ method: 'POST', url: '/twice', payload: { n: 'x' } })).statusCode, 400)
})
