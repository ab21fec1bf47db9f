import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Limits } from '../http/rate-limit.ts'
import { version } from '../package.ts'

type Options = { catalogue: Catalogue, limits: Limits | undefined }

/** Where a platform asks after the server; nobody counts or writes down how often. */
export const probes: ReadonlySet<string> = new Set(['/livez', '/readyz'])

/** Adds the answers for those who watch the server: whether it runs, and whether it is to be sent requests. */
export async function healthRoutes (app: FastifyInstance, { catalogue, limits }: Options) {
  const data = { digest: catalogue.digest, updated: catalogue.updated }

  app.route({ method: ['GET', 'HEAD'], url: '/livez', handler: (_, reply) => send(reply, { status: 'ok' }) })
  app.route({
    method: ['GET', 'HEAD'],
    url: '/readyz',
    handler: (_, reply) => app.connections.isDraining
      ? send(reply.code(503), { status: 'draining' })
      : send(reply, { status: 'ok', version, data, uptime: Math.floor(process.uptime()), redis: limits?.shared() })
  })
}

function send (reply: FastifyReply, content: object): FastifyReply {
  return reply.header('cache-control', 'no-store').type('application/json').send(Buffer.from(JSON.stringify(content)))
}
