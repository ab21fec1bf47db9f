import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Current } from '../catalogue/current.ts'
import type { Limits } from '../http/rate-limit.ts'
import { version } from '../package.ts'

type Options = { current: Current, limits: Limits | undefined }

/** Where a platform asks after the server; nobody counts or writes down how often. */
export const probes: ReadonlySet<string> = new Set(['/livez', '/readyz'])

/** Adds the answers for those who watch the server: whether it runs, and whether it is to be sent requests. */
export async function healthRoutes (app: FastifyInstance, { current, limits }: Options) {
  app.route({ method: ['GET', 'HEAD'], url: '/livez', handler: (_, reply) => send(reply, { status: 'ok' }) })
  app.route({
    method: ['GET', 'HEAD'],
    url: '/readyz',
    handler: (_, reply) => {
      if (app.connections.drain.isBegun) return send(reply.code(503), { status: 'draining' })
      const { digest, updated } = current.catalogue()
      const uptime = Math.floor(process.uptime())
      return send(reply, { status: 'ok', version, data: { digest, updated }, uptime, redis: limits?.shared() })
    }
  })
}

function send (reply: FastifyReply, content: object): FastifyReply {
  return reply.header('cache-control', 'no-store').type('application/json').send(Buffer.from(JSON.stringify(content)))
}
