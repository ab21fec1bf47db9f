// npm install --save-dev ./bicycle-catalogue-1.0.0.tgz; node --test
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { start } from 'bicycle-catalogue'

let server
before(async () => { server = await start({ tokens: ['ci'], simulate: true }) })
afterEach(() => {
  const requests = server.requests()
  server.reset() // before the assertion, so that a failed test leaves no rules behind
  assert.deepEqual(requests.flatMap(({ advice }) => advice), []) // the rules of the contract that your client breaks
})
after(() => server.close())

const get = (path, headers = {}) => fetch(server.url + path, { headers })

test('bikes are sorted by the requested ordering', async () => {
  const titles = (await (await get('/api/v1/bikes/?ordering=-title')).json()).map(({ title }) => title)
  assert.deepEqual(titles, titles.toSorted((a, b) => b.localeCompare(a, 'en', { sensitivity: 'base' })))
})

test('version 2.1 needs a token', async () => {
  assert.equal((await get('/api/v2/bikes/')).status, 401)
  assert.equal((await get('/api/v2/bikes/', { Authorization: 'Token ci' })).status, 200)
})

test('a client waits and tries again after 503', async () => {
  server.simulate({ path: '/api/v1/bikes/', code: 503, times: 1 })
  const client = async () => { // replace it with your client
    const response = await get('/api/v1/bikes/?page=1')
    if (response.ok) return response.json()
    await setTimeout(1000 * response.headers.get('retry-after'))
    return client()
  }
  assert.ok((await client()).count > 0)
  assert.deepEqual(server.requests().map(({ status }) => status), [503, 200])
})
