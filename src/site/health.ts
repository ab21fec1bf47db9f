import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Current } from '../catalogue/live.ts'
import type { Limits } from '../http/rate-limit.ts'
import { version } from '../package.ts'
import { sendJson } from './responses.ts'

export async function healthRoutes (app: FastifyInstance, { current, limits }: { current: Current, limits: Limits }) {
  app.route({ method: ['GET', 'HEAD'], url: '/livez', handler: (_, reply) => sendJson(reply, { status: 'ok' }) })
  app.route({ method: ['GET', 'HEAD'], url: '/readyz', handler: (_, reply) => tellReadiness(reply) })

  function tellReadiness (reply: FastifyReply) {
    if (app.drain.isBegun) return sendJson(reply.code(503), { status: 'draining' })
    const { digest, updated } = current.catalogue()
    const uptime = Math.floor(process.uptime())
    return sendJson(reply, { status: 'ok', version, data: { digest, updated }, uptime, redis: limits?.shared() })
  }
}
