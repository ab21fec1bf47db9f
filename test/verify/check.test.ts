import { test } from 'tap'
import type { HttpRequest, Send } from '../../src/client/client.ts'
import { withCache } from '../../src/verify/check.ts'

test('each request is sent once, unless the bodies are over 64 MB in all: then the oldest is sent again', async t => {
  const sent: string[] = []
  const send: Send = async request => {
    sent.push(request.target)
    return { request, status: 200, headers: {}, body: Buffer.alloc(30 * 2 ** 20) }
  }
  const cached = withCache(send)
  const get = (target: string): HttpRequest => ({ method: 'GET', target, headers: {} })
  for (const target of ['/a', '/b', '/b', '/c', '/a']) t.equal((await cached(get(target))).request.target, target)
  t.same(sent, ['/a', '/b', '/c', '/a'])
})
