import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'tap'
import { createLogger } from '../../src/http/log.ts'
import { createClientErrorHandler } from '../../src/http/server.ts'
import { readRaw } from '../helper.ts'

test('a timeout is answered 408, once, and logged by its code', async t => {
  const lines: string[] = []
  const handle = createClientErrorHandler(createLogger('info', { write: line => lines.push(line) }))
  const socket = new PassThrough() as unknown as Socket
  const error = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  for (let times = 0; times < 2; times++) handle(error, socket)
  t.match(readRaw(await text(socket)), { status: 408, body: '{"detail":"Request timed out."}' })
  t.match(lines.map(line => JSON.parse(line) as object), [{ status: 408, msg: 'unparsable request: ERR_HTTP_REQUEST_TIMEOUT' }])
})

test('a connection that failed is closed without a response or a log line', async t => {
  for (const code of ['ECONNRESET', 'ERR_SSL_HTTP_REQUEST']) {
    const socket = new PassThrough()
    createClientErrorHandler(createLogger('info', { write: line => t.fail(line) }))(Object.assign(new Error(code), { code }), socket as unknown as Socket)
    t.same([socket.destroyed, socket.read()], [true, null], code)
  }
})
