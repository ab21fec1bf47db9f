import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'tap'
import { createLogger } from '../../src/http/log.ts'
import { createClientErrorHandler } from '../../src/http/server.ts'
import { readRaw } from '../helper.ts'

for (const [code, status] of [['ERR_HTTP_REQUEST_TIMEOUT', 408], ['HPE_HEADER_OVERFLOW', 431], ['HPE_INVALID_METHOD', 400]] as const) {
  test(`${code} is answered ${status}, once, and logged by its code`, async t => {
    const lines: string[] = []
    const handle = createClientErrorHandler(createLogger('info', { write: line => lines.push(line) }))
    const socket = new PassThrough() as unknown as Socket
    handle(Object.assign(new Error(code), { code }), socket)
    handle(Object.assign(new Error(code), { code }), socket)
    t.match(readRaw(await text(socket)), { status, body: /^\{"detail":".+\."\}$/ })
    t.match(lines.map(line => JSON.parse(line) as object), [{ status, msg: `unparsable request: ${code}` }])
  })
}

test('a connection that failed is closed without a response or a log line', async t => {
  for (const code of ['ECONNRESET', 'ERR_SSL_HTTP_REQUEST']) {
    const socket = new PassThrough()
    createClientErrorHandler(createLogger('info', { write: line => t.fail(line) }))(Object.assign(new Error(code), { code }), socket as unknown as Socket)
    t.same([socket.destroyed, socket.read()], [true, null], code)
  }
})
