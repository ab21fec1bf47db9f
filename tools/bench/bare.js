import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import { pino } from 'pino'

// The minimal Fastify server that sends recorded responses: the same bytes and the same headers.
const recorded = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const answers = new Map(recorded.answers.map(({ target, headers, body }) => [target, { headers, body: Buffer.from(body, 'base64') }]))
const { notModified } = recorded
const paths = new Set([...answers.keys()].map(target => target.split('?')[0]))

// With a log: Fastify's own, in pino's fastest configuration, with buffered lines and a worker thread.
const isLogged = process.argv[3] === 'log'
const app = Fastify({ logger: isLogged && { stream: pino.destination({ dest: 2, minLength: 2 ** 13, sync: false }) } })
const answer = (request, reply) => {
  if (request.headers['if-none-match'] !== undefined) return reply.code(304).headers(notModified).send()
  const { headers, body } = answers.get(request.url)
  return reply.headers(headers).send(body)
}
for (const path of paths) app.get(path, answer)
const url = await app.listen({ port: 0, host: '127.0.0.1' })
console.log(JSON.stringify({ url }))
