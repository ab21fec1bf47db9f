import type { Server, Socket } from 'node:net'

/** A TCP connection, when it was opened, and how many requests it has sent. */
type ClientConnection = { tcp: Socket, openedAt: number, requests: number }

/** How long a connection is open without a request before it counts as used, in milliseconds. */
const preparedTime = 300

/** Remembers the open connections of a server. */
export function createConnections (server: Server) {
  const connections = new Map<string, ClientConnection>()
  server.on('connection', (tcp: Socket) => {
    const address = socketKeyOf(tcp)
    connections.set(address, { tcp, openedAt: performance.now(), requests: 0 })
    tcp.once('close', () => connections.delete(address))
  })

  const connectionOf = (socket: Socket) => connections.get(socketKeyOf(socket))

  return {
    /** Counts a request of a connection, encrypted or not. */
    count (socket: Socket): void {
      const connection = connectionOf(socket)
      if (connection !== undefined) connection.requests++
    },
    /** Returns the TCP socket of a connection, encrypted or not. */
    tcpOf: (socket: Socket) => connectionOf(socket)?.tcp,
    /**
     * Returns whether a client takes a connection for a used one. Browsers open connections in advance, and take them
     * for used ones.
     */
    isReused (socket: Socket, arrival: number): boolean {
      const connection = connectionOf(socket)
      return connection !== undefined && (connection.requests > 1 || arrival - connection.openedAt > preparedTime)
    }
  }
}

/** Identifies an open connection, encrypted or not. */
const socketKeyOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
