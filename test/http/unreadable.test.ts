import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'tap'
import { answerUnreadable } from '../../src/http/unreadable.ts'
import { readRaw } from '../helper.ts'

const failed = (code?: string) => Object.assign(new Error('failed'), code === undefined ? {} : { code })

test('a client that is too slow is told 408, one whose headers are too long 431, any other 400', async t => {
  for (const [code, status] of [['ERR_HTTP_REQUEST_TIMEOUT', 408], ['HPE_HEADER_OVERFLOW', 431], ['HPE_INVALID_METHOD', 400], [undefined, 400]] as const) {
    const socket = new PassThrough()
    answerUnreadable(failed(code), socket as unknown as Socket)
    t.match(readRaw(await text(socket)), { status, body: /^\{"detail":".+\."\}$/ }, String(code))
  }
})

test('a client that has gone is told nothing', async t => {
  const [reset, ended] = [new PassThrough(), new PassThrough().end()]
  answerUnreadable(failed('ECONNRESET'), reset as unknown as Socket)
  answerUnreadable(failed(), ended as unknown as Socket)
  for (const socket of [reset, ended]) {
    t.ok(socket.destroyed)
    t.equal(socket.read(), null)
  }
})
