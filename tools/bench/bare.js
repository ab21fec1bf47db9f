import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import { pino } from 'pino'

// The minimal Fastify server that sends recorded responses: the same bytes and the same headers.
const recorded = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const answers = new Map(recorded.answers.map(({ target, headers, body }) => [target, { headers, body: Buffer.from(body, 'base64') }]))
const { path, notModified } = recorded

// With a log: Fastify's own, in pino's fastest configuration, with buffered lines and a worker thread.
const isLogged = process.argv[3] === 'log'
const app = Fastify({ logger: isLogged && { stream: pino.destination({ dest: 2, minLength: 2 ** 13, sync: false }) } })
app.get(path, (request, reply) => {
  if (request.headers['if-none-match'] !== undefined) return reply.code(304).headers(notModified).send()
  const answer = answers.get(request.url)
  if (answer === undefined) return reply.callNotFound()
  return reply.headers(answer.headers).send(answer.body)
})
const url = await app.listen({ port: 0, host: '127.0.0.1' })
console.log(JSON.stringify({ url }))
