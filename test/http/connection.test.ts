import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'tap'
import { answerConnect, answerUnparsable } from '../../src/http/connection.ts'
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

test('a connection that failed is closed without an answer', async t => {
  for (const code of ['ECONNRESET', 'ERR_SSL_HTTP_REQUEST']) {
    const socket = new PassThrough()
    answerUnparsable({ code }, socket as unknown as Socket)
    t.same([socket.destroyed, socket.read()], [true, null], code)
  }
})
