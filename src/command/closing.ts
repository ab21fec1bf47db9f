import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const codes = { SIGINT: 130, SIGTERM: 143 }

/** What is under way may take this long, in milliseconds; Docker kills a container after ten seconds. */
const drainTime = 8_000

/** npm and tsx pass a Ctrl-C on to a child that the terminal has already sent it to: one signal, heard twice. */
const echoTime = 500

/**
 * Closes the server at the first SIGINT or SIGTERM, so that the process ends with 0 once the answers under way are
 * sent; a second signal ends it at once, with the code of that signal.
 */
export function closeOnSignals (app: FastifyInstance, process: Pick<NodeJS.Process, 'on' | 'exit'>): void {
  let closedAt: number | undefined
  const sockets = openSockets()

  for (const [signal, code] of Object.entries(codes)) {
    process.on(signal, () => {
      if (closedAt === undefined) close()
      else if (Date.now() - closedAt > echoTime) process.exit(code)
    })
  }

  function close (): void {
    closedAt = Date.now()
    setTimeout(() => process.exit(0), drainTime).unref()
    closeSilent(sockets)
    app.close().catch(error => app.journal.error(error))
  }
}

function openSockets (): Set<Socket> {
  const sockets = new Set<Socket>()
  subscribe('net.server.socket', message => {
    const { socket } = message as { socket: Socket }
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return sockets
}

/** Ends what `server.close()` waits for although no answer is under way on it. */
function closeSilent (sockets: Set<Socket>): void {
  // Browsers open connections ahead of need, and send nothing; Node counts them as busy.
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  // A connection that was kept alive for another request would stay for Fastify's 72 seconds after its last answer.
  subscribe('http.server.response.finish', message => (message as { socket: Socket }).socket.destroySoon())
}
