import { setImmediate } from 'node:timers/promises'
import Fastify from 'fastify'
import { test } from 'tap'
import { createLiveCatalogue } from '../../src/catalogue/live.ts'
import { createEndpoints, unrouted } from '../../src/http/endpoints.ts'
import { errors, toApiError } from '../../src/http/errors.ts'
import { requests } from '../../src/http/request.ts'
import { parseQuery } from '../../src/http/target.ts'
import { listRoutes } from '../../src/lists/routes.ts'
import { sendError, sendObject } from '../../src/site/responses.ts'
import { defaultSettings } from '../../src/settings/settings.ts'
import { catalogue } from '../helper.ts'

test('asynchronous hooks of a list run before each response, a 405 too', async t => {
  const endpoints = createEndpoints()
  const buildSerializer = () => () => JSON.stringify
  const app = Fastify({
    exposeHeadRoutes: false,
    routerOptions: { querystringParser: parseQuery as (query: string) => never },
    schemaController: { compilersFactory: { buildSerializer } }
  })
  t.teardown(() => app.close())
  app.decorate('settings', defaultSettings)
  await app.register(requests, { endpoints, trusts: () => false })
  await app.register(unrouted, { endpoints, basePath: '' })
  app.setErrorHandler((error, request, reply) => sendError(request, reply, toApiError(error, request)))
  app.addHook('onRegister', scope => {
    scope.addHook('onRequest', async (request, reply) => {
      await setImmediate()
      reply.header('x-hook', 'ended')
      if (request.headers.from !== undefined) throw errors.forbidden()
    })
  })
  const current = createLiveCatalogue(catalogue)
  await app.register(listRoutes, { current, limits: undefined, renderPage: () => '', sendObject })

  const url = '/api/v1/chains/'
  for (const [method, status] of [
    ['GET', 200], ['HEAD', 200], ['OPTIONS', 200], ['POST', 405], ['TRACE', 405]
  ] as const) {
    const headers = { 'content-type': 'application/json' }
    const payload = '{bad'
    const response = await app.inject({ method, url, headers, payload })
    t.match(response, { statusCode: status, headers: { 'x-hook': 'ended' } }, method)
    const forbidden = await app.inject({ method, url, headers: { ...headers, from: 'a' }, payload })
    t.equal(forbidden.statusCode, 403, method)
  }
  const unknown = await app.inject({ method: 'POST', url: `${url}1/` })
  t.match(unknown, { statusCode: 404, headers: { 'x-hook': undefined } })
})
