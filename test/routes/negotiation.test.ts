import { test } from 'tap'
import { build } from '../helper.ts'

const path = '/api/v1/brakes/'

const requests: [query: string, accept: string | undefined, status: number, type: 'json' | 'html', detail?: string][] = [
  ['', undefined, 200, 'json'],
  ['', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 200, 'html'],
  ['?format=xml', undefined, 404, 'json', 'Not found.'],
  ['?format=api&format=json', undefined, 200, 'json'],
  ['?format=json&format=api', undefined, 200, 'html'],
  ['?format=csv&format=', undefined, 200, 'json'],
  ['?FORMAT=api', undefined, 200, 'json'],
  ['?format=json', 'text/html', 406, 'json', 'Could not satisfy the request Accept header.']
]

test('a list is JSON or a page, by format and Accept', async t => {
  const app = await build(t)
  for (const [query, accept, status, type, detail] of requests) {
    const answer = await app.inject({ url: path + query, headers: accept === undefined ? {} : { accept } })
    const label = `${query} ${accept}`
    t.strictSame([answer.statusCode, answer.headers['content-type']], [status, type === 'json' ? 'application/json' : 'text/html; charset=utf-8'], label)
    t.match(answer.headers, { vary: /^Accept$/, allow: 'GET, HEAD, OPTIONS' }, label)
    if (detail !== undefined) t.equal(answer.body, JSON.stringify({ detail }), label)
    if (type === 'html') t.match(answer.body, /^<!DOCTYPE html>[^]*<h1>Brakes<\/h1>/, label)
  }
})

test('indent writes the JSON on several lines', async t => {
  const app = await build(t)
  const plain = (await app.inject(path)).json<object[]>()
  for (const [accept, indent] of [['application/json; indent=4', 4], ['*/*; indent=99', 8], ['application/json; indent=0', 0]] as const) {
    const { headers, body } = await app.inject({ url: path, headers: { accept } })
    t.strictSame([headers['content-type'], body], ['application/json', JSON.stringify(plain, null, indent)], accept)
  }
  const error = await app.inject({ url: `${path}?format=json&page=0`, headers: { accept: 'application/json; indent=2' } })
  t.equal(error.body, '{\n  "detail": "Invalid page."\n}')
})
