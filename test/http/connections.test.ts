import { EventEmitter, once } from 'node:events'
import { request as httpRequest, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test, type Test } from 'tap'
import { createConnections } from '../../src/http/connections.ts'

/** Makes a server and what a client needs of it; `/slow` is answered when the gate opens, `/never` not, `/big` with 32 MiB, anything else with itself. */
async function start (t: Test, { maxBytes, now }: { maxBytes?: number, now?: () => number } = {}) {
  const gate = new EventEmitter()
  const connections = createConnections(undefined, maxBytes, now)
  const answer: RequestListener = ({ url }, response) => {
    if (url === '/slow') gate.once('open', () => response.end('late'))
    else if (url !== '/never') response.end(url === '/big' ? Buffer.alloc(2 ** 25) : url)
    gate.emit('asked')
  }
  const server = connections.serve(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })

  /** Opens a connection that sends something; gives both of its ends, and all that it receives before it is closed. */
  async function open (text = '') {
    const accepted = once(server, 'connection') as Promise<[Socket]>
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    const closed = once(socket.on('error', () => {}), 'close')
    const [served] = await accepted
    if (text !== '') socket.write(text)
    const received = async () => {
      let all = ''
      socket.setEncoding('latin1').on('data', (chunk: string) => { all += chunk })
      await closed
      return all
    }
    return { socket, served, received }
  }
  return { connections, server, gate, open }
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`

test('a client that takes nothing for a minute is closed', async t => {
  const { connections, server, gate, open } = await start(t)
  const asked = once(gate, 'asked')
  const { served } = await open(get('/big'))
  await asked
  connections.relieve()
  t.equal(served.timeout, 60_000)
  server.emit('timeout', served)
  await once(served, 'close')
  t.ok(served.destroyed)
})

test('a client that waits for a slow answer is not closed', async t => {
  const { connections, server, gate, open } = await start(t)
  const { served, received } = await open(get('/slow').replace('Host', 'Connection: close\r\nHost'))
  await once(gate, 'asked')
  connections.relieve()
  t.notOk(served.timeout)
  server.emit('timeout', served)
  setImmediate(() => gate.emit('open'))
  t.match(await received(), /late$/)
})

test('what arrives while a connection times out is answered', async t => {
  const { server, gate, open } = await start(t)
  const { socket, served } = await open()
  const asked = once(gate, 'asked')
  setTimeout(() => {
    socket.write(get('/'))
    server.emit('timeout', served)
  })
  await asked
  t.notOk(served.destroyed)
})

test('of clients that hold too much memory those go that have taken nothing for longest', async t => {
  let time = 0
  const { connections, gate, open } = await start(t, { maxBytes: 3 * 2 ** 25 - 1, now: () => time })
  const idle = await open()
  const clients: Socket[] = []
  for (const at of [1, 2, 3]) {
    time = at
    const asked = once(gate, 'asked')
    clients.push((await open(get('/big'))).served)
    await asked
    connections.relieve()
  }
  t.strictSame(clients.map(({ destroyed }) => destroyed), [true, false, false])
  t.notOk(idle.served.destroyed)
})

test('who had nothing to take until now has not taken nothing for long', async t => {
  let time = 0
  const { connections, gate, open } = await start(t, { maxBytes: 2 * 2 ** 25 - 1, now: () => time })
  const waiting = await open()
  const ask = async (write: () => unknown) => {
    const asked = once(gate, 'asked')
    await write()
    await asked
  }
  let reading: Socket | undefined
  time = 1
  await ask(async () => { reading = (await open(get('/big'))).served })
  time = 2
  connections.relieve()
  time = 3
  connections.relieve()
  await ask(() => waiting.socket.write(get('/big')))
  connections.relieve()
  t.strictSame([reading?.destroyed, waiting.served.destroyed], [true, false])
})

test('a connection that was reset gets no answer', async t => {
  const { connections, server, gate, open } = await start(t)
  const { served } = await open()
  Object.defineProperty(served, 'remoteAddress', { value: undefined })
  let isAsked = false
  gate.on('asked', () => { isAsked = true })
  server.emit('request', { socket: served }, new EventEmitter())
  t.equal(isAsked, false)
  t.strictSame(connections.count(), { open: 1, answering: 0 })
})

test('only the first callback of a connection is called, when all of its requests are answered', async t => {
  const { connections, gate, open } = await start(t)
  const { served } = await open(get('/slow'))
  await once(gate, 'asked')
  const calls: number[] = []
  const settled = new Promise<void>(resolve => connections.afterAnswers(served, () => {
    calls.push(1)
    resolve()
  }))
  connections.afterAnswers(served, () => calls.push(2))
  t.strictSame(calls, [])
  gate.emit('open')
  await settled
  t.strictSame(calls, [1])
  const other = await open()
  connections.afterAnswers(other.served, () => calls.push(3))
  t.strictSame(calls, [1, 3])
  other.socket.destroy()
  await once(other.served, 'close')
  connections.afterAnswers(other.served, () => calls.push(4))
  t.strictSame(calls, [1, 3])
})

test('a callback is called once, whatever becomes of a request whose body is still to come', async t => {
  const { connections, gate, open } = await start(t)
  const asked = new Promise<void>(resolve => gate.once('asked', () => gate.once('asked', resolve)))
  const { socket, served } = await open(`${get('/slow')}POST /never HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf`)
  await asked
  let calls = 0
  const called = new Promise<void>(resolve => connections.afterAnswers(served, () => { calls++; resolve() }))
  t.equal(calls, 0)
  gate.emit('open')
  await called
  socket.destroy()
  await new Promise(resolve => served.once('close', resolve))
  t.equal(calls, 1)
})

test('a drain answers all that has arrived, and the last answer of a connection announces its end', async t => {
  const { connections, gate, open } = await start(t)
  const idle = await open(get('/kept'))
  await once(idle.socket, 'readable')
  const slow = await open(get('/slow'))
  await once(gate, 'asked')
  const drained = connections.drain.begin()
  t.equal(connections.drain.isBegun, true)
  const several = await open(get('/1') + get('/2') + get('/3'))
  const answers = (await several.received()).split(/(?<=^\/\d)/m)
  t.strictSame(answers.map(answer => /connection: (.+)\r/i.exec(answer)?.[1]), ['keep-alive', 'keep-alive', 'close'])
  t.match(answers.map(answer => answer.at(-1)), ['1', '2', '3'])
  t.match(await idle.received(), /\/kept$/)
  gate.emit('open')
  t.match(await slow.received(), /late$/)
  await drained
  t.strictSame(connections.count(), { open: 0, answering: 0 })
})

test('twenty kept connections that never pause lose nothing in a drain', async t => {
  const { connections, server, gate } = await start(t)
  const { port } = server.address() as AddressInfo
  const results = { answered: 0, lost: 0, refused: 0 }
  const clients = Array.from({ length: 20 }, () => new Promise<void>(resolve => {
    const ask = () => httpRequest({ port, path: '/x' }, response => response.resume().once('end', () => {
      results.answered++
      gate.emit('answered')
      ask()
    })).once('error', (error: NodeJS.ErrnoException) => {
      results[error.code === 'ECONNREFUSED' ? 'refused' : 'lost']++
      resolve()
    }).end()
    ask()
  }))
  while (results.answered < 500) await once(gate, 'answered')
  await connections.drain.begin()
  await Promise.all(clients)
  t.strictSame({ ...results, answered: 0 }, { answered: 0, lost: 0, refused: 20 })
})
