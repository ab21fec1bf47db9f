import { connect, type Socket } from 'node:net'

/** A load on a server. */
export type Crowd = {
  port: number
  connections: number
  /** Requests a second, whether or not responses arrive; without it each connection sends the next request after a response. */
  perSecond?: number | undefined
  seconds: number
  /** Requests of each kind, repeated by their share; `#` becomes a unique number. */
  requests: readonly string[]
  /** The deadline of a response, in milliseconds. */
  deadline: number
}

/** Responses to the requests that were due during the load; times are milliseconds since each was due. */
export type Outcome = { due: number, useful: number, refused: number, other: number, missing: number, p50: number, p99: number }

/** One connection: when its request was due, the head received so far, and the rest of the response's body, with its status. */
type Connection = { socket: Socket, due: number[], rest: Buffer, left: number, status: number }

// Runs as its own process, so that the load has a CPU to itself: takes a Crowd as its argument, and writes an Outcome.
const { port, connections, perSecond, seconds, requests, deadline } = JSON.parse(process.argv[2] as string) as Crowd
const headEnd = Buffer.from('\r\n\r\n')
const outcome: Outcome = { due: 0, useful: 0, refused: 0, other: 0, missing: 0, p50: NaN, p99: NaN }
const times: number[] = []

// Connects one by one, because a turn of the server's event loop accepts one connection: together they would wait for seconds.
const open: Connection[] = []
while (open.length < connections) open.push(await begin())
/** Idle connections get the next request first, because real clients do not queue behind each other. */
const idle = perSecond === undefined ? [] : [...open]
const from = performance.now()
const until = from + 1000 * seconds
if (perSecond === undefined) {
  for (const connection of open) send(connection, performance.now())
  await new Promise(resolve => setTimeout(resolve, 1000 * seconds))
} else {
  for (let now = from; now < until; now = performance.now()) {
    const end = Math.min((now - from) * perSecond / 1000, seconds * perSecond)
    while (outcome.due < end) send(idle.shift() ?? open[outcome.due % connections] as Connection, from + 1000 * outcome.due / perSecond)
    await new Promise(resolve => setTimeout(resolve, 1))
  }
  await new Promise(resolve => setTimeout(resolve, deadline))
}
times.sort((a, b) => a - b)
const percentile = (share: number) => times[Math.ceil(times.length * share) - 1] ?? NaN
const missing = open.reduce((sum, { due }) => sum + due.length, 0)
console.log(JSON.stringify({ ...outcome, missing, p50: percentile(0.5), p99: percentile(0.99) } satisfies Outcome))
process.exit()

function begin (): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const buffer = Buffer.allocUnsafe(2 ** 16)
    const take = (size: number) => {
      if (connection.due.length > 0) read(connection, buffer.subarray(0, size))
      else resolve(connection)
      return true
    }
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback: take } })
    const connection: Connection = { socket, due: [], rest: Buffer.alloc(0), left: 0, status: 0 }
    socket.on('error', reject).write('HEAD /livez HTTP/1.1\r\nHost: bikes.test\r\n\r\n')
  })
}

function send (connection: Connection, due: number): void {
  const number = outcome.due++
  connection.due.push(due)
  connection.socket.write((requests[number % requests.length] as string).replaceAll('#', String(number)), 'latin1')
}

/** Parses only the ends and statuses of responses. */
function read (connection: Connection, bytes: Buffer): void {
  let text = connection.rest.length === 0 ? bytes : Buffer.concat([connection.rest, bytes])
  while (text.length > 0) {
    if (connection.left === 0) {
      const end = text.indexOf(headEnd)
      if (end === -1) break
      const head = text.toString('latin1', 0, end)
      connection.status = Number(head.slice(9, 12))
      connection.left = end + headEnd.length + (connection.status === 304 ? 0 : Number(/\ncontent-length: (\d+)/i.exec(head)?.[1]))
    }
    const taken = Math.min(connection.left, text.length)
    connection.left -= taken
    text = text.subarray(taken)
    if (connection.left === 0) answered(connection)
  }
  connection.rest = Buffer.from(text)
}

function answered (connection: Connection): void {
  const { status } = connection
  const now = performance.now()
  const time = now - (connection.due.shift() as number)
  if (status === 503) outcome.refused++
  else if (status >= 400) outcome.other++
  else {
    times.push(time)
    if (time <= deadline) outcome.useful++
  }
  if (perSecond !== undefined && connection.due.length === 0) idle.push(connection)
  if (perSecond === undefined && now < until) send(connection, now)
}
