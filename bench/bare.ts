import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import type { Recorded } from './answers.ts'

// The least that somebody would write with Fastify to send recorded answers: the same bytes and the same headers.
const recorded = JSON.parse(readFileSync(process.argv[2] as string, 'utf8')) as Recorded
const answers = new Map(recorded.answers.map(({ target, headers, body }) => [target, { headers, body: Buffer.from(body, 'base64') }]))
const { path, notModified } = recorded

const app = Fastify()
app.get(path, (request, reply) => {
  if (request.headers['if-none-match'] !== undefined) return reply.code(304).headers(notModified).send()
  const answer = answers.get(request.url)
  if (answer === undefined) return reply.callNotFound()
  return reply.headers(answer.headers).send(answer.body)
})
const url = await app.listen({ port: 0, host: '127.0.0.1' })
console.log(JSON.stringify({ url }))
