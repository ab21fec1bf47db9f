// npm install --save-dev ./bicycle-catalogue-1.0.0.tgz vitest; npx vitest run
import { start, type Server } from 'bicycle-catalogue'
import type { DetailedBike, Page } from 'bicycle-catalogue/schemas'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let server: Server
beforeAll(async () => {
  server = await start({ tokens: ['ci'], paginate: 'always', simulate: true })
})
afterEach(() => {
  const requests = server.requests()
  server.reset() // before the assertion, so that a failed test leaves no rules behind
  expect(requests.flatMap(({ advice }) => advice)).toEqual([]) // the rules of the contract that your client breaks
})
afterAll(() => server.close())

const headers = { Authorization: 'Token ci' }

test('a filter applies to a page, and the page links to the next one', async () => {
  const response = await fetch(`${server.url}/api/v2/bikes/?category=road&page_size=5`, { headers })
  const { count, next, results } = await response.json() as Page<DetailedBike>
  expect(results).toHaveLength(Math.min(5, count))
  expect(results.every(({ category }) => category.slug === 'road')).toBe(true)
  expect(next).toContain('page=2')
})
