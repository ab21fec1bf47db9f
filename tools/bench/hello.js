import Fastify from 'fastify'

// A bare Fastify process, the baseline of start-up and memory.
const app = Fastify()
app.get('/', async () => ({ hello: 'world' }))
const url = await app.listen({ port: 0, host: '127.0.0.1' })
console.log(JSON.stringify({ url }))
