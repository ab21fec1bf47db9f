const url = process.env.CATALOGUE

const get = path => fetch(url + path, { headers: { Authorization: 'Token ci' } })
const rules = (method, rule) => fetch(`${url}/__simulate`, {
  method,
  headers: rule && { 'Content-Type': 'application/json' },
  body: JSON.stringify(rule)
})

afterEach(async () => {
  const { requests } = await (await rules('GET')).json()
  await rules('DELETE') // before the assertion, so that a failed test leaves no rules behind
  expect(requests.flatMap(({ advice }) => advice)).toEqual([]) // the rules of the contract that your client breaks
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
