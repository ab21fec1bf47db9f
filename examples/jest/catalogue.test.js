const url = process.env.CATALOGUE

const get = path => fetch(url + path, { headers: { Authorization: 'Token ci' } })
const rules = (method, rule) => fetch(`${url}/__simulate`, {
  method, ...rule && { body: JSON.stringify(rule), headers: { 'Content-Type': 'application/json' } }
})

// What the client did wrong by the contract, such as trying again too early.
afterEach(async () => {
  const { requests } = await (await rules('GET')).json()
  expect(requests.flatMap(({ advice }) => advice)).toEqual([])
  await rules('DELETE')
})

test('a page has the same links in every run', async () => {
  const { count, next } = await (await get('/api/v1/bikes/?page=1')).json()
  expect({ count, next }).toMatchInlineSnapshot(`
{
  "count": 48,
  "next": "http://catalogue.test/api/v1/bikes/?page=2",
}
`)
})

test('a rule fails the next request, once', async () => {
  await rules('POST', { path: '/api/v2/bikes/', code: 500, times: 1 })
  const statuses = [(await get('/api/v2/bikes/?page=1')).status, (await get('/api/v2/bikes/?page=1')).status]
  expect(statuses).toEqual([500, 200])
})
