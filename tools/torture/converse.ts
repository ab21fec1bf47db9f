import { connect, type Socket } from 'node:net'
import { createAnswerReader, FramingError, type Answer } from './wire.ts'

/** Raw bytes to send, and the requests that they contain. */
export type Sent = {
  method: string
  target: string
  /** Each character is a byte. */
  text: string
  /** The request has `Connection: close` or its equivalent. */
  closes: boolean
}

/** The token that every tested server accepts. */
export const token = 'torture'

/** The responses of one connection in order, and the errors of the connection itself. */
export type Conversation = { answers: Answer[], error: string | undefined }

/** The timeout of a response on a busy machine, in milliseconds. */
const timeout = 30_000

/**
 * Pipelines requests on one connection, and parses the responses strictly. Missing responses are errors, unless an
 * earlier one announced the close of the connection; so are additional bytes. `piece` is the number of bytes in each
 * write, all of them by default.
 */
export function converse (port: number, requests: readonly Sent[], piece?: number): Promise<Conversation> {
  const answers: Answer[] = []
  const reader = createAnswerReader()
  return new Promise(resolve => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const timer = setTimeout(() => finish(`no answer to request ${answers.length + 1} in ${timeout / 1000} s`), timeout)
    let hasEnded = false

    function finish (error?: string): void {
      if (hasEnded) return
      hasEnded = true
      clearTimeout(timer)
      socket.destroy()
      resolve({ answers, error })
    }

    function take (): void {
      try {
        while (answers.length < requests.length) {
          const answer = reader.take(requests[answers.length]?.method ?? '')
          if (answer === undefined) return
          answers.push(answer)
          if (saysClose(answer)) return
        }
        if (reader.left() > 0) finish(`${reader.left()} bytes that belong to no response`)
        else if (!isClosing()) finish()
      } catch (error) {
        finish((error as FramingError).message)
      }
    }

    const isClosing = () => { const last = answers.at(-1); return last !== undefined && saysClose(last) }

    function ended (how: string): void {
      if (reader.left() > 0) finish(`${how} in the middle of answer ${answers.length + 1}`)
      else if (isClosing() || (answers.length > 0 && requests[answers.length - 1]?.closes === true)) finish()
      else finish(`${how} instead of answer ${answers.length + 1}`)
    }

    socket.on('data', bytes => { reader.push(bytes); take() })
    socket.on('end', () => ended('the end'))
    socket.on('error', (error: NodeJS.ErrnoException) => ended(error.code ?? error.message))
    socket.on('connect', () => write(socket, requests.map(({ text }) => text).join(''), piece))
  })
}

function saysClose ({ headers }: Answer): boolean {
  return headers.get('connection')?.toLowerCase() === 'close'
}

function write (socket: Socket, text: string, piece = text.length): void {
  if (socket.destroyed || text === '') return
  socket.write(text.slice(0, piece), 'latin1', () => setImmediate(write, socket, text.slice(piece), piece))
}

/** Processes items with limited concurrency. */
export async function atOnce<T> (count: number, items: Iterable<T>, task: (item: T) => Promise<void>): Promise<void> {
  const waiting = items[Symbol.iterator]()
  const worker = async () => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) await task(next.value)
  }
  await Promise.all(Array.from({ length: count }, worker))
}
