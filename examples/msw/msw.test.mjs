// npm install --save-dev msw@2 ./bicycle-catalogue-0.5.0.tgz; node --test
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { start } from 'bicycle-catalogue'
import { http } from 'msw'
import { setupServer } from 'msw/node'

const origin = 'https://bikes.example.org' // of the client, in which nothing changes

const catalogue = await start({ publicUrl: origin, tokens: ['ci'], rateLimit: false, simulate: true })
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
after(async () => { worker.close(); await catalogue.close() })

test('a client of the real service gets the catalogue', async () => {
  const { next } = await (await fetch(`${origin}/api/v1/bikes/?page=1`)).json()
  assert.equal(next, `${origin}/api/v1/bikes/?page=2`)
  catalogue.simulate({ path: '/api/v2/bikes/', code: 500, times: 1 })
  const headers = { Authorization: 'Token ci' }
  const responses = [await fetch(`${origin}/api/v2/bikes/`, { headers }), await fetch(`${origin}/api/v2/bikes/`, { headers })]
  assert.deepEqual(responses.map(({ status }) => status), [500, 200])
  assert.deepEqual(catalogue.requests().flatMap(({ advice }) => advice), []) // what the client does wrong by the contract
})
