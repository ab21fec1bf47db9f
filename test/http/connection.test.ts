import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'tap'
import { answerUnparsable } from '../../src/http/connection.ts'
import { readRaw } from '../helper.ts'

for (const [code, status] of [['ERR_HTTP_REQUEST_TIMEOUT', 408], ['HPE_HEADER_OVERFLOW', 431], ['HPE_INVALID_METHOD', 400]] as const) {
  test(`${code} is answered ${status}, once`, async t => {
    const socket = new PassThrough()
    answerUnparsable({ code }, socket as unknown as Socket)
    answerUnparsable({ code }, socket as unknown as Socket)
    t.match(readRaw(await text(socket)), { status, body: /^\{"detail":".+\."\}$/ })
  })
}

for (const code of ['ECONNRESET', 'ERR_SSL_HTTP_REQUEST']) {
  test(`a connection that failed with ${code} is closed without an answer`, t => {
    const socket = new PassThrough()
    answerUnparsable({ code }, socket as unknown as Socket)
    t.ok(socket.destroyed)
    t.equal(socket.read(), null)
    t.end()
  })
}
