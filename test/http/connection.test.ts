import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'tap'
import { createLogger } from '../../src/http/log.ts'
import { answerConnect, answerUnparsable, createClientErrorHandler } from '../../src/http/connection.ts'
import { readRaw } from '../helper.ts'

for (const [code, status] of [['ERR_HTTP_REQUEST_TIMEOUT', 408], ['HPE_HEADER_OVERFLOW', 431], ['HPE_INVALID_METHOD', 400]] as const) {
  test(`${code} is answered ${status}, once`, async t => {
    const socket = new PassThrough() as unknown as Socket
    if (code === 'HPE_INVALID_METHOD') answerConnect({ socket })
    else answerUnparsable({ code }, socket)
    answerUnparsable({ code }, socket)
    t.match(readRaw(await text(socket)), { status, body: /^\{"detail":".+\."\}$/ })
    if (code === 'HPE_INVALID_METHOD') t.ok(socket.emit('error', new Error('reset')), 'an error of a detached connection is ignored')
  })
}

test('a request that does not arrive in time is logged by its code, a failed connection is not logged', async t => {
  const lines: string[] = []
  const handle = createClientErrorHandler(createLogger('info', { write: line => lines.push(line) }))
  for (const code of ['ERR_HTTP_REQUEST_TIMEOUT', 'ECONNRESET']) handle(Object.assign(new Error(code), { code }), new PassThrough() as unknown as Socket)
  t.match(lines.map(line => JSON.parse(line) as object), [{ status: 408, reason: 'ERR_HTTP_REQUEST_TIMEOUT', msg: 'unparsable' }])
  t.equal(lines.length, 1)
})

test('a connection that failed is closed without an answer', async t => {
  for (const code of ['ECONNRESET', 'ERR_SSL_HTTP_REQUEST']) {
    const socket = new PassThrough()
    answerUnparsable({ code }, socket as unknown as Socket)
    t.same([socket.destroyed, socket.read()], [true, null], code)
  }
})
