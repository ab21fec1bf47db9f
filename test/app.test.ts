import { test } from 'tap'
import { brokenCatalogue, buildLogged } from './helper.ts'

test('an internal error is logged with its stack; answers only with logRequests and from their level on', async t => {
  for (const settings of [{}, { logRequests: true, logLevel: 'warn' }] as const) {
    const { app, log } = await buildLogged(t, settings, brokenCatalogue('broken'))
    await app.inject('/api/v1/bikes/')
    t.equal((await app.inject('/api/v1/wheels/')).statusCode, 500, JSON.stringify(settings))
    t.match(log, [{ level: 50, err: { message: 'broken', stack: /at / } }], JSON.stringify(settings))
    t.equal(log.length, 1, JSON.stringify(settings))
  }
})

test('a route with schemas validates and serialises', async t => {
  const { app } = await buildLogged(t)
  const number = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
  app.post('/twice', { schema: { body: number, response: { 200: number } } }, async ({ body }) => ({ n: 2 * (body as { n: number }).n, m: 1 }))
  t.same((await app.inject({ method: 'POST', url: '/twice', payload: { n: 21 } })).json(), { n: 42 })
  t.equal((await app.inject({ method: 'POST', url: '/twice', payload: { n: 'x' } })).statusCode, 400)
})
