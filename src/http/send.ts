import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { logError } from './log.ts'

/** The body of a response: a buffer, or a function that creates a stream for each response. */
export type Body = Buffer | (() => Readable)

/** Larger buffers are sent in pieces of this length, in bytes, so that the progress of slow clients is seen. */
const pieceLength = 256 * 1024

function inPieces (body: Buffer): Readable {
  const count = Math.ceil(body.length / pieceLength)
  return Readable.from(Array.from({ length: count }, (_, index) => body.subarray(index * pieceLength, (index + 1) * pieceLength)))
}

/** Sends a body, a long one as a stream, whose errors are logged. The stream of a response to HEAD is not created. */
export function sendBody (request: FastifyRequest, reply: FastifyReply, body: Body): FastifyReply {
  if (Buffer.isBuffer(body)) {
    if (body.length <= pieceLength && reply.hasHeader('content-type')) return reply.send(body) // Fastify adds a type to a buffer
    reply.header('content-length', String(body.length))
  }
  if (request.method === 'HEAD') return reply.send()
  const stream = Buffer.isBuffer(body) ? inPieces(body) : body()
  return reply.send(stream.once('error', error => logError(error, request)))
}
