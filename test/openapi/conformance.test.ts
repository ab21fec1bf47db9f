import { test } from 'tap'
import { build } from '../helper.ts'
import { checkConformance, type Seen } from './conformance.ts'

const path = '/api/v1/brakes/'

/** What a wrong answer has in place of the right one's, and how it is told. */
const wrong: [change: Partial<Seen>, told: string][] = [
  [{ body: '[{"id":1,"brand":"x"}]' }, 'model'],
  [{ body: '[{"id":1,"brand":"x","model":"y","more":1}]' }, 'additional'],
  [{ body: '{"detail":"Not found."}' }, 'body'],
  [{ status: 201 }, 'no such status'],
  [{ method: 'PUT' }, 'no such status'],
  [{ status: 304 }, 'a body where none belongs'],
  [{ headers: { vary: undefined } }, 'no header Vary'],
  [{ headers: { allow: 'GET' } }, 'header Allow: GET'],
  [{ headers: { 'x-ratelimit-limit': 'many' } }, 'header X-RateLimit-Limit: many'],
  [{ headers: { 'content-type': 'application/json; charset=utf-8' } }, 'content type application/json; charset=utf-8'],
  [{ headers: { 'content-type': 'text/html; charset=utf-8' } }, 'a page that is none'],
  [{ headers: { 'content-type': 'text/html' } }, 'content type text/html']
]

test('an answer that is not as the document says is told', async t => {
  const app = await build(t)
  const { statusCode: status, headers, body } = await app.inject(path)
  const right: Seen = { method: 'GET', path, status, headers, body }
  t.doesNotThrow(() => checkConformance(right))
  t.doesNotThrow(() => checkConformance({ ...right, path: '/else/', body: '' }), 'an address that is not described')
  for (const [change, told] of wrong) {
    t.throws(() => checkConformance({ ...right, ...change, headers: { ...headers, ...change.headers } }), { message: told }, told)
  }
})
