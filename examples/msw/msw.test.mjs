// npm install --save-dev msw@2 ./bicycle-catalogue-1.0.0.tgz; node --test
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { start } from 'bicycle-catalogue'
import { http } from 'msw'
import { setupServer } from 'msw/node'

const origin = 'https://bikes.example.org' // the origin that your client already uses

const catalogue = await start({ publicUrl: origin, tokens: ['ci'], simulate: true })
const worker = setupServer(http.all(`${origin}/*`, async ({ request }) => {
  const { statusCode, headers, rawPayload } = await catalogue.app.inject({
    method: request.method,
    url: request.url.slice(origin.length),
    headers: Object.fromEntries(request.headers),
    payload: await request.text()
  })
  return new Response(statusCode === 304 ? null : rawPayload, { status: statusCode, headers })
}))
before(() => worker.listen({ onUnhandledRequest: 'error' }))
afterEach(() => {
  const requests = catalogue.requests()
  catalogue.reset() // before the assertion, so that a failed test leaves no rules behind
  assert.deepEqual(requests.flatMap(({ advice }) => advice), []) // the rules of the contract that your client breaks
})
after(async () => {
  worker.close()
  await catalogue.close()
})

test('a client of the real service gets the catalogue', async () => {
  const { next } = await (await fetch(`${origin}/api/v1/bikes/?page=1`)).json()
  assert.equal(next, `${origin}/api/v1/bikes/?page=2`)
})

test('a rule fails the next request, once', async () => {
  catalogue.simulate({ path: '/api/v2/bikes/', code: 500, times: 1 })
  const headers = { Authorization: 'Token ci' }
  assert.equal((await fetch(`${origin}/api/v2/bikes/`, { headers })).status, 500)
  assert.equal((await fetch(`${origin}/api/v2/bikes/`, { headers })).status, 200)
})
