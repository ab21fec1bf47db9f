// npm install --save-dev bicycle-catalogue; node --test
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { start } from 'bicycle-catalogue'

let server
before(async () => { server = await start({ tokens: ['ci'], rateLimit: false }) })
after(() => server.close())

const get = (path, headers = {}) => fetch(server.url + path, { headers })

test('bikes come in the order that was asked for', async () => {
  const titles = (await (await get('/api/v1/bikes/?ordering=-title')).json()).map(({ title }) => title)
  assert.deepEqual(titles, titles.toSorted((a, b) => b.localeCompare(a, 'en', { sensitivity: 'base' })))
})

test('version 2.1 wants a token', async () => {
  assert.equal((await get('/api/v2/bikes/')).status, 401)
  assert.equal((await get('/api/v2/bikes/', { Authorization: 'Token ci' })).status, 200)
})
