import { readFileSync } from 'node:fs'
import rateLimit from '@fastify/rate-limit'
import Fastify from 'fastify'

// What a Fastify engineer would write to send recorded responses: the same bytes and headers, behind a rate limit. Its arguments: the file
// of the responses, and the host.
const [, , file, host] = process.argv
const recorded = JSON.parse(readFileSync(file, 'utf8'))
const answers = new Map(recorded.answers.map(({ target, coding, headers, body }) => [coding + target, { headers, body: Buffer.from(body, 'base64') }]))
const { notModified } = recorded
const paths = new Set(recorded.answers.map(({ target }) => target.split('?')[0]))

const app = Fastify()
await app.register(rateLimit, { max: 1_000_000 })
const answer = (request, reply) => {
  if (request.headers['if-none-match'] !== undefined) return reply.code(304).headers(notModified).send()
  const { headers, body } = answers.get((request.headers['accept-encoding'] ?? '') + request.url)
  return reply.headers(headers).send(body)
}
for (const path of paths) app.get(path, answer)
await app.listen({ port: 0, host })
console.log(JSON.stringify({ url: `http://127.0.0.1:${app.server.address().port}` }))
