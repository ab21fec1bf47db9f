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
