import { test } from 'tap'
import { build } from '../helper.ts'
import { checkConformance, type Seen } from './conformance.ts'

const path = '/api/v1/brakes/'

/** Changes of a valid response, each with the message of its error. */
const wrong: [change: Partial<Seen>, message: string][] = [
  [{ body: '[{"id":1,"brand":"x"}]' }, 'model'],
  [{ body: '[{"id":1,"brand":"x","model":"y","more":1}]' }, 'additional'],
  [{ body: '{"detail":"Not found."}' }, 'body'], [{ status: 304 }, 'a body where none belongs'],
  [{ status: 201 }, 'no such status'], [{ method: 'PUT' }, 'no such status'],
  [{ headers: { vary: undefined } }, 'no header Vary'], [{ headers: { allow: 'GET' } }, 'header Allow: GET'],
  [{ headers: { 'x-ratelimit-limit': 'many' } }, 'header X-RateLimit-Limit: many'],
  [{ headers: { 'content-type': 'application/json; charset=utf-8' } }, 'content type application/json; charset=utf-8'],
  [{ headers: { 'content-type': 'text/html; charset=utf-8' } }, 'a page that is none'],
  [{ headers: { 'content-type': 'text/html' } }, 'content type text/html']
]

test('a response that differs from the document is an error', async t => {
  const app = await build(t)
  const { statusCode: status, headers, body } = await app.inject(path)
  const right: Seen = { method: 'GET', path, status, headers, body }
  t.doesNotThrow(() => checkConformance(right))
  t.doesNotThrow(() => checkConformance({ ...right, path: '/else/', body: '' }), 'an address that is not described')
  for (const [change, message] of wrong) {
    t.throws(() => checkConformance({
      ...right, ...change, headers: { ...headers, ...change.headers }
    }), { message }, message)
  }
})
