import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import rateLimit from '@fastify/rate-limit'
import Fastify from 'fastify'

// @fastify/rate-limit with a limit of 25: of 50 pipelined requests, 25 should get 200.
const app = Fastify()
await app.register(rateLimit, { max: 25 })
app.get('/', (_, reply) => reply.send('ok'))
await app.listen({ port: 0 })
const socket = connect(app.server.address().port, '127.0.0.1')
const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
const last = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
socket.write(request.repeat(49) + last)
const responses = await text(socket)
await app.close()
assert.equal(responses.match(/HTTP\/1.1 200/g)?.length ?? 0, 25)
