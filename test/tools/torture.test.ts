import { createServer } from 'node:net'
import { test } from 'tap'
import { converse } from '../../tools/torture/converse.ts'
import { errorsOf } from '../../tools/torture/judge.ts'
import { createAnswerReader, FramingError } from '../../tools/torture/wire.ts'
import { corsHeaders } from '../../src/http/headers.ts'
import { resources } from '../../src/lists/resources.ts'
import { listen } from '../helper.ts'

const exposed = corsHeaders['access-control-expose-headers']
const head = 'HTTP/1.1 200 OK\r\n'
const good = `${head}Content-Length: 2\r\n\r\n[]`

function statuses (text: string, method: string): number[] {
  const reader = createAnswerReader()
  const found: number[] = []
  for (const byte of Buffer.from(text, 'latin1')) {
    reader.push(Buffer.of(byte))
    for (let answer = reader.take(method); answer !== undefined; answer = reader.take(method)) found.push(answer.status)
  }
  return found
}

test('answers are read strictly, however they come in pieces', async t => {
  t.same(statuses(good + good, 'GET'), [200, 200])
  t.same(statuses(`HTTP/1.1 100 Continue\r\n\r\n${good}`, 'GET'), [200])
  t.same(statuses(`${head}Content-Length: 9\r\n\r\n`.repeat(2), 'HEAD'), [200, 200])
  const responses = 'HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n'
  t.same(statuses(responses, 'GET'), [304, 204])
  const wrong = [
    'HTTP/2 200 OK\r\n\r\n', 'nonsense\r\n\r\n', `${head}\r\n`, `${head}Content-Length: 1\r\nContent-Length: 1\r\n\r\n`,
    `${head}Content-Length: -1\r\n\r\n`,
    `${head}Transfer-Encoding: chunked\r\n\r\n`,
    `${head}Content-Length : 1\r\n\r\n`,
    `${head}X: a\nb\r\n\r\n`, `${head}X:a\r\n\r\n`,
    'HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n', `[]${good}`, 'x'.repeat(70_000)
  ]
  for (const text of wrong) t.throws(() => statuses(text, 'GET'), FramingError, text.slice(0, 60))
})

const request = { method: 'GET', target: '/', text: 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', closes: false }

test('what is missing, cut off or too much in a conversation is an error', async t => {
  const cases: [sent: string, error: string | undefined][] = [
    [good + good, undefined],
    [`${head}Content-Length: 2\r\nConnection: close\r\n\r\n[]`, undefined],
    [good, 'the end instead of answer 2'],
    [good + good.slice(0, -1), 'the end in the middle of answer 2'],
    [`${good}${good}more`, '4 bytes that belong to no response'],
    ['', 'the end instead of answer 1'],
    ['HTTP/1.1 200 OK\r\n\r\n', 'no Content-Length on 200']
  ]
  for (const [sent, error] of cases) {
    const server = createServer(socket => socket.once('data', () => socket.end(sent)).on('error', () => {}))
    t.equal((await converse(await listen(t, server), [request, request])).error, error, JSON.stringify(sent))
  }
})

const judged = { ...request, resource: resources[0], origin: 'http://bikes.test' }
const fields = {
  'content-type': 'application/json',
  vary: 'Accept',
  allow: 'GET, HEAD, OPTIONS',
  'cache-control': 'public, max-age=120',
  date: 'x',
  etag: '"a"',
  'last-modified': 'Thu, 01 Jan 1970 00:00:00 GMT',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposed
}

test('a response that the document does not describe is an error', async t => {
  for (const [change, errors] of [
    [{}, []],
    [{ headers: { 'set-cookie': 'a=b', vary: '*', etag: '"c"' } }, [/cookie/, /Vary/]],
    [
      { headers: { etag: '"b"' }, body: '{"count":0,"next":"http://evil.test/","previous":null,"results":[]}' },
      [/somewhere else/]
    ],
    [
      {
        headers: { 'content-type': 'text/html; charset=utf-8' },
        body: '<!DOCTYPE html><b7q">\n    at x (node:internal/y:1:2)'
      },
      [/unescaped text/, /stack/]
    ]
  ] as const) {
    const { headers, body = '[]' } = { headers: {}, body: '[]', ...change }
    const allHeaders = new Map(Object.entries({ ...fields, ...headers }))
    const found = errorsOf(judged, { status: 200, headers: allHeaders, body: Buffer.from(body) })
    t.match(found, errors, body)
    t.equal(found.length, errors.length, found.join())
  }
})
