import { connect, type Socket, type TcpNetConnectOpts } from 'node:net'
import { commonHeaders } from './answers.ts'

/** A load: the same method and headers on a number of keep-alive connections, for a time or a number of requests. */
export type Load = {
  url: string
  /** Returns the target of the n-th request; all bodies must have the same length. */
  target: (n: number) => string
  /** The status of all responses but one in a hundred: a rate limit lets one pass each minute. */
  status: number
  headers?: Readonly<Record<string, string>>
  connections: number
  seconds?: number
  requests?: number
}

/** The number of responses, in all and a second. */
export type Served = { count: number, perSecond: number }

/**
 * Sends requests as fast as the server responds, one at a time on each connection, each from its own loopback address
 * with its own rate limit.
 *
 * The client reads the length of a body where the status changes or a 429 says the seconds, and otherwise only the ends
 * of heads. Autocannon uses two to three times as much CPU on a request, more than the bare route, so it would measure
 * itself; and it counts whole milliseconds only.
 */
export async function load (
  { url, target, status, headers = {}, connections, seconds = Infinity, requests = Infinity }: Load
): Promise<Served> {
  const { hostname, port } = new URL(url)
  const lines = Object.entries({ ...commonHeaders, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = lines.join('')
  const from = performance.now()
  const until = from + seconds * 1000
  let sent = 0
  let count = 0
  let others = 0
  const conversation: Conversation = {
    next () {
      if (sent === requests || performance.now() >= until) return undefined
      return `GET ${target(sent++)} HTTP/1.1\r\n${head}\r\n`
    },
    answered (answered) {
      count++
      if (answered !== status) others++
    }
  }
  const conversations: Promise<void>[] = []
  for (let client = 1; client <= connections; client++) {
    const peer = { host: hostname, port: Number(port), localAddress: `127.0.0.${client}` }
    conversations.push(converse(peer, conversation))
  }
  await Promise.all(conversations)
  if (others > connections + count / 100) throw new Error(`${others} of ${count} responses are not ${status}`)
  return { count, perSecond: count / (performance.now() - from) * 1000 }
}

type Conversation = { next: () => string | undefined, answered: (status: number) => void }

const silence = 120_000

function converse (peer: TcpNetConnectOpts, { next, answered }: Conversation): Promise<void> {
  return new Promise((resolve, reject) => {
    let [bodyLength, length, received] = [0, 0, 0]
    let status = 0
    const buffer = Buffer.allocUnsafe(2 ** 18)

    function send (socket: Socket): void {
      const request = next()
      received = 0
      if (request === undefined) socket.end(resolve)
      else socket.write(request, 'latin1')
    }

    function take (socket: Socket, bytes: number): void {
      if (received === 0) {
        const got = Number(buffer.toString('latin1', 'HTTP/1.1 '.length, 'HTTP/1.1 200'.length))
        if (got !== status || got === 429) bodyLength = readLength(buffer.toString('latin1', 0, bytes))
        status = got
        length = buffer.indexOf('\r\n\r\n') + 4 + bodyLength
      }
      received += bytes
      if (received < length) return
      answered(status)
      send(socket)
    }

    const callback = (bytes: number) => {
      take(socket, bytes)
      return true
    }
    const socket: Socket = connect({ ...peer, noDelay: true, onread: { buffer, callback } })
    socket.once('connect', () => send(socket)).once('error', reject)
    socket.setTimeout(silence, () => socket.destroy(new Error(`no answer for ${silence / 1000} seconds`)))
  })
}

/** Returns the Content-Length of a response's head. */
function readLength (text: string): number {
  const [, length = '0'] = /^content-length: (\d+)\r$/im.exec(text) ?? []
  return Number(length)
}
