import { readFileSync } from 'node:fs'
import rateLimit from '@fastify/rate-limit'
import Fastify from 'fastify'

// What a Fastify engineer would write to send recorded responses: the same bytes and headers, behind a rate limit. Its arguments: the file
// of the responses, the host, and the most requests in a minute.
const [, , file, host, max] = process.argv
const answers = JSON.parse(readFileSync(file, 'utf8')).map(({ target, headers, body, ...answer }) => {
  const [[name, value] = []] = Object.entries(headers)
  return { ...answer, url: target, path: target.split('?')[0], name, value, body: Buffer.from(body, 'base64') }
})
const byUrl = new Map()
for (const answer of answers) {
  const ofUrl = byUrl.get(answer.url) ?? byUrl.set(answer.url, []).get(answer.url)
  if (answer.name === undefined) ofUrl.push(answer)
  else ofUrl.unshift(answer)
}
const answerOf = ({ url, headers }) => byUrl.get(url).find(({ name, value }) => name === undefined || headers[name] === value)

const app = Fastify()
await app.register(rateLimit, { max: Number(max) })
const answer = (request, reply) => {
  const { status, own, body } = answerOf(request)
  return reply.code(status).headers(own).send(status === 304 ? undefined : body)
}
app.setErrorHandler((limited, request, reply) => answer(request, reply))
app.setNotFoundHandler(answer)
const routed = answers.filter(({ status }) => status !== 404)
for (const path of new Set(routed.map(({ path }) => path))) {
  const limited = new Set(answers.filter(answer => answer.path === path).map(({ isLimited }) => isLimited))
  const some = { allowList: request => !answerOf(request).isLimited }
  app.get(path, { config: { rateLimit: limited.size === 2 ? some : limited.has(true) && {} } }, answer)
}
await app.listen({ port: 0, host })
console.log(JSON.stringify({ url: `http://127.0.0.1:${app.server.address().port}` }))
